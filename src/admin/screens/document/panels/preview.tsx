// What is on the screen, saved or not, as readers will see it.
import { useState } from 'preact/hooks';
import { t } from '../../../text/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Empty } from '../../../ui/states.tsx';
import type { PanelProps } from './panels.tsx';
import { usePreview } from './use-preview.ts';

const WIDTHS = ['phone', 'tablet', 'desktop'] as const;

export function Preview(props: PanelProps) {
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('desktop');
  const { shown, problem, frame, openWindow } = usePreview(props);

  if (!props.document.latest.value) return <Empty>{t('preview.unsaved')}</Empty>;
  return (
    <>
      <p class="help">{t('preview.text')}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row */}
      <div class="buttons" role="group" aria-label={t('preview.width')}>
        {WIDTHS.map((one) => (
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
        <div class="preview-box">
          <iframe
            ref={frame}
            class={`preview width-${width}`}
            title={t('panel.preview')}
            src={shown.src}
            sandbox={shown.sandbox}
          />
        </div>
      )}
    </>
  );
}
