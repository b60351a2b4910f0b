// Approving and rejecting an item, what becomes of a conflict, and the way back as far as there is one.
import { useMemo, useState } from 'preact/hooks';
import { ApiError, isMoved } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import type { Conflict } from '../../document/edits.ts';
import { type EditKey, fieldNameOf, type StoredDocument } from '../../document/stored-document.ts';
import { type Admin, useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { type BothVersions, type FieldEdits, type QueueItem, toConflicts, toMergedEdit } from './item-fields.ts';

export interface ApproveChoice {
  asDraft?: boolean;
  alternative: number | undefined;
  fields: string[] | undefined;
}

export interface DecisionParts {
  item: QueueItem;
  /** The version of the item that is shown. */
  etag: string | undefined;
  url: string;
  onDecided(): void;
  /** It is not as it was thought to be. */
  onChanged(): void;
}

export interface Decision {
  isBusy: boolean;
  /** Fields that the document was changed in as well; undefined without a conflict. */
  conflicts: readonly Conflict[] | undefined;
  /** Why the document would not be valid. */
  problems: readonly string[];
  approve(choice: ApproveChoice): Promise<void>;
  /** @throws if it stays undecided */
  reject(feedback: string): Promise<void>;
  /** Approves with what was chosen between both versions. */
  merge(chosen: ReadonlyMap<EditKey, unknown>): Promise<void>;
  postpone(): void;
}

/** What was approved when the document turned out to have changed. */
interface Asked {
  choice: ApproveChoice;
  item: QueueItem;
  etag: string | undefined;
  versions: BothVersions;
}

export function useDecision({ item, etag, url, onDecided, onChanged }: DecisionParts): Decision {
  const admin = useAdmin();
  const { request, messages } = admin;
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const conflicts = useMemo(() => asked && toConflicts(asked.versions), [asked]);

  async function run(work: () => Promise<void>, about: Omit<Asked, 'versions'>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setProblems([]);
    try {
      await work();
    } catch (error) {
      const versions = versionsOf(error);
      if (versions?.current) setAsked({ ...about, versions });
      else if (isMoved(error)) {
        // What was chosen was about a proposal that is another by now.
        setAsked(undefined);
        messages.fail(t('curation.moved'));
        onChanged();
      } else if (error instanceof ApiError && error.status === 400 && error.details.length > 0) {
        setProblems(error.details.map(({ path, message }) => `${path.replace(/^data\./, '')}: ${message}`));
      } else messages.fail(toSentence(error));
      // Decided by another person, deleted, or locked by now.
      if (error instanceof ApiError && error.status === 409) onChanged();
    } finally {
      setBusy(false);
    }
  }

  async function approveNow({ choice, item, etag }: Omit<Asked, 'versions'>, edit?: FieldEdits): Promise<void> {
    const body = edit ? { ...withoutAlternative(choice, edit), edit } : choice;
    const { data } = await request<QueueItem>('POST', `${url}/approve`, { body, headers: seen(etag) });
    setAsked(undefined);
    const word = choice.asDraft ? 'approved' : 'published';
    const undo = await wayBack(admin, item, data);
    messages.notify(t(`curation.done.${word}`, { title: data.title }), undo);
    onDecided();
  }

  return {
    isBusy,
    problems,
    conflicts,
    approve(choice) {
      const about = { choice, item, etag };
      return run(() => approveNow(about), about);
    },
    async reject(feedback) {
      try {
        await request('POST', `${url}/reject`, { body: feedback === '' ? {} : { feedback }, headers: seen(etag) });
      } catch (error) {
        if (isMoved(error)) {
          onChanged();
          throw new Error(t('curation.moved'));
        }
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        // Decided by another person, so that there is nothing to say any more.
        messages.fail(toSentence(error));
        return onChanged();
      }
      messages.notify(t('curation.done.rejected', { title: item.title }), () => void reopen(admin, item, url));
      onDecided();
    },
    merge: async (chosen) => {
      if (!asked) return;
      const merged = Object.fromEntries([...chosen].map(([key, value]) => [String(fieldNameOf(key)), value ?? null]));
      const edit = toMergedEdit(asked.item, asked.choice.alternative, merged, asked.versions.current ?? {});
      await run(() => approveNow(asked, edit), asked);
    },
    postpone: () => setAsked(undefined),
  };
}

/** What was merged is the item's own by then; what its own values have besides is not taken over. */
function withoutAlternative({ alternative, ...choice }: ApproveChoice, { fields }: FieldEdits) {
  return alternative === undefined ? choice : { ...choice, fields: choice.fields ?? Object.keys(fields) };
}

function seen(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'If-Match': etag };
}

function versionsOf(error: unknown): BothVersions | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  return (error.body as { versions?: BothVersions }).versions;
}

async function reopen({ request, messages }: Admin, { title }: QueueItem, url: string): Promise<void> {
  try {
    await request('POST', `${url}/reopen`);
    messages.notify(t('curation.reopened', { title }));
  } catch (error) {
    messages.fail(toSentence(error));
  }
}

/**
 * The document can become what it was, unless it is changed once more; the item stays decided. Undefined if nothing was
 * written, or the answer does not come.
 */
async function wayBack(
  { request, messages }: Admin,
  before: QueueItem,
  { collection, documentId }: QueueItem,
): Promise<(() => void) | undefined> {
  const url = `/api/cms/${encodeURIComponent(collection)}/${documentId}`;
  try {
    const { etag } = await request<StoredDocument>('GET', url);
    const { data } = await request<{ entries: readonly { commit: string }[] }>('GET', `${url}/history?limit=2`);
    const earlier = data.entries[1]?.commit;
    const isNew = before.documentId === null;
    if (etag === undefined || (!isNew && earlier === undefined)) return undefined;
    const headers = { 'If-Match': etag };
    const undo = async (): Promise<void> => {
      try {
        if (isNew) await request('DELETE', url, { headers });
        else await request('POST', `${url}/restore`, { body: { commit: earlier }, headers });
        messages.notify(t(isNew ? 'curation.undone.new' : 'curation.undone.changed'));
      } catch (error) {
        messages.fail(toSentence(error));
      }
    };
    return () => void undo();
  } catch (error) {
    // What was decided stays decided; only the way back is missing.
    messages.fail(toSentence(error));
    return undefined;
  }
}
