// Remembers signatures for as long as they could be valid, also over a restart, so that a request that was overheard
// cannot be sent again.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { replaceFile, syncFolder } from './disk/durable.ts';

export interface UsedSignatures {
  /** Returns false if it was used before. Otherwise resolves once it is remembered durably. */
  use(signature: string, validUntilSeconds: number): Promise<boolean>;
  close(): Promise<void>;
}

/** The file is written anew after this many lines. */
const REWRITE_LINES = 50_000;

export async function openUsedSignatures(file: string, now: () => Date): Promise<UsedSignatures> {
  const nowSeconds = (): number => now().getTime() / 1000;
  const used = readUsed(file, nowSeconds());
  const inOrder = createInOrder();
  let waiting: string[] = [];
  let writing: Promise<void> | undefined;
  let lines = 0;
  let handle = await startFile();

  async function startFile(): Promise<fs.promises.FileHandle> {
    const oldest = nowSeconds();
    for (const [signature, until] of used) if (until < oldest) used.delete(signature);
    lines = used.size;
    await replaceFile(file, Array.from(used, toLine).join(''));
    await syncFolder(path.dirname(file));
    return fs.promises.open(file, 'a');
  }

  /** One write and one sync for everything that waits. */
  async function writeWaiting(): Promise<void> {
    const text = waiting;
    waiting = [];
    writing = undefined;
    await handle.appendFile(text.join(''));
    await handle.datasync();
    lines += text.length;
    if (lines < REWRITE_LINES + used.size) return;
    await handle.close();
    handle = await startFile();
  }

  return {
    async use(signature, validUntilSeconds) {
      if (used.has(signature)) return false;
      used.set(signature, validUntilSeconds);
      waiting.push(toLine([signature, validUntilSeconds]));
      writing ??= inOrder(writeWaiting);
      await writing;
      return true;
    },
    close: () => inOrder(() => handle.close()),
  };
}

function toLine([signature, until]: readonly [string, number]): string {
  return `${until} ${signature}\n`;
}

/** A last line that a crash cut off belongs to a request that was not carried out. */
function readUsed(file: string, oldest: number): Map<string, number> {
  const used = new Map<string, number>();
  for (const line of readIfPresent(file).split('\n').slice(0, -1)) {
    const [until = '', signature = ''] = line.split(' ');
    if (Number(until) >= oldest && signature !== '') used.set(signature, Number(until));
  }
  return used;
}

function readIfPresent(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    return '';
  }
}
