// Runs the packer, and other work that ends with a sync, in a separate thread: deflate, the packs' checksums and the
// syncs of refs then cost the writers nothing, and a disk that does not answer delays no reader. The thread starts with
// the first request, and again if it has died. A batch is sent as one JSON text and one transferred buffer.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { isCode } from '../../lib/error-code.ts';
import { ServiceError } from '../../lib/errors.ts';
import { siblingUrl } from '../../lib/sibling.ts';
import { type Disk, nodeDisk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import type { DiskWork, FlatBatch } from '../repository/disk-work.ts';
import { releasePack } from '../repository/pack-files.ts';
import { createBranch, settleRefs } from '../repository/refs.ts';
import { createInlineWork, type DiskStep } from './disk-work.ts';
import { flattenBatch } from './flat-batch.ts';
import { createPacker, type PackBatch, type PackResult } from './packer.ts';

export interface AsyncPacker {
  /** One batch at a time. */
  pack(batch: PackBatch): Promise<PackResult>;
  /** Moves the branch to a pack's newest commit. Not to be called while a batch is packed. */
  finish(step: PublishStep): Promise<PublishOutcome>;
  /** Runs a step after all earlier requests. */
  work: DiskWork;
  /** Forgets replicas and the open pack: the next batch must bring all its bases. */
  reset(): void;
  /** Packs that the pack of a later batch will replace. */
  openPacks(): readonly string[];
  /** Closes the open pack: the next batch begins a new one. */
  seal(): void;
  /** Returns true if the thread has no replicas: the next batch must bring all its bases. */
  isEmpty(): boolean;
  close(): Promise<void>;
}

/**
 * An idle thread ends after this time, which frees its memory. The next batch begins another pack; the open pack would
 * be merged with others after the same time anyway.
 */
const IDLE_MS = 30_000;
/**
 * A thread that was started for something other than a batch keeps no state; steps that belong together follow at once.
 */
const EMPTY_IDLE_MS = 100;

/**
 * The thread died. A batch under way has changed nothing that is in use; another step may have left a lock. The request
 * may be tried again.
 */
export const PACKER_DIED = 'ERR_PACKER_DIED';

/** Moves the branch from one commit to another, which the pack contains. */
export interface PublishStep {
  from: Oid | null;
  to: Oid;
  pack: PackResult;
  /** See Branch.move. */
  isLogged: boolean;
}

/** The outcome of moving a branch; `gone` if it was moved but another process had removed the pack before. */
export type PublishOutcome = 'moved' | 'changed' | 'locked' | 'gone';

export type PackerMessage =
  | { kind: 'pack'; batch: FlatBatch }
  | { kind: 'finish'; step: PublishStep }
  | { kind: 'work'; step: DiskStep }
  | { kind: 'reset' }
  | { kind: 'seal' };
interface Asked {
  kind: 'pack' | 'finish' | 'work';
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

export type PackerReply =
  /** Sent once, when the thread has started. */
  | { isReady: true }
  | { result: PackResult }
  | { outcome: PublishOutcome }
  | { done: unknown }
  | { error: { message: string; code?: string | undefined; isRefusal: boolean } };

/** `folder` is the repository's folder of packs. */
export function createFinish(disk: Disk, folder: string): (step: PublishStep) => PublishOutcome {
  const branch = createBranch(disk, path.dirname(path.dirname(folder)));
  return ({ from, to, pack, isLogged }) => {
    const outcome = branch.move(from, to, { isLogged });
    if (outcome !== 'moved') return outcome;
    // `git repack -ad` drops what no ref reaches: our pack too, if it looked before the branch moved.
    if (!disk.stat(path.join(folder, `${pack.name}.idx`))) return 'gone';
    releasePack(disk, folder, pack.name);
    return 'moved';
  };
}

/** Runs in the calling thread: for tests that watch every disk operation. */
export function createInlinePacker(disk: Disk, folder: string): AsyncPacker {
  const packer = createPacker(disk, folder);
  const finish = createFinish(disk, folder);
  let open: readonly string[] = [];
  return {
    pack: async (batch) => {
      const result = packer.pack(batch);
      open = result.open;
      return result;
    },
    finish: async (step) => finish(step),
    work: createInlineWork(disk, path.dirname(path.dirname(folder))),
    reset() {
      open = [];
      packer.reset();
    },
    openPacks: () => open,
    seal() {
      open = [];
      packer.seal();
    },
    isEmpty: () => false,
    close: async () => undefined,
  };
}

export function createThreadPacker(
  folder: string,
  script: URL = siblingUrl(import.meta.url, './packer-worker'),
  idleMs = IDLE_MS,
): AsyncPacker {
  const repository = path.dirname(path.dirname(folder));
  /** The thread died between two batches, and its replicas of the directories are lost. */
  let hasForgotten = false;
  let open: readonly string[] = [];
  let worker: Worker | undefined;
  let isEmpty = true;
  let idle: NodeJS.Timeout | undefined;
  /** Requests without a reply, oldest first. */
  let waiting: Asked[] = [];
  /** Resolves with the last request. */
  let last: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const started = new Worker(script, {
      workerData: { folder },
      resourceLimits: { maxYoungGenerationSizeMb: 32 }, // batches are short-lived, and an idle thread ends
    });
    let cause: unknown;
    let isReady = false;
    started.on('message', (reply: PackerReply) => {
      if ('isReady' in reply) {
        isReady = true;
        return;
      }
      const asked = waiting.shift();
      if ('result' in reply) {
        open = reply.result.open;
        isEmpty = false;
        asked?.resolve(reply.result);
      } else if ('outcome' in reply) asked?.resolve(reply.outcome);
      else if ('done' in reply) asked?.resolve(reply.done);
      else asked?.reject(toError(reply.error));
      if (waiting.length === 0) {
        started.unref(); // only requests under way keep the process alive
        idle = setTimeout(endIdle, isEmpty ? Math.min(idleMs, EMPTY_IDLE_MS) : idleMs).unref();
      }
    });
    started.on('error', (error) => (cause = error));
    started.on('exit', () => {
      if (worker !== started) return; // we ended it
      worker = undefined;
      open = [];
      const asked = waiting;
      waiting = [];
      const hasStarted = isReady || cause === undefined;
      hasForgotten = !asked.some(({ kind }) => kind !== 'work') || !hasStarted;
      for (const { reject } of asked) reject(hasStarted ? died(cause) : notStarted(cause));
    });
    started.unref();
    return started;
  }

  function endIdle(): void {
    if (!worker) return;
    const ended = worker;
    worker = undefined;
    open = [];
    isEmpty = true;
    void ended.terminate();
  }

  function ask<T>(message: Extract<PackerMessage, { kind: Asked['kind'] }>, moved: ArrayBuffer[] = []): Promise<T> {
    clearTimeout(idle);
    const target = (worker ??= start());
    const answer = new Promise<T>((resolve, reject) => {
      waiting.push({ kind: message.kind, resolve: resolve as (answer: unknown) => void, reject });
      target.ref();
      target.postMessage(message, moved);
    });
    last = answer.catch(() => undefined); // the caller gets the error
    return answer;
  }

  return {
    async pack(batch) {
      if (hasForgotten) {
        hasForgotten = false;
        throw died();
      }
      const flat = flattenBatch(batch);
      return ask<PackResult>({ kind: 'pack', batch: flat }, [flat.bytes.buffer as ArrayBuffer]);
    },
    finish: (step) => ask<PublishOutcome>({ kind: 'finish', step }),
    async work(name, ...args) {
      try {
        return await ask({ kind: 'work', step: { name, args } });
      } catch (error) {
        if (!isCode(error, PACKER_DIED)) throw error;
        settleRefs(nodeDisk, repository, () => false);
        throw new ServiceError('unavailable', 'content repository cannot be written right now', { cause: error });
      }
    },
    reset() {
      hasForgotten = false;
      open = [];
      worker?.postMessage({ kind: 'reset' } satisfies PackerMessage);
    },
    openPacks: () => open,
    seal() {
      open = [];
      worker?.postMessage({ kind: 'seal' } satisfies PackerMessage);
    },
    isEmpty: () => isEmpty,
    async close() {
      clearTimeout(idle);
      await last;
      await worker?.terminate();
      worker = undefined;
    },
  };
}

function toError({ message, code, isRefusal }: Extract<PackerReply, { error: object }>['error']): Error {
  return isRefusal ? new ServiceError('unavailable', message) : Object.assign(new Error(message), { code });
}

function died(cause?: unknown): Error {
  return Object.assign(new Error('packer thread died', { cause }), { code: PACKER_DIED });
}

/**
 * If descriptors or memory run out, a thread ends before it has loaded its modules, and the error has no useful code.
 */
function notStarted(cause: unknown): Error {
  return Object.assign(new Error('packer thread cannot start', { cause }), { code: 'ERR_WORKER_INIT_FAILED' });
}
