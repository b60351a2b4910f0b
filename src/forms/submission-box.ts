// A form's index and the names of all fields that it was sent, computed from its files while requests continue.
import { createBreathe } from '../lib/queues/slices.ts';
import { type Submission, timeOfId } from './submission.ts';
import { listIds, readNow, sortIds } from './submission-files.ts';
import { createSubmissionIndex, type SubmissionIndex } from './submission-index.ts';

/** Usable while the index is being computed: changes made meanwhile win over what is read from the disk. */
export interface Box {
  index: SubmissionIndex;
  fields: ReadonlySet<string>;
  ready: Promise<void>;
  put(submission: Submission): void;
  delete(id: string): void;
}

/** `check` parses a file's text; if it is damaged, it reports that and returns undefined. */
export function createBox(folder: string, check: (id: string, text: string) => Submission | undefined): Box {
  const index = createSubmissionIndex();
  /** While the index is being computed: removed ids, which files that were read before must not bring back. */
  let removed: Set<string> | undefined = new Set();
  const fields = new Set<string>();
  const put = ({ id, status, createdAt, data }: Submission): void => {
    index.put({ id, status, atMs: timeOfId(id) ?? Date.parse(createdAt) });
    for (const field of Object.keys(data)) fields.add(field);
  };

  async function load(): Promise<void> {
    const breathe = createBreathe();
    // Ids sort by time, so each is appended at the end.
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
