// The second thread of a build: makes chunks of pages until none is left, and writes them to where they wait.
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { RenderNews, RenderOrder } from './render-order.ts';

const order = workerData as RenderOrder;
// Node reports its own subfolder of the folder that was passed to `enableCompileCache`.
if (order.compiled) enableCompileCache(path.dirname(order.compiled));

function send(news: RenderNews): void {
  parentPort?.postMessage(news);
}

try {
  const { renderChunks } = await import('./render-chunks.ts');
  await renderChunks(order, send);
  send({ isEnd: true });
} catch (error) {
  const { message, stack, code } = error as NodeJS.ErrnoException;
  send({ error: { message, stack, code } });
}
