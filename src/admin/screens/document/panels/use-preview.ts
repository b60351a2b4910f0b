// A link that shows what is on the screen, and the frames and windows that show it: each edit reaches them at once.
import { effect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, OfflineError } from '../../../api/client.ts';
import { isMissing } from '../../../api/failure.ts';
import { toSentence } from '../../../api/sentence.ts';
import { useAdmin } from '../../../shell/admin.ts';
import type { PanelProps } from './panels.tsx';

/** What the service answers. */
interface PreviewLink {
  /** Null if neither the site's own frontend nor its theme shows the document. */
  url: string | null;
  shownBy: 'site' | 'theme' | null;
  token: string;
}

export interface ShownPreview {
  /** Undefined if nothing shows the document. */
  src: string | undefined;
  /** What the frame may do. */
  sandbox: string;
}

export interface Preview {
  /** Undefined until there is a link. */
  shown: ShownPreview | undefined;
  /** Why the page lacks the last change, or why there is no page yet. */
  problem: string | undefined;
  frame: RefObject<HTMLIFrameElement | null>;
  /** In a window of its own, which follows as long as this panel is open. */
  openWindow(): void;
}

const SEND_AFTER_MS = 250;
const SANDBOX = 'allow-scripts allow-forms allow-popups';

/** The theme's page is at this service whatever address the service believes to have; it has no origin of its own. */
function toShown({ url, shownBy }: PreviewLink): ShownPreview & { origin: string } {
  if (url === null) return { src: undefined, sandbox: SANDBOX, origin: '' };
  const { origin, pathname } = new URL(url, location.href);
  if (shownBy === 'theme') return { src: pathname, sandbox: SANDBOX, origin: '*' };
  // A site of another origin keeps it, or no message could be meant for it alone.
  const isElsewhere = origin !== location.origin;
  return {
    src: url,
    sandbox: isElsewhere ? `${SANDBOX} allow-same-origin` : SANDBOX,
    origin: isElsewhere ? origin : '*',
  };
}

export function usePreview({ collection, document }: PanelProps): Preview {
  const { request } = useAdmin();
  const [shown, setShown] = useState<ShownPreview>();
  const [problem, setProblem] = useState<string>();
  const frame = useRef<HTMLIFrameElement>(null);
  const windows = useRef(new Set<Window>());
  const id = document.latest.value?.document.id;

  useEffect(() => {
    if (!id) return undefined;
    let link: PreviewLink | undefined;
    let version = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;

    async function send(): Promise<void> {
      const body = { data: document.data() };
      if (!link) {
        const { data } = await request<PreviewLink>('POST', `/api/cms/${collection.name}/${id}/preview`, { body });
        if (isOver) return;
        link = data;
        setShown(toShown(data));
        return;
      }
      const { token } = link;
      await request('PUT', `/api/preview/${encodeURIComponent(token)}`, { body });
      version += 1;
      const { origin } = toShown(link);
      for (const target of [frame.current?.contentWindow, ...windows.current]) {
        if (target && !target.closed && origin)
          target.postMessage({ type: 'colophon:preview', token, version }, origin);
      }
    }

    async function follow(): Promise<void> {
      try {
        await send();
        if (!isOver) setProblem(undefined);
      } catch (error) {
        // Half-typed values may be refused; the next key sends what is there then.
        if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
        if (isOver) return;
        const hasEnded = isMissing(error) && link !== undefined;
        if (!hasEnded) return setProblem(toSentence(error));
        link = undefined;
        await follow();
      }
    }

    const stop = effect(() => {
      void document.edits.value;
      clearTimeout(timer);
      timer = setTimeout(() => void follow(), link ? SEND_AFTER_MS : 0);
    });
    return () => {
      isOver = true;
      stop();
      clearTimeout(timer);
    };
  }, [id, document]);

  return {
    ...{ shown, problem, frame },
    openWindow() {
      if (shown?.src === undefined) return;
      const opened = window.open('', '_blank');
      if (!opened) return;
      // We reach it, and it does not reach us.
      opened.opener = null;
      opened.location.replace(shown.src);
      windows.current.add(opened);
    },
  };
}
