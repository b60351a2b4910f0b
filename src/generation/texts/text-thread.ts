// The texts of one document, taken out and put in again by a thread that lives for one step only.
import { Worker } from 'node:worker_threads';
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { invalid, type Problem } from '../../lib/errors.ts';
import { createSlots } from '../../lib/queues/slots.ts';
import { siblingUrl } from '../../lib/sibling.ts';
import type { TextUnit } from './text-map.ts';

type Values = Record<string, unknown>;

export type TextsOrder = { type: 'collect' } | { type: 'place'; texts: readonly string[] };

export interface PlacedTexts {
  value: Values;
  /** What stayed as it was, once for each text. */
  kept: Problem[];
}

export interface TextThread {
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
/** A thread takes up to 256 MB; it does not live while a model answers. */
const slots = createSlots({ atOnce: 2 });

export function openTextThread({ data, fields, blocks, limitMs = LIMIT_MS }: TextThreadParts): TextThread {
  // A configuration may hold values that cannot be posted to a thread (functions).
  const workerData = JSON.parse(JSON.stringify({ data, fields: [...fields], blocks: [...blocks] }));

  const ask = <T>(order: TextsOrder): Promise<T> => slots.run(() => askOnce<T>(order));

  async function askOnce<T>(order: TextsOrder): Promise<T> {
    const worker = new Worker(siblingUrl(import.meta.url, './texts-worker'), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      env: {},
    });
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
      await worker.terminate();
    }
  }

  return {
    collect: () => ask<TextUnit[]>({ type: 'collect' }),
    place: (texts) => ask<PlacedTexts>({ type: 'place', texts }),
  };
}
