// Submissions as files, read and written one by one or a few at a time.
import type { DataFolder } from '../data/data-folder.ts';
import { parseSubmission, type Submission, SubmissionRecord } from './submission.ts';
import { EXTENSION } from './submission-files.ts';

export interface StoredSubmissions {
  folderOf(form: string): DataFolder;
  /** What a file's text says; undefined, and reported in the log, if it is damaged. */
  check(form: string, id: string, text: string): Submission | undefined;
  /** Undefined if it is gone or damaged. */
  read(form: string, id: string): Promise<Submission | undefined>;
  /** Without those that are gone or damaged. */
  readAll(form: string, ids: readonly string[]): Promise<Submission[]>;
  /** Durable once it resolves. */
  write(submission: Submission): Promise<void>;
  /** The folders may be gone; each is made again when it is written to. */
  forget(): void;
}

/** Files read at a time. */
export const AT_ONCE = 16;

export function createStoredSubmissions(
  folder: DataFolder,
  logger: { warn(details: object, message: string): void },
): StoredSubmissions {
  const folders = new Map<string, DataFolder>();

  function folderOf(form: string): DataFolder {
    const found = folders.get(form) ?? folder.folder(form);
    folders.set(form, found);
    return found;
  }

  async function read(form: string, id: string): Promise<Submission | undefined> {
    const bytes = await folderOf(form).read(id + EXTENSION);
    return bytes && check(form, id, bytes.toString('utf8'));
  }

  function check(form: string, id: string, text: string): Submission | undefined {
    const found = parseSubmission(text);
    if (found?.id === id && found.form === form) return found;
    logger.warn({ form, submission: id }, 'a submission is damaged and left out; its file is kept');
    return undefined;
  }

  async function readAll(form: string, ids: readonly string[]): Promise<Submission[]> {
    const found: (Submission | undefined)[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      found.push(...(await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => read(form, id)))));
    }
    return found.filter((one) => one !== undefined);
  }

  function write(submission: Submission): Promise<void> {
    // Parsed, so that the keys stand in the schema's order.
    const text = JSON.stringify(SubmissionRecord.parse(submission), null, 2);
    return folderOf(submission.form).write(submission.id + EXTENSION, `${text}\n`);
  }

  return { folderOf, check, read, readAll, write, forget: () => folders.clear() };
}
