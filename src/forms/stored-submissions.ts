// Reads and writes submissions as files, one by one or a few at a time.
import type { DataFolder } from '../data/data-folder.ts';
import { parseSubmission, type Submission, SubmissionRecord } from './submission.ts';
import { EXTENSION } from './submission-files.ts';

export interface StoredSubmissions {
  folderOf(form: string): DataFolder;
  /** Parses a file's text; if it is damaged, logs that and returns undefined. */
  check(form: string, id: string, text: string): Submission | undefined;
  /** Undefined if the file is gone or damaged. */
  read(form: string, id: string): Promise<Submission | undefined>;
  /** Skips files that are gone or damaged. */
  readAll(form: string, ids: readonly string[]): Promise<Submission[]>;
  /** Durable once it resolves. */
  write(submission: Submission): Promise<void>;
  /** Call it if folders may be gone; each is created again with the next write to it. */
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
    logger.warn({ form, submission: id }, 'a submission is damaged and was skipped; its file is kept');
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
    // Parsed to put the keys into the schema's order.
    const text = JSON.stringify(SubmissionRecord.parse(submission), null, 2);
    return folderOf(submission.form).write(submission.id + EXTENSION, `${text}\n`);
  }

  return { folderOf, check, read, readAll, write, forget: () => folders.clear() };
}
