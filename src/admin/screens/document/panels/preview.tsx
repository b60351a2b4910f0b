// What is on the screen, saved or not, as readers will see it.
import { effect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, OfflineError } from '../../../api/client.ts';
import { toSentence } from '../../../api/sentence.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Empty } from '../../../ui/states.tsx';
import type { PanelProps } from './panels.tsx';

interface PreviewLink {
  /** Null without an address of previews in the settings. */
  url: string | null;
  token: string;
  expiresAt: string;
}

const SEND_AFTER_MS = 250;

function isElsewhere(url: string): boolean {
  return new URL(url, location.href).origin !== location.origin;
}

export function Preview({ collection, document }: PanelProps) {
  const { request, messages } = useAdmin();
  const [link, setLink] = useState<PreviewLink>();
  const [width, setWidth] = useState<'phone' | 'tablet' | 'desktop'>('desktop');
  const frame = useRef<HTMLIFrameElement>(null);
  const stored = document.latest.value?.document;
  const id = stored?.id;

  useEffect(() => {
    if (!id) return undefined;
    let token: string | undefined;
    let version = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const make = async (): Promise<void> => {
      try {
        const url = `/api/cms/${collection.name}/${id}/preview`;
        const { data } = await request<PreviewLink>('POST', url, { body: { data: document.data() } });
        if (isOver) return;
        token = data.token;
        setLink(data);
      } catch (error) {
        messages.fail(toSentence(error));
      }
    };
    const send = async (): Promise<void> => {
      if (token === undefined) return;
      try {
        await request('PUT', `/api/preview/${encodeURIComponent(token)}`, { body: { data: document.data() } });
        version += 1;
        const target = frame.current?.contentWindow;
        const origin = frame.current && new URL(frame.current.src, location.href).origin;
        if (target && origin) target.postMessage({ type: 'colophon:preview', token, version }, origin);
      } catch (error) {
        // Half-typed values may be refused; the next key sends what is there then.
        if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
        if (error instanceof ApiError && error.status === 404) await make();
      }
    };
    void make();
    const stop = effect(() => {
      void document.edits.value;
      clearTimeout(timer);
      timer = setTimeout(() => void send(), SEND_AFTER_MS);
    });
    return () => {
      isOver = true;
      stop();
      clearTimeout(timer);
    };
  }, [id, document]);

  if (!stored) return <Empty>{t('preview.unsaved')}</Empty>;
  return (
    <>
      <p class="help">{t('preview.text')}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row */}
      <div class="buttons" role="group" aria-label={t('preview.width')}>
        {(['phone', 'tablet', 'desktop'] as const).map((one) => (
          <button type="button" key={one} aria-pressed={one === width} onClick={() => setWidth(one)}>
            {t(`preview.${one}`)}
          </button>
        ))}
        {link?.url && (
          <a class="button" href={link.url} target="_blank" rel="noreferrer">
            {t('preview.open')} <Icon name="external" />
          </a>
        )}
      </div>
      {link?.url === null && <p class="note">{t('preview.noSite')}</p>}
      {link?.url && (
        <div class="preview-box">
          <iframe
            ref={frame}
            class={`preview width-${width}`}
            title={t('panel.preview')}
            src={link.url}
            // A site of its own origin keeps it, or no message could be meant for it alone; a page of ours loses it.
            sandbox={`allow-scripts allow-forms allow-popups ${isElsewhere(link.url) ? 'allow-same-origin' : ''}`}
          />
        </div>
      )}
    </>
  );
}
