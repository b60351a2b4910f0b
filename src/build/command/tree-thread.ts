// The thread of a build as the service sees it.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../lib/sibling.ts';
import { BuildError, type SiteFile } from '../build.ts';
import type { ThreadAnswer, ThreadOrder } from './order.ts';
import { throwIfCancelled } from './run-command.ts';
import type { WriteTreeOrder, WrittenTree } from './write-tree.ts';

export interface TreeThread extends AsyncDisposable {
  writeTree(order: WriteTreeOrder): Promise<WrittenTree>;
  /** @throws BuildError if there is no output, or some of it cannot be published */
  takeOutput(tree: string, outDir: string, target: string): Promise<SiteFile[]>;
}

/** Aborting the signal ends the thread in the middle of its work. */
export function startTreeThread(repository: string, signal: AbortSignal): TreeThread {
  const worker = new Worker(siblingUrl(import.meta.url, './tree-worker'), {
    workerData: { repository },
    // What it reads is short-lived, and large compared with its heap.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  worker.unref();
  // An error while nothing is asked; whoever asks next gets none of it, but an end without an answer.
  worker.on('error', () => undefined);
  const over = new AbortController();
  worker.once('exit', () => over.abort(new Error('the thread of a build ended before its answer')));

  async function ask(order: ThreadOrder): Promise<ThreadAnswer> {
    const cut = AbortSignal.any([signal, over.signal]);
    const answered = once(worker, 'message', { signal: cut });
    worker.postMessage(order);
    try {
      const [answer] = (await answered) as [ThreadAnswer];
      if ('refused' in answer) throw new BuildError(answer.refused);
      return answer;
    } catch (error) {
      throwIfCancelled(signal);
      throw over.signal.aborted ? over.signal.reason : error;
    }
  }

  return {
    async writeTree(order) {
      const answer = await ask({ kind: 'write', ...order });
      return (answer as Extract<ThreadAnswer, { written: unknown }>).written;
    },
    async takeOutput(tree, outDir, target) {
      const answer = await ask({ kind: 'take', tree, outDir, target });
      return (answer as Extract<ThreadAnswer, { files: unknown }>).files;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
