// Whether the files of the last build are as it left them, by their size. Asking the disk for each file of a large site
// takes longer than the rest of a small build, so a thread asks meanwhile.
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../../lib/sibling.ts';
import { builderEnv } from '../builder-env.ts';
import type { MadeFile } from './file-list.ts';

export interface IntactOrder {
  folder: string;
  /** The list of the files. */
  list: string;
  /** One byte for each file of the list, in its order: 0 for one that was not looked at yet. */
  found: SharedArrayBuffer;
}

export const INTACT = 1;
export const DIFFERENT = 2;

export interface IntactFiles {
  isIntact(file: string): boolean;
  close(): Promise<void>;
}

/** Fewer are looked at here: a thread takes as long to start. */
const FEW_FILES = 2000;

/** `list` is the text that `files` are from. */
export function createIntactFiles(folder: string, list: string, files: ReadonlyMap<string, MadeFile>): IntactFiles {
  if (files.size < FEW_FILES) {
    return { isIntact: (file) => looksIntact(folder, file, files.get(file)), close: async () => undefined };
  }
  const found = new Uint8Array(new SharedArrayBuffer(files.size));
  const order: IntactOrder = { folder, list, found: found.buffer };
  const worker = new Worker(siblingUrl(import.meta.url, './intact-worker'), { workerData: order, env: builderEnv() });
  worker.unref();
  // What the thread has not looked at is looked at here.
  worker.on('error', () => undefined);
  let places: Map<string, number> | undefined;
  return {
    isIntact(file) {
      places ??= new Map([...files.keys()].map((name, place) => [name, place]));
      const place = places.get(file);
      const known = place === undefined ? DIFFERENT : Atomics.load(found, place);
      return known === 0 ? looksIntact(folder, file, files.get(file)) : known === INTACT;
    },
    close: async () => void (await worker.terminate()),
  };
}

export function looksIntact(folder: string, file: string, made: MadeFile | undefined): boolean {
  const about = made && fs.lstatSync(`${folder}/${file}`, { throwIfNoEntry: false });
  return about?.isFile() === true && about.size === made!.sizeBytes;
}
