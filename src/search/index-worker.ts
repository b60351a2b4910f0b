// The thread that has the text indexes of a process's large sites. Orders run as they arrive: each makes its changes
// before the next one is read, and only queries and long texts go on, in turns with later orders.
import { parentPort } from 'node:worker_threads';
import { createEntryReader } from '../content/search-entry.ts';
import { ServiceError } from '../lib/errors.ts';
import { collectWhenIdle } from '../lib/memory/idle-collection.ts';
import { openSavedFile } from '../store/disk/saved-file.ts';
import { createTextIndex, loadTextIndex, type TextIndex } from './engine/text-index.ts';
import { bringIn, type IndexProblem, type ToEntry } from './index-home.ts';
import {
  type FlatChanges,
  type IndexAnswer,
  type IndexMessage,
  type SavedIndexPlace,
  unflattenChanges,
} from './index-messages.ts';

interface Open {
  index: TextIndex;
  toEntry: ToEntry;
}

const indexes = new Map<number, Open>();
const savings = new Map<number, IterableIterator<Buffer>>();

async function putAll({ index, toEntry }: Open, changes: FlatChanges): Promise<IndexProblem[]> {
  const problems: IndexProblem[] = [];
  for (const change of unflattenChanges(changes)) {
    const problem = bringIn(index, toEntry, change);
    if (problem) problems.push(problem);
  }
  await index.settled();
  return problems;
}

function load({ folder, version, commit }: SavedIndexPlace): TextIndex | undefined {
  const savedFile = openSavedFile(folder, version);
  const bytes = savedFile?.commit === commit ? savedFile.read('search') : undefined;
  savedFile?.close();
  return bytes && loadTextIndex(bytes);
}

async function carryOut(message: IndexMessage): Promise<unknown> {
  const { id, kind } = message;
  if (kind === 'open') {
    const found = message.saved && load(message.saved);
    indexes.set(message.index, { index: found ?? createTextIndex(), toEntry: createEntryReader(message.schema) });
    return found !== undefined;
  }
  if (kind === 'piece') return savings.get(message.saving)?.next().value;
  if (kind === 'end') {
    savings.get(message.saving)?.return?.();
    return savings.delete(message.saving);
  }
  const open = indexes.get(message.index);
  if (!open) throw new Error(`unreachable: index ${message.index} is not open`);
  if (kind === 'put') return putAll(open, message.changes);
  if (kind === 'query') return open.index.query(message.query);
  if (kind === 'save') return void savings.set(id, open.index.save());
  return indexes.delete(message.index);
}

function answer(message: IndexAnswer, whole?: unknown): void {
  // A small piece is part of a larger buffer, and has to be copied.
  const isOwn = whole instanceof Uint8Array && whole.byteLength === whole.buffer.byteLength;
  parentPort?.postMessage(message, isOwn ? [whole.buffer as ArrayBuffer] : []);
}

collectWhenIdle();
parentPort?.on('message', (message: IndexMessage) => {
  const { id } = message;
  carryOut(message).then(
    (result) => answer({ id, result }, result),
    (error: Error) => {
      const code = error instanceof ServiceError ? error.code : undefined;
      answer({ id, error: { message: error.message, ...(code && { code }) } });
    },
  );
});
