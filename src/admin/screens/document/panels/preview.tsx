// What is on the screen, saved or not, as readers will see it.
import type { RefCallback } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../text/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Empty } from '../../../ui/states.tsx';
import type { PanelProps } from './panels.tsx';
import { usePreview } from './use-preview.ts';

/** CSS pixels, as the page sees them; a page that is wider than the panel is drawn smaller. */
const WIDTHS = { phone: 390, tablet: 768, desktop: 1280 } as const;

export function Preview(props: PanelProps) {
  const [width, setWidth] = useState<keyof typeof WIDTHS>('phone');
  const box = useFit(WIDTHS[width]);
  const { shown, problem, frame, openWindow } = usePreview(props);

  if (!props.document.latest.value) return <Empty>{t('preview.unsaved')}</Empty>;
  return (
    <>
      <p class="help">{t('preview.text')}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row */}
      <div class="buttons" role="group" aria-label={t('preview.width')}>
        {(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]).map((one) => (
          <button type="button" key={one} aria-pressed={one === width} onClick={() => setWidth(one)}>
            {t(`preview.${one}`)}
          </button>
        ))}
        {shown?.src !== undefined && (
          <a
            class="button"
            href={shown.src}
            target="_blank"
            rel="noreferrer"
            onClick={(event) => {
              event.preventDefault();
              openWindow();
            }}
          >
            {t('preview.open')} <Icon name="external" />
          </a>
        )}
      </div>
      {shown && shown.src === undefined && <p class="note">{t('preview.none')}</p>}
      {problem !== undefined && <p class="note">{t('preview.behind', { problem })}</p>}
      {shown?.src !== undefined && (
        <div class="preview-box" ref={box}>
          <iframe ref={frame} class="preview" title={t('panel.preview')} src={shown.src} sandbox={shown.sandbox} />
        </div>
      )}
    </>
  );
}

/** Gives the element what its style needs to show so many pixels in the width that there is. */
function useFit(width: number): RefCallback<HTMLElement> {
  const element = useRef<HTMLElement | null>(null);
  const observer = useRef<ResizeObserver | undefined>(undefined);
  const fit = (): void => {
    const { current } = element;
    if (!current) return;
    current.style.setProperty('--width', `${width}px`);
    current.style.setProperty('--scale', String(Math.min(1, current.clientWidth / width)));
  };
  const latest = useRef(fit);
  latest.current = fit;
  useEffect(fit, [width]);
  return useCallback((next: HTMLElement | null) => {
    observer.current?.disconnect();
    element.current = next;
    if (!next) return;
    observer.current = new ResizeObserver(() => latest.current());
    observer.current.observe(next);
  }, []);
}
