// The thread of `search-thread.ts`: reads the documents by itself, and ends with the files.
import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk } from '../../store/disk/disk.ts';
import { createOdb } from '../../store/repository/odb.ts';
import { makeSearch } from './make-search.ts';
import { createDocumentReader } from './read/document-reader.ts';
import type { SearchNews, SearchThreadOrder } from './search-thread.ts';

const { repository, ...order } = workerData as SearchThreadOrder;
let news: SearchNews;
const odb = createOdb(nodeDisk, repository);
try {
  // Each document is read once.
  news = { files: makeSearch(order, createDocumentReader(odb, order, 0)) };
} catch (error) {
  const { message, stack, code } = error as NodeJS.ErrnoException;
  news = { error: { message, stack, code } };
} finally {
  odb.close();
}
parentPort?.postMessage(news);
