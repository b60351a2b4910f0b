// Does one thing to many documents, in batches: with progress, what failed and why, and the way back.
import type { Client } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { type BulkOperation, type BulkResult, MOST_OPERATIONS, sendBulk, toReason } from '../../document/send-bulk.ts';
import { type BulkAction, type BulkStep, toStep } from './bulk-actions.ts';
import type { SelectedDocument } from './selection.ts';

export interface BulkFailure {
  document: SelectedDocument;
  reason: string;
  /** How many places point to a document that was not deleted for that. */
  pointers?: number | undefined;
}

export interface BulkReport {
  /** Steps that were made. */
  done: readonly BulkStep[];
  /** Documents that were so already. */
  unchanged: number;
  failures: readonly BulkFailure[];
}

export interface BulkRun {
  request: Client;
  collection: string;
  signal: AbortSignal;
  onProgress(done: number): void;
}

/** One answer takes a tenth of a second or two, so that the progress is seen. */
export const BATCH = 100;

/** Never throws: what a lost connection left undone is reported as failures. Ends early when the signal says so. */
export async function runBulk(
  action: BulkAction,
  documents: readonly SelectedDocument[],
  run: BulkRun,
): Promise<BulkReport> {
  const report = await runOnce(action, documents, run);
  const left = report.failures.filter(({ pointers }) => pointers !== undefined);
  if (left.length === 0 || report.done.length === 0) return report;
  // Those that pointed there may be gone by now: once more, the other way round.
  const again = await runOnce(action, left.map(({ document }) => document).reverse(), {
    ...run,
    onProgress: () => undefined,
  });
  return {
    done: [...report.done, ...again.done],
    unchanged: report.unchanged,
    failures: [...report.failures.filter(({ pointers }) => pointers === undefined), ...again.failures],
  };
}

async function runOnce(action: BulkAction, documents: readonly SelectedDocument[], run: BulkRun): Promise<BulkReport> {
  const done: BulkStep[] = [];
  const failures: BulkFailure[] = [];
  let unchanged = 0;
  for (let at = 0; at < documents.length && !run.signal.aborted; at += BATCH) {
    const batch = documents.slice(at, at + BATCH);
    try {
      const targets = action.kind === 'tag' ? await withTags(batch, run) : batch;
      const steps = targets.flatMap((target) => toStep(action, target) ?? []);
      unchanged += batch.length - steps.length;
      const results = await sendBulk(
        steps.map(({ operation }) => operation),
        run,
      );
      steps.forEach((step, index) => {
        const result: BulkResult = results[index] ?? { status: 500 };
        const reason = toReason(result);
        if (reason === undefined) done.push(step);
        else {
          const why = result.references ? { pointers: result.total } : {};
          failures.push({ document: step.target, reason, ...why });
        }
      });
    } catch (error) {
      failures.push(...batch.map((document) => ({ document, reason: toSentence(error) })));
    }
    run.onProgress(at + batch.length);
  }
  return { done, unchanged, failures };
}

/** Takes back what was done. */
export async function undoBulk(action: BulkAction, done: readonly BulkStep[], run: BulkRun): Promise<BulkReport> {
  const failures: BulkFailure[] = [];
  const undone: BulkStep[] = [];
  // A request that was sent is carried out, whatever becomes of the page.
  const size = action.kind === 'delete' ? MOST_OPERATIONS : BATCH;
  for (let at = 0; at < done.length && !run.signal.aborted; at += size) {
    const steps = done.slice(at, at + size);
    try {
      const operations =
        action.kind === 'tag' ? await withoutTags(action.tags, steps, run) : steps.map(({ undo }) => undo);
      const results = await sendBulk(operations, run);
      steps.forEach((step, index) => {
        const reason = toReason(results[index] ?? { status: 500 });
        if (reason === undefined) undone.push(step);
        else failures.push({ document: step.target, reason });
      });
    } catch (error) {
      failures.push(...steps.map(({ target }) => ({ document: target, reason: toSentence(error) })));
    }
    run.onProgress(at + steps.length);
  }
  return { done: undone, unchanged: 0, failures };
}

interface Tagged {
  id: string;
  data: { tags?: unknown };
}

/** The tags of these documents at this moment, because a write replaces all of them. */
async function readTags(
  ids: readonly string[],
  { request, collection }: BulkRun,
): Promise<Map<string, readonly string[]>> {
  const query = new URLSearchParams({ 'filter[id][in]': ids.join(','), fields: 'tags', limit: String(BATCH) });
  const url = `/api/cms/${encodeURIComponent(collection)}?${query}`;
  const { data } = await request<{ documents: readonly Tagged[] }>('GET', url);
  return new Map(
    data.documents.map(({ id, data: { tags } }) => [
      id,
      Array.isArray(tags) ? tags.filter((one) => typeof one === 'string') : [],
    ]),
  );
}

async function withTags(batch: readonly SelectedDocument[], run: BulkRun) {
  const tags = await readTags(
    batch.map(({ id }) => id),
    run,
  );
  return batch.map((document) => ({ ...document, tags: tags.get(document.id) ?? [] }));
}

/** Only what was added goes; what others have added meanwhile stays. */
async function withoutTags(
  added: readonly string[],
  steps: readonly BulkStep[],
  run: BulkRun,
): Promise<BulkOperation[]> {
  const now = await readTags(
    steps.map(({ target }) => target.id),
    run,
  );
  return steps.map(({ target: { id, tags = [] } }) => {
    const fresh = added.filter((tag) => !tags.includes(tag));
    return { op: 'update', id, data: { tags: (now.get(id) ?? []).filter((tag) => !fresh.includes(tag)) } };
  });
}
