// The texts of one document, taken out and put in again by a thread of its own, which ends with the request.
import { Worker } from 'node:worker_threads';
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { invalid, type Problem } from '../../lib/errors.ts';
import { siblingUrl } from '../../lib/sibling.ts';
import type { TextUnit } from './text-map.ts';

type Values = Record<string, unknown>;

export type TextsOrder = { type: 'collect' } | { type: 'place'; texts: readonly string[] };

export interface PlacedTexts {
  value: Values;
  /** What stayed as it was, once for each text. */
  kept: Problem[];
}

export interface TextThread extends AsyncDisposable {
  /** @throws ServiceError 400 if the document cannot be read in time */
  collect(): Promise<TextUnit[]>;
  place(texts: readonly string[]): Promise<PlacedTexts>;
}

export interface TextThreadParts {
  data: Values;
  fields: Iterable<FieldConfig>;
  blocks: Iterable<BlockConfig>;
  limitMs?: number;
}

/** The longest posts of a real blog take a fifth of a second, the start of the thread included. */
const LIMIT_MS = 10_000;

export function openTextThread({ data, fields, blocks, limitMs = LIMIT_MS }: TextThreadParts): TextThread {
  // A configuration may hold values that cannot be posted to a thread (functions).
  const workerData = JSON.parse(JSON.stringify({ data, fields: [...fields], blocks: [...blocks] }));
  const limits = { maxOldGenerationSizeMb: 256 };
  const worker = new Worker(siblingUrl(import.meta.url, './texts-worker'), {
    workerData,
    resourceLimits: limits,
    env: {},
  });
  worker.unref();
  // A caller that waits is notified by the listeners of `ask`.
  worker.on('error', () => undefined);

  async function ask<T>(order: TextsOrder): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // Nesting without end overflows the stack of the parser.
    const giveUp = (): void => reject(invalid('the rich text of the document cannot be read; simplify it'));
    const timer = setTimeout(giveUp, limitMs);
    worker.once('message', resolve).once('error', giveUp).once('exit', giveUp);
    worker.postMessage(order);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      worker.off('message', resolve).off('error', giveUp).off('exit', giveUp);
    }
  }

  return {
    collect: () => ask<TextUnit[]>({ type: 'collect' }),
    place: (texts) => ask<PlacedTexts>({ type: 'place', texts }),
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
