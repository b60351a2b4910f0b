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

  /** Writes the time if the document still has the one that it is to replace. Resolves with what is wrong. */
  async function write({ collection, slug, kind }: PlannedDocument, from: string, to: string) {
    const url = `/api/cms/${encodeURIComponent(collection)}/${encodeURIComponent(slug)}`;
    const key = kind === 'publish' ? 'publishAt' : 'unpublishAt';
    const { data: document, etag } = await request<StoredDocument>('GET', url);
    if (document[key] !== from) return t('calendar.changed');
    const { publishAt, unpublishAt }: Partial<StoredDocument> = { ...document, [key]: to };
    if (publishAt && unpublishAt && publishAt >= unpublishAt) return t('schedule.order');
    await request('PATCH', url, { body: { [key]: to }, headers: { 'If-Match': etag ?? '' } });
    resources.refresh(SCHEDULED);
    return undefined;
  }

  async function move(event: PlannedDocument, at: string): Promise<string | undefined> {
    const problem = await write(event, event.at, at);
    if (problem !== undefined) return problem;
    const undo = async (): Promise<void> => {
      try {
        const found = await write(event, at, event.at);
        if (found !== undefined) messages.fail(found);
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
