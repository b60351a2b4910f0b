// Changes many submissions, in batches, and remembers what they were.
import type { Client } from '../../api/client.ts';
import { type FormSubmission, type InboxStatus, toSubmissionsUrl } from './form-entry.ts';

export type Marked = Pick<FormSubmission, 'id' | 'status'>;

export interface MarkRun {
  request: Client;
  form: string;
  signal: AbortSignal;
  onProgress(done: number): void;
}

/** An answer takes some tenths of a second, so that the progress is seen. */
export const BATCH = 100;

/** Returns those that were changed, as they were before; ends early when the signal says so. @throws as the requests. */
export async function markMany(
  submissions: readonly Marked[],
  status: InboxStatus | 'deleted',
  run: MarkRun,
  onDone: (changed: readonly Marked[]) => void,
): Promise<void> {
  for (let at = 0; at < submissions.length && !run.signal.aborted; at += BATCH) {
    const batch = submissions.slice(at, at + BATCH);
    const body = { ids: batch.map(({ id }) => id), status };
    const url = `${toSubmissionsUrl(run.form)}/bulk`;
    const { data } = await run.request<{ changed: readonly string[] }>('POST', url, { body });
    const changed = new Set(data.changed);
    onDone(batch.filter(({ id }) => changed.has(id)));
    run.onProgress(at + batch.length);
  }
}

/** Gives each the status that it had. @throws as the requests. */
export async function markBack(before: readonly Marked[], run: MarkRun): Promise<void> {
  let done = 0;
  for (const status of ['new', 'read', 'archived'] as const) {
    const those = before.filter((one) => one.status === status);
    const onProgress = (count: number): void => run.onProgress(done + count);
    await markMany(those, status, { ...run, onProgress }, () => undefined);
    done += those.length;
  }
}

const PAGE = 500;

/** Every submission of the tab, as many as there are. @throws as the requests. */
export async function collectAll(
  { request, form }: Pick<MarkRun, 'request' | 'form'>,
  status: InboxStatus | undefined,
): Promise<Marked[]> {
  const found: Marked[] = [];
  for (;;) {
    const query = new URLSearchParams({ limit: String(PAGE), offset: String(found.length), ...(status && { status }) });
    const url = `${toSubmissionsUrl(form)}?${query}`;
    const { data } = await request<{ submissions: readonly FormSubmission[] }>('GET', url);
    found.push(...data.submissions.map((one) => ({ id: one.id, status: one.status })));
    if (data.submissions.length < PAGE) return found;
  }
}
