// The thread of `search-thread.ts`: reads the documents by itself, and ends with the files.
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchNews, SearchThreadOrder } from './search-thread.ts';

const { repository, compiled, ...order } = workerData as SearchThreadOrder;
// Node reports its own subfolder of the folder that was passed to `enableCompileCache`.
if (compiled) enableCompileCache(path.dirname(compiled));

const { nodeDisk } = await import('../../store/disk/disk.ts');
const { createOdb } = await import('../../store/repository/odb.ts');
const { createDocumentReader } = await import('./read/document-reader.ts');
const { makeSearch } = await import('./make-search.ts');

let news: SearchNews;
const odb = createOdb(nodeDisk, repository);
try {
  // Each document is read once.
  news = { files: makeSearch(order, createDocumentReader(odb, 0)) };
} catch (error) {
  const { message, stack, code } = error as NodeJS.ErrnoException;
  news = { error: { message, stack, code } };
} finally {
  odb.close();
}
parentPort?.postMessage(news);
