// The remote's thread. Answers each question with one message; one question at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { createRemoteEnd, type RemoteEndOptions } from './end.ts';
import { RemoteError } from './error.ts';
import type { RemoteQuestion, RemoteReply } from './thread.ts';

const end = createRemoteEnd(workerData as RemoteEndOptions);

parentPort?.on('message', async ({ method, args }: RemoteQuestion) => {
  parentPort?.postMessage(await answer(method, args));
});

async function answer(method: RemoteQuestion['method'], args: unknown[]): Promise<RemoteReply> {
  try {
    return { result: await (end[method] as (...args: unknown[]) => Promise<unknown>)(...args) };
  } catch (error) {
    const failure = error instanceof RemoteError ? error.failure : 'failed';
    return { error: { failure, message: (error as Error).message } };
  }
}
