// Does one thing to many documents, in batches: with progress, what failed and why, and the way back.
import type { Client } from '../../api/client.ts';
import { randomId } from '../../api/random-id.ts';
import { toSentence } from '../../api/sentence.ts';
import {
  type BulkAction,
  type BulkOperation,
  type BulkResult,
  type BulkStep,
  toReason,
  toStep,
} from './bulk-actions.ts';
import type { SelectedDocument } from './selection.ts';

export interface BulkFailure {
  document: SelectedDocument;
  reason: string;
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
  const done: BulkStep[] = [];
  const failures: BulkFailure[] = [];
  let unchanged = 0;
  for (let at = 0; at < documents.length && !run.signal.aborted; at += BATCH) {
    const batch = documents.slice(at, at + BATCH);
    try {
      const targets = action.kind === 'tag' ? await withTags(batch, run) : batch;
      const steps = targets.flatMap((target) => toStep(action, target) ?? []);
      unchanged += batch.length - steps.length;
      const results = await send(
        steps.map(({ operation }) => operation),
        run,
      );
      steps.forEach((step, index) => {
        const reason = toReason(results[index] ?? { status: 500 });
        if (reason === undefined) done.push(step);
        else failures.push({ document: step.target, reason });
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
  if (action.kind === 'delete') return restoreAll(done, run);
  const failures: BulkFailure[] = [];
  const undone: BulkStep[] = [];
  for (let at = 0; at < done.length && !run.signal.aborted; at += BATCH) {
    const steps = done.slice(at, at + BATCH).filter(({ undo }) => undo !== undefined);
    try {
      const operations =
        action.kind === 'tag' ? await withoutTags(action.tags, steps, run) : steps.map(({ undo }) => undo!);
      const results = await send(operations, run);
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

async function send(
  operations: readonly BulkOperation[],
  { request, collection }: BulkRun,
): Promise<readonly BulkResult[]> {
  if (operations.length === 0) return [];
  const url = `/api/cms/${encodeURIComponent(collection)}/bulk`;
  const headers = { 'Idempotency-Key': randomId() };
  const { data } = await request<{ results: readonly BulkResult[] }>('POST', url, { body: { operations }, headers });
  return data.results;
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

interface Trashed {
  id: string;
  commit: string;
}

const TRASH_PAGE = 500;

async function restoreAll(done: readonly BulkStep[], run: BulkRun): Promise<BulkReport> {
  const { request, collection, signal, onProgress } = run;
  const waiting = new Map(done.map((step) => [step.target.id, step]));
  const failures: BulkFailure[] = [];
  const undone: BulkStep[] = [];
  try {
    const commits = await readTrash(new Set(waiting.keys()), run);
    for (const [id, step] of waiting) {
      if (signal.aborted) break;
      const commit = commits.get(id);
      if (commit === undefined) continue;
      try {
        const url = `/api/cms/${encodeURIComponent(collection)}/${encodeURIComponent(id)}/restore`;
        await request('POST', url, { body: { commit } });
        undone.push(step);
      } catch (error) {
        failures.push({ document: step.target, reason: toSentence(error) });
      }
      onProgress(undone.length + failures.length);
    }
  } catch (error) {
    failures.push(...done.map(({ target }) => ({ document: target, reason: toSentence(error) })));
  }
  return { done: undone, unchanged: 0, failures };
}

/** The commits of these deletions; the newest are first in the trash. */
async function readTrash(ids: ReadonlySet<string>, { request }: BulkRun): Promise<Map<string, string>> {
  const commits = new Map<string, string>();
  for (let offset = 0; commits.size < ids.size; offset += TRASH_PAGE) {
    const url = `/api/admin/trash?limit=${TRASH_PAGE}&offset=${offset}`;
    const { data } = await request<{ documents: readonly Trashed[] }>('GET', url);
    for (const { id, commit } of data.documents) if (ids.has(id) && !commits.has(id)) commits.set(id, commit);
    if (data.documents.length < TRASH_PAGE) break;
  }
  return commits;
}
