// The thread of `preview-thread.ts`: answers one call after another.
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { PreviewCall, PreviewNews, PreviewOrder } from './preview-messages.ts';
import { openPreviewPages } from './preview-page.ts';

// On Linux a thread has a priority of its own; elsewhere this would be the whole process's.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

const pages = openPreviewPages(workerData as PreviewOrder);

async function answer(call: PreviewCall): Promise<PreviewNews> {
  const { id } = call;
  try {
    if (!('make' in call)) return { id, bytes: await pages.file(call.file) };
    const begun = (): void => parentPort?.postMessage({ id, begun: true } satisfies PreviewNews);
    return { id, page: await pages.make(call.make, begun) };
  } catch (error) {
    const { message, stack, code } = error as NodeJS.ErrnoException;
    return { id, error: { message, stack, code } };
  }
}

let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (call: PreviewCall) => {
  last = last.then(async () => parentPort?.postMessage(await answer(call)));
});
