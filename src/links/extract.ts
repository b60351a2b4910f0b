// Finds the links of documents in a thread. A batch that takes too long is read again one document at a time, and only
// the slow documents are left out.
import { Worker } from 'node:worker_threads';
import type { SiteConfig } from '../config/site-config.ts';
import { siblingUrl } from '../lib/sibling.ts';
import type { FoundLink } from './collect-links.ts';

export interface DocumentLinks {
  collection: string;
  slug: string;
  locale: string | undefined;
  links: FoundLink[];
  /** How many more links it has. */
  more: number;
}

export interface ExtractOrder {
  /** A JSON array of Documents. */
  documents: Uint8Array<ArrayBuffer>;
}

export interface Extract {
  /** `unread` counts the documents that could not be read in time. */
  read(bodies: readonly Buffer[]): Promise<{ found: DocumentLinks[]; unread: number }>;
  close(): Promise<void>;
}

export interface ExtractParts {
  config: Pick<SiteConfig, 'collections' | 'blocks'>;
  /** Limit for one batch. The first one includes the start of the thread. */
  limitMs?: number;
  script?: URL;
}

/** Ordinary documents take a millisecond each. */
const LIMIT_MS = 10_000;

export function createExtract({
  config: { collections, blocks },
  limitMs = LIMIT_MS,
  script = siblingUrl(import.meta.url, './extract-worker'),
}: ExtractParts): Extract {
  let worker: Worker | undefined;
  let isClosed = false;

  function start(): Worker {
    // The configuration may hold values that cannot be posted to a thread (functions).
    const workerData = JSON.parse(JSON.stringify({ collections, blocks }));
    const started = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    started.unref();
    return started;
  }

  /** Returns undefined if the thread took too long or ended. */
  async function ask(bodies: readonly Buffer[]): Promise<DocumentLinks[] | undefined> {
    if (isClosed) return undefined;
    const asked = (worker ??= start());
    const { promise, resolve } = Promise.withResolvers<DocumentLinks[] | undefined>();
    const giveUp = (): void => resolve(undefined);
    asked.once('message', resolve).once('error', giveUp).once('exit', giveUp);
    const timer = setTimeout(giveUp, limitMs);
    const documents = toArray(bodies);
    asked.postMessage({ documents } satisfies ExtractOrder, [documents.buffer]);
    const found = await promise;
    clearTimeout(timer);
    // Only these: the thread relies on its other listeners.
    asked.off('message', resolve).off('error', giveUp).off('exit', giveUp);
    if (found) return found;
    asked.on('error', () => undefined); // its errors no longer matter
    worker = undefined;
    await asked.terminate();
    return undefined;
  }

  return {
    async read(bodies) {
      if (bodies.length === 0) return { found: [], unread: 0 };
      const together = await ask(bodies);
      if (together) return { found: together, unread: 0 };
      if (bodies.length === 1) return { found: [], unread: 1 };
      const found: DocumentLinks[] = [];
      let unread = 0;
      for (const body of bodies) {
        const alone = await ask([body]);
        if (alone) found.push(...alone);
        else unread++;
      }
      return { found, unread };
    },
    async close() {
      isClosed = true;
      await worker?.terminate();
      worker = undefined;
    },
  };
}

/** Copies the bodies into separate memory, which can be transferred to the thread. */
function toArray(bodies: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const pieces = bodies.flatMap((body, index) => (index === 0 ? [body] : [COMMA, body]));
  const bytes = new Uint8Array(bodies.reduce((sum, body) => sum + body.length + 1, 1));
  let at = 0;
  for (const piece of [OPEN, ...pieces, CLOSE]) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
