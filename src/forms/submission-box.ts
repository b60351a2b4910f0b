// A form's index and the names of all fields that it was sent, made of its files while requests go on.
import { createBreathe } from '../lib/queues/slices.ts';
import { type Submission, timeOfId } from './submission.ts';
import { listIds, readNow, sortIds } from './submission-files.ts';
import { createSubmissionIndex, type SubmissionIndex } from './submission-index.ts';

/** A form's index while it is made and after; what changes meanwhile is newer than what is read from the disk. */
export interface Box {
  index: SubmissionIndex;
  fields: ReadonlySet<string>;
  ready: Promise<void>;
  put(submission: Submission): void;
  delete(id: string): void;
}

/** `check` gives what a file's text says; undefined, told by then, where it is damaged. */
export function createBox(folder: string, check: (id: string, text: string) => Submission | undefined): Box {
  const index = createSubmissionIndex();
  /** While it is made: what must not come back from a file that was read before. */
  let removed: Set<string> | undefined = new Set();
  const fields = new Set<string>();
  const put = ({ id, status, createdAt, data }: Submission): void => {
    index.put({ id, status, atMs: timeOfId(id) ?? Date.parse(createdAt) });
    for (const field of Object.keys(data)) fields.add(field);
  };

  async function load(): Promise<void> {
    const breathe = createBreathe();
    // Ids sort by their time: each is put at the end.
    for (const id of await sortIds(await listIds(folder, breathe), breathe)) {
      await breathe();
      if (index.has(id) || removed?.has(id)) continue;
      const text = readNow(folder, id);
      const found = text === undefined ? undefined : check(id, text);
      if (found) put(found);
    }
    removed = undefined;
  }

  return {
    index,
    fields,
    ready: load(),
    put,
    delete(id) {
      removed?.add(id);
      index.delete(id);
    },
  };
}
