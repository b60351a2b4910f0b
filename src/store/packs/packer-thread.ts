// Runs the packer in a thread of its own, and what else has to be synced: deflate, the packs' checksums and the syncs of
// refs then cost the writers nothing, and a disk that does not answer holds up nobody who reads. The thread starts with the
// first of it, and anew after it died. A batch crosses as one JSON text and one transferred buffer.
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
  /** Puts a pack's newest commit under the branch. Not while a batch is packed. */
  finish(step: PublishStep): Promise<PublishOutcome>;
  /** Takes a step behind what was asked before it. */
  work: DiskWork;
  /** The next batch brings all its bases. */
  reset(): void;
  /** Packs that a later batch's will replace. */
  openPacks(): readonly string[];
  /** The next batch begins a new pack. */
  seal(): void;
  /** It has no replicas: the next batch brings all its bases. */
  isEmpty(): boolean;
  close(): Promise<void>;
}

/**
 * A thread that nobody asked anything for so long ends, and its memory with it. The next batch begins another pack, as it
 * would if the open one had been merged with others by then: that is done after as long.
 */
const IDLE_MS = 30_000;
/** One that was started for something else than a batch has nothing to keep; steps that belong together follow at once. */
const EMPTY_IDLE_MS = 100;

/**
 * The thread ended in the middle of a batch, which changed nothing that is in use, or of something else, of which a lock may
 * be left: another one may try again.
 */
export const PACKER_DIED = 'ERR_PACKER_DIED';

/** The branch goes from one commit to another, which the pack brings. */
export interface PublishStep {
  from: Oid | null;
  to: Oid;
  pack: PackResult;
  /** See Branch.move. */
  isLogged: boolean;
}

/** As of moving a branch; `gone` where it was moved and somebody had removed the pack before. */
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
  /** Said once, when the thread has begun. */
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
    // `git repack -ad` drops what no ref reaches: our pack too, where it looked before the branch moved.
    if (!disk.stat(path.join(folder, `${pack.name}.idx`))) return 'gone';
    releasePack(disk, folder, pack.name);
    return 'moved';
  };
}

/** In the same thread: for tests that watch every disk operation. */
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
  /** The thread died between two batches, and what it knew of the directories with it. */
  let hasForgotten = false;
  let open: readonly string[] = [];
  let worker: Worker | undefined;
  let isEmpty = true;
  let idle: NodeJS.Timeout | undefined;
  /** What the thread was asked and has not answered, in that order. */
  let waiting: Asked[] = [];
  /** Ends with the last of it. */
  let last: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const started = new Worker(script, {
      workerData: { folder },
      resourceLimits: { maxYoungGenerationSizeMb: 32 }, // batches are short-lived, and it ends when there are none
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
        started.unref(); // only what is under way keeps the process up
        idle = setTimeout(endIdle, isEmpty ? Math.min(idleMs, EMPTY_IDLE_MS) : idleMs).unref();
      }
    });
    started.on('error', (error) => (cause = error));
    started.on('exit', () => {
      if (worker !== started) return; // it was ended
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
    last = answer.catch(() => undefined); // told to whoever asked for it
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

/** Without descriptors or memory a thread ends before it has read its own modules, in words that name no code. */
function notStarted(cause: unknown): Error {
  return Object.assign(new Error('packer thread cannot start', { cause }), { code: 'ERR_WORKER_INIT_FAILED' });
}
