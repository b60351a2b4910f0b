// The thread of `intact-files.ts`: looks at each file of the list.
import { workerData } from 'node:worker_threads';
import { parseFileList } from './file-list.ts';
import { DIFFERENT, INTACT, type IntactOrder, looksIntact } from './intact-files.ts';

const { folder, list, found } = workerData as IntactOrder;
const marks = new Uint8Array(found);
let place = 0;
for (const [file, made] of parseFileList(list)?.files ?? []) {
  Atomics.store(marks, place++, looksIntact(folder, file, made) ? INTACT : DIFFERENT);
}
