// Writes files into the folder where they wait for the whole site. A few are written here, many in a thread.
import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../../lib/sibling.ts';
import { builderEnv } from '../builder-env.ts';
import type { MadeFile } from './file-list.ts';
import { createFileWriter } from './write-files.ts';

export interface WriteOrder {
  files: { file: string; bytes: Uint8Array }[];
}

/** Bytes that are written, or why they are not. */
export interface WriteNews {
  bytes: number;
  error?: { message: string; code: string | undefined };
}

export interface StagedFiles {
  /** Throws what an earlier file met, too. */
  write(file: string, bytes: Buffer): void;
  copy(file: string, from: string): void;
  /** So many files follow. */
  expect(files: number): void;
  /** Resolves when few files wait to be written; undefined if that is so now. */
  space(): Promise<void> | undefined;
  /** Resolves when all files are written. @throws what one of them met */
  settled(): Promise<void>;
  /** Nothing is written any more once it resolves. */
  close(): Promise<void>;
}

/** As many files are written here, unless more are expected: a thread takes as long to start. */
const FEW_FILES = 300;
const BATCH_BYTES = 256 << 10;
/** No more than this waits in memory. */
const MOST_BYTES = 16 << 20;

export function createStagedFiles(staging: string): StagedFiles {
  const here = createFileWriter(staging);
  let count = 0;
  let worker: Worker | undefined;
  let batch: WriteOrder['files'] = [];
  let batchBytes = 0;
  let sent = 0;
  let problem: unknown;
  const waiting: { below: number; resolve(): void }[] = [];

  function start(): Worker {
    const started = new Worker(siblingUrl(import.meta.url, './write-worker'), {
      workerData: { staging },
      env: builderEnv(),
    });
    started.on('message', ({ bytes, error }: WriteNews) => {
      if (error) fail(Object.assign(new Error(error.message), { code: error.code }));
      sent -= bytes;
      wake();
    });
    started.on('error', fail);
    started.on(
      'exit',
      () => sent > 0 && fail(new Error('the thread that writes the files of a site ended before they were')),
    );
    started.unref();
    return started;
  }

  function fail(error: unknown): void {
    problem ??= error;
    wake();
  }

  function wake(): void {
    for (const one of waiting.splice(0)) {
      if (problem !== undefined || sent <= one.below) one.resolve();
      else waiting.push(one);
    }
    if (waiting.length === 0) worker?.unref();
  }

  function flush(): void {
    if (batch.length === 0) return;
    worker ??= start();
    worker.postMessage({ files: batch } satisfies WriteOrder);
    sent += batchBytes;
    batch = [];
    batchBytes = 0;
  }

  async function until(below: number): Promise<void> {
    flush();
    if (sent > below && problem === undefined) {
      worker?.ref();
      await new Promise<void>((resolve) => waiting.push({ below, resolve }));
    }
    if (problem !== undefined) throw problem;
  }

  return {
    expect(files) {
      if (files > FEW_FILES) worker ??= start();
    },
    write(file, bytes) {
      if (problem !== undefined) throw problem;
      if (!worker && count++ < FEW_FILES) return here.write(file, bytes);
      // What is sent is the whole memory that a buffer is in.
      const isAlone = bytes.byteLength === bytes.buffer.byteLength;
      batch.push({ file, bytes: isAlone ? bytes : new Uint8Array(bytes) });
      batchBytes += bytes.length;
      if (batchBytes >= BATCH_BYTES) flush();
    },
    copy: here.copy,
    space: () => (sent > MOST_BYTES ? until(MOST_BYTES / 2) : undefined),
    settled: () => until(0),
    async close() {
      await worker?.terminate();
    },
  };
}

export function toMadeFile(bytes: Buffer): MadeFile {
  return { sizeBytes: bytes.length, sha256: hash('sha256', bytes) };
}
