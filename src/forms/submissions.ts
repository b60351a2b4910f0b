// The submissions of a site's forms: one JSON file each at `_data/submissions/<form>/<id>.json`, replaced as a whole,
// and an index of each form in memory, computed from its files at the first request. Forms that the configuration no
// longer has keep their submissions.
import type { DataFolder } from '../data/data-folder.ts';
import type { Logger } from '../lib/logger.ts';
import { createNews, type News } from '../lib/queues/news.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import { AT_ONCE, createStoredSubmissions } from './stored-submissions.ts';
import { isFormName, isSubmissionId, type Submission, type SubmissionStatus, timeOfId } from './submission.ts';
import { type Box, createBox } from './submission-box.ts';
import { EXTENSION, listIds } from './submission-files.ts';
import type { StatusCounts } from './submission-index.ts';

export interface ListOptions {
  status?: SubmissionStatus | undefined;
  /** All of them if absent. */
  limit?: number | undefined;
  offset?: number | undefined;
}

export interface Submissions {
  /**
   * Durable once it resolves. `announce` is called once the file is durable and before the submission is listed. If it
   * throws, or the disk is full (`storage_full`), nothing is left of the submission.
   */
  add(
    form: string,
    sent: Pick<Submission, 'data' | 'ipHash' | 'userAgent'>,
    announce?: (submission: Submission) => Promise<void>,
  ): Promise<Submission>;
  /** Newest first; `total` counts all with that status. */
  list(form: string, options?: ListOptions): Promise<{ submissions: Submission[]; total: number }>;
  /** Ids of the newest, without what they say. */
  ids(form: string, options: { status?: SubmissionStatus | undefined; limit: number }): Promise<string[]>;
  /** Newest first, read a few at a time: for exports. */
  each(form: string, status?: SubmissionStatus): AsyncGenerator<Submission>;
  /** Undefined for an unknown form or id; any text is safe to pass. */
  find(form: string, id: string): Promise<Submission | undefined>;
  /** Returns the changed submission; undefined if it does not exist. */
  setStatus(form: string, id: string, status: SubmissionStatus): Promise<Submission | undefined>;
  /** Returns the removed submission; undefined if it did not exist. */
  remove(form: string, id: string): Promise<Submission | undefined>;
  counts(form: string): Promise<StatusCounts>;
  /** When the newest submission arrived, as ISO 8601; undefined for an empty form. */
  lastAt(form: string): Promise<string | undefined>;
  /** Every field of any submission, including submissions that were removed since the index was computed. */
  fields(form: string): Promise<string[]>;
  /** Names of the forms that have received submissions, configured or not. */
  forms(): Promise<string[]>;
  /** The submissions since then, in no order. Does not wait for the index, because the limit needs them at once. */
  since(form: string, atMs: number): Promise<Submission[]>;
  /** Reads the files again after something else changed them (a restored backup). */
  reload(): void;
}

export interface SubmissionsParts {
  /** `_data/submissions`. */
  folder: DataFolder;
  now(): Date;
  newId(atMs: number): string;
  /** Durable before the file is removed. */
  noteRemoved?(submission: Submission): Promise<void>;
  logger: Pick<Logger, 'warn'>;
}

