// HTML of a document, run in a frame without an origin: it reaches neither this page nor the service.
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text/translate.ts';

const FRAME = '/admin/frame';
const REFRESH_MS = 600;

export function HtmlFrame({ label, html }: { label: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef(html);
  latest.current = html;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const timer = setTimeout(() => {
      if (frame.current) frame.current.src = FRAME;
    }, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [html]);
  return (
    <iframe
      ref={frame}
      class="html-frame"
      title={t('html.frame', { label })}
      sandbox="allow-scripts"
      src={FRAME}
      // Its origin is none, so no other can be named.
      onLoad={() => frame.current?.contentWindow?.postMessage(latest.current, '*')}
    />
  );
}
