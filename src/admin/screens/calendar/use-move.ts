// Moves what is planned to another day: through the document's schedule, as it was read, and with the way back.
import { useRef } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { toEventTitle, toFullDay, toTime } from './event-words.ts';
import { dayOf, keyOf, type PlannedDocument, toMoved } from './planned.ts';

/** Resolves with what is wrong, as a sentence, or with undefined once it is moved. */
export type Move = (event: PlannedDocument, day: string) => Promise<string | undefined>;

const SCHEDULED = '/api/cms/scheduled';

export function useMove(zone: string): Move {
  const { request, resources, messages, now } = useAdmin();
  const running = useRef(new Set<string>());

  async function write(url: string, body: object, etag: string | undefined): Promise<string | undefined> {
    const { etag: after } = await request('PATCH', url, { body, headers: { 'If-Match': etag ?? '' } });
    resources.refresh(SCHEDULED);
    return after;
  }

  async function move(event: PlannedDocument, at: string): Promise<string | undefined> {
    const url = `/api/cms/${encodeURIComponent(event.collection)}/${encodeURIComponent(event.slug)}`;
    const key = event.kind === 'publish' ? 'publishAt' : 'unpublishAt';
    const { data: document, etag } = await request<StoredDocument>('GET', url);
    if (document[key] !== event.at) return t('calendar.changed');
    const { publishAt, unpublishAt }: Partial<StoredDocument> = { ...document, [key]: at };
    if (publishAt && unpublishAt && publishAt >= unpublishAt) return t('schedule.order');
    const after = await write(url, { [key]: at }, etag);
    const undo = async (): Promise<void> => {
      try {
        await write(url, { [key]: event.at }, after);
      } catch (error) {
        messages.fail(toReason(error));
      }
    };
    const when = `${toFullDay(dayOf(at, zone))}, ${toTime(at, zone)}`;
    messages.notify(t('calendar.moved', { title: toEventTitle(event), when }), () => void undo());
    return undefined;
  }

  return async (event, day) => {
    if (day === dayOf(event.at, zone)) return undefined;
    const moved = toMoved(event.at, day, zone, now().toISOString());
    if ('problem' in moved) return t(`calendar.${moved.problem}`, { time: toTime(event.at, zone) });
    const key = keyOf(event);
    if (running.current.has(key)) return undefined;
    running.current.add(key);
    try {
      return await move(event, moved.at);
    } catch (error) {
      return toReason(error);
    } finally {
      running.current.delete(key);
      resources.refresh(SCHEDULED);
    }
  };
}

function toReason(error: unknown): string {
  return error instanceof ApiError && (error.status === 412 || error.status === 404)
    ? t('calendar.changed')
    : toSentence(error);
}