export function createSubmissions({ folder, now, newId, noteRemoved, logger }: SubmissionsParts): Submissions {
  const boxes = new Map<string, Box>();
  const { folderOf, check, read, readAll, write, forget } = createStoredSubmissions(folder, logger);
  /** The index of a form; undefined if `form` cannot be the name of a form. */
  async function open(form: string): Promise<Box | undefined> {
    if (!isFormName(form)) return undefined;
    const box = boxes.get(form) ?? createBox(folderOf(form).path, (id, text) => check(form, id, text));
    boxes.set(form, box);
    try {
      await box.ready;
    } catch (error) {
      if (boxes.get(form) === box) boxes.delete(form);
      throw error;
    }
    return box;
  }

  const change = createTurns();
  let lastMs = 0;

  return {
    async add(form, { data, ipHash, userAgent }, announce) {
      const at = now();
      // Later than the previous one, so that submissions are listed in order of arrival.
      lastMs = Math.max(at.getTime(), lastMs + 1);
      const id = newId(lastMs);
      const submission: Submission = {
        id,
        form,
        data,
        status: 'new',
        ipHash,
        userAgent,
        createdAt: at.toISOString(),
      };
      await write(submission);
      try {
        await announce?.(submission);
      } catch (error) {
        await folderOf(form).remove(id + EXTENSION);
        boxes.get(form)?.delete(id);
        throw error;
      }
      boxes.get(form)?.put(submission);
      return submission;
    },
    async list(form, { status, limit, offset } = {}) {
      const box = await open(form);
      if (!box) return { submissions: [], total: 0 };
      const { index } = box;
      const ids = index.page({ status, ...(limit === undefined ? {} : { limit }), offset: offset ?? 0 });
      const counts = index.counts();
      const total = status === undefined ? counts.new + counts.read + counts.archived : counts[status];
      return { submissions: await readAll(form, ids), total };
    },
    ids: async (form, options) => (await open(form))?.index.page(options) ?? [],
    async *each(form, status) {
      const ids = (await open(form))?.index.page({ status }) ?? [];
      for (let at = 0; at < ids.length; at += AT_ONCE) yield* await readAll(form, ids.slice(at, at + AT_ONCE));
    },
    async find(form, id) {
      return isFormName(form) && isSubmissionId(id) ? read(form, id) : undefined;
    },
    async setStatus(form, id, status) {
      if (!isFormName(form) || !isSubmissionId(id)) return undefined;
      return change(form, id, async () => {
        const found = await read(form, id);
        if (!found || found.status === status) return found;
        const readAt = found.readAt ?? (status === 'read' ? now().toISOString() : undefined);
        const changed = { ...found, status, ...(readAt ? { readAt } : {}) };
        await write(changed);
        boxes.get(form)?.put(changed);
        return changed;
      });
    },
    async remove(form, id) {
      if (!isFormName(form) || !isSubmissionId(id)) return undefined;
      return change(form, id, async () => {
        const found = await read(form, id);
        if (found) await noteRemoved?.(found);
        if (!found || !(await folderOf(form).remove(id + EXTENSION))) return undefined;
        boxes.get(form)?.delete(id);
        return found;
      });
    },
    async counts(form) {
      return (await open(form))?.index.counts() ?? { new: 0, read: 0, archived: 0 };
    },
    async lastAt(form) {
      const ms = (await open(form))?.index.lastMs();
      return ms === undefined ? undefined : new Date(ms).toISOString();
    },
    async fields(form) {
      return [...((await open(form))?.fields ?? [])];
    },
    forms: async () => (await folder.folders()).filter(isFormName),
    async since(form, atMs) {
      if (!isFormName(form)) return [];
      const ids = await listIds(folderOf(form).path, createBreathe());
      const found = await readAll(
        form,
        ids.filter((id) => (timeOfId(id) ?? 0) >= atMs),
      );
      return found.filter(({ createdAt }) => Date.parse(createdAt) >= atMs);
    },
    reload() {
      boxes.clear();
      // Folders may be gone as well; the next write to each creates it again.
      forget();
    },
  };
}

export interface AllOptions {
  status?: SubmissionStatus | undefined;
  limit: number;
  offset: number;
}

/** Those of all forms as one list, newest first. Reads only the files of the page. */
export async function listAllSubmissions(
  submissions: Pick<Submissions, 'forms' | 'ids' | 'counts' | 'find'>,
  { status, limit, offset }: AllOptions,
): Promise<{ submissions: Submission[]; total: number }> {
  const forms = await submissions.forms();
  const newest = await Promise.all(
    forms.map(async (form) => {
      const ids = await submissions.ids(form, { status, limit: offset + limit });
      return ids.map((id) => ({ form, id }));
    }),
  );
  const counts = await Promise.all(forms.map((form) => submissions.counts(form)));
  const total = counts.reduce(
    (sum, count) => sum + (status === undefined ? count.new + count.read + count.archived : count[status]),
    0,
  );
  // An id begins with its time.
  const page = newest.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
  const found = await Promise.all(page.slice(offset, offset + limit).map(({ form, id }) => submissions.find(form, id)));
  return { submissions: found.filter((one) => one !== undefined), total };
}

/** Changes of one submission wait for each other. */
function createTurns() {
  const changing = new Map<string, Promise<unknown>>();

  return async <T>(form: string, id: string, work: () => Promise<T>): Promise<T> => {
    const key = `${form}/${id}`;
    const before = changing.get(key);
    const done = (before ?? Promise.resolve()).then(work, work);
    changing.set(key, done);
    try {
      return await done;
    } finally {
      if (changing.get(key) === done) changing.delete(key);
    }
  };
}

/** What happens to a submission, for pages that are open: nothing of what it says. */
export interface SubmissionNews {
  form: string;
  id: string;
  change: 'received' | 'changed' | 'removed';
  status: SubmissionStatus;
}

/** The same submissions, whose changes are reported once they are durable. */
export function withNews(submissions: Submissions): {
  submissions: Submissions;
  listen: News<SubmissionNews>['listen'];
} {
  const { report, listen } = createNews<SubmissionNews>();
  const note = <S extends Submission | undefined>(change: SubmissionNews['change'], submission: S): S => {
    if (submission) report({ form: submission.form, id: submission.id, change, status: submission.status });
    return submission;
  };
  return {
    listen,
    submissions: {
      ...submissions,
      add: async (...given) => note('received', await submissions.add(...given)),
      setStatus: async (...given) => note('changed', await submissions.setStatus(...given)),
      remove: async (...given) => note('removed', await submissions.remove(...given)),
    },
  };
}
