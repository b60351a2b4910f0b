// Moves what is planned to another day: through the document's schedule, as it was read, and with the way back.
import { useRef } from 'preact/hooks';
import { isMoved } from '../../api/client.ts';
import { isMissing } from '../../api/failure.ts';
import { toSentence } from '../../api/sentence.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { toEventTitle, toFullDay, toTime } from './event-words.ts';
import { dayOf, keyOf, type PlannedDocument, toMoved } from './planned.ts';

export interface MoveProblem {
  text: string;
  /** The time that it has by now, if that is not the one that was to be replaced. */
  at?: string;
}

/** Resolves with what is wrong, or with undefined once it is moved. */
export type Move = (event: PlannedDocument, day: string) => Promise<MoveProblem | undefined>;

const SCHEDULED = '/api/cms/scheduled';

export function useMove(zone: string): Move {
  const { request, resources, messages, now } = useAdmin();
  const running = useRef(new Set<string>());

  /** Writes the time if the document still has the one that it is to replace. Resolves with what is wrong. */
  async function write(
    event: PlannedDocument,
    from: string,
    to: string,
    isAgain = false,
  ): Promise<MoveProblem | undefined> {
    const { collection, slug, kind } = event;
    const url = `/api/cms/${encodeURIComponent(collection)}/${encodeURIComponent(slug)}`;
    const key = kind === 'publish' ? 'publishAt' : 'unpublishAt';
    const { data: document, etag } = await request<StoredDocument>('GET', url);
    const now = document[key];
    if (now !== from) return { text: t('calendar.changed'), ...(now ? { at: now } : {}) };
    const { publishAt, unpublishAt }: Partial<StoredDocument> = { ...document, [key]: to };
    if (publishAt && unpublishAt && publishAt >= unpublishAt) return { text: t('schedule.order') };
    try {
      await request('PATCH', url, { body: { [key]: to }, headers: { 'If-Match': etag ?? '' } });
    } catch (error) {
      if (!isMoved(error) || isAgain) throw error;
      // It may be another field that was changed just then.
      return write(event, from, to, true);
    }
    resources.refresh(SCHEDULED);
    return undefined;
  }

  async function move(event: PlannedDocument, at: string): Promise<MoveProblem | undefined> {
    const problem = await write(event, event.at, at);
    if (problem !== undefined) return problem;
    const undo = async (): Promise<void> => {
      try {
        const found = await write(event, at, event.at);
        if (found !== undefined) messages.fail(found.text);
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
    if ('problem' in moved) return { text: t(`calendar.${moved.problem}`, { time: toTime(event.at, zone) }) };
    const key = keyOf(event);
    if (running.current.has(key)) return undefined;
    running.current.add(key);
    try {
      return await move(event, moved.at);
    } catch (error) {
      return { text: toReason(error) };
    } finally {
      running.current.delete(key);
      resources.refresh(SCHEDULED);
    }
  };
}

function toReason(error: unknown): string {
  return isMoved(error) || isMissing(error) ? t('calendar.changed') : toSentence(error);
}
