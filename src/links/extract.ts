// Finds the links of documents in a thread. A batch that takes too long is read again one document at a time, and the
// document that does it is left out by name.
import { Worker } from 'node:worker_threads';
import type { SiteConfig } from '../config/site-config.ts';
import { siblingUrl } from '../lib/sibling.ts';
import type { FoundLink } from './collect-links.ts';

export interface DocumentLinks {
  collection: string;
  slug: string;
  locale: string | undefined;
  links: FoundLink[];
  /** How many more it has. */
  more: number;
}

export interface ExtractOrder {
  /** A JSON array of Documents. */
  documents: Uint8Array<ArrayBuffer>;
}

export interface Extract {
  /** `unread`: how many of the documents could not be read in time. */
  read(bodies: readonly Buffer[]): Promise<{ found: DocumentLinks[]; unread: number }>;
  close(): Promise<void>;
}

export interface ExtractParts {
  config: Pick<SiteConfig, 'collections' | 'blocks'>;
  /** Of one batch. A start of the thread is in the first one. */
  limitMs?: number;
  script?: URL;
}

/** Honest documents take a millisecond a piece. */
const LIMIT_MS = 10_000;

export function createExtract({
  config: { collections, blocks },
  limitMs = LIMIT_MS,
  script = siblingUrl(import.meta.url, './extract-worker'),
}: ExtractParts): Extract {
  let worker: Worker | undefined;
  let isClosed = false;

  function start(): Worker {
    // The configuration may hold what cannot be posted to a thread (functions).
    const workerData = JSON.parse(JSON.stringify({ collections, blocks }));
    const started = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    started.unref();
    return started;
  }

  /** Undefined where the thread took too long or ended. */
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
    // These and no others: the thread listens to its own listeners.
    asked.off('message', resolve).off('error', giveUp).off('exit', giveUp);
    if (found) return found;
    asked.on('error', () => undefined); // it is not ours any more
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

/** In memory of its own, which can be handed over. */
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
