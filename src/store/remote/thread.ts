// Runs the remote's end in a thread of its own, so that the network, the packs and the walks cost writers and readers
// nothing. A question that takes too long is ended with its thread, which frees every connection and all its memory;
// the next question starts another one.
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../lib/sibling.ts';
import type { RemoteEnd, RemoteEndOptions } from './end.ts';
import { RemoteError, type RemoteFailure } from './error.ts';

type Method = 'look' | 'fetch' | 'push' | 'listPointers';

export interface RemoteQuestion {
  method: Method;
  args: unknown[];
}

export type RemoteReply = { result: unknown } | { error: { failure: RemoteFailure; message: string } };

/** Limits even for a host that keeps answering slowly. Whole histories of large sites take minutes. */
const LONGEST_MS: Record<Method, number> = {
  look: 2 * 60_000,
  fetch: 30 * 60_000,
  push: 30 * 60_000,
  listPointers: 10 * 60_000,
};
/** Limit of the thread's heap. Packs and objects are outside of it, one record for each object is inside. */
const HEAP_MB = 512;

export function createThreadRemoteEnd(options: RemoteEndOptions, longestMs = LONGEST_MS): RemoteEnd {
  let worker: Worker | undefined;
  let isClosed = false;
  let waiting: { resolve(result: unknown): void; reject(error: RemoteError): void } | undefined;

  function start(): Worker {
    const started = new Worker(siblingUrl(import.meta.url, './remote-worker'), {
      workerData: options,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    let cause = 'the thread ended';
    started.on('message', (reply: RemoteReply) => {
      if ('result' in reply) settle((asked) => asked.resolve(reply.result));
      else settle((asked) => asked.reject(new RemoteError(reply.error.failure, reply.error.message)));
    });
    started.on('error', (error) => (cause = error.message));
    started.on('exit', () => {
      if (worker !== started) return;
      worker = undefined;
      settle((asked) => asked.reject(new RemoteError('failed', `the transfer broke off: ${cause}`)));
    });
    started.unref();
    return started;
  }

  function settle(how: (asked: NonNullable<typeof waiting>) => void): void {
    const asked = waiting;
    waiting = undefined;
    worker?.unref(); // only an open question keeps the process alive
    if (asked) how(asked);
  }

  function ask<T>(method: Method, ...args: unknown[]): Promise<T> {
    if (isClosed) return Promise.reject(closed());
    if (waiting) throw new Error('the remote is asked one thing at a time');
    worker ??= start();
    const asked = worker;
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(
        () => end(new RemoteError('failed', 'the host took too long')),
        longestMs[method],
      ).unref();
      waiting = {
        resolve(result) {
          clearTimeout(timer);
          resolve(result as T);
        },
        reject(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      asked.ref();
      asked.postMessage({ method, args } satisfies RemoteQuestion);
    });
  }

  async function end(reason: RemoteError): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
    settle((asked) => asked.reject(reason));
  }

  return {
    look: () => ask('look'),
    fetch: (theirs, ours, seen) => ask('fetch', theirs, ours, seen),
    push: (from, to, mayOverwrite) => ask('push', from, to, mayOverwrite),
    listPointers: (from, to, page) => ask('listPointers', from, to, page),
    close() {
      isClosed = true;
      return end(closed());
    },
  };
}

function closed(): RemoteError {
  return new RemoteError('failed', 'the service is shutting down');
}
