// Runs text indexes in a separate thread, so that indexing a document costs writers only the copy of its bytes. All
// large sites of a process share one thread (which costs 15 MB and a fifth of a second of work). It starts with the
// first of their indexes and ends with the last; if it dies, the next index that opens starts it again.
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../lib/errors.ts';
import { siblingUrl } from '../lib/sibling.ts';
import type { FoundTexts } from './engine/text-index.ts';
import { type IndexHome, type IndexProblem, noIndex, type SavedIndex } from './index-home.ts';
import {
  flattenChanges,
  type IndexAnswer,
  type IndexMessage,
  type IndexOrder,
  type SavedIndexPlace,
  type TextSchema,
  toTextSchema,
} from './index-messages.ts';

export interface IndexOptions {
  schema: TextSchema;
  saved?: SavedIndexPlace | undefined;
  /** Called if the thread ends without `close`, and the home with it. */
  onEnd(cause: unknown): void;
}

export interface IndexThread {
  open(options: IndexOptions): IndexHome;
  /** Undefined while no thread runs. For tests that end it. */
  worker(): Worker | undefined;
}

interface Asked {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** One thread, the orders that it has not answered, and the homes on it. */
interface Running {
  worker: Worker;
  asked: Map<number, Asked>;
  homes: Map<number, (cause: unknown) => void>;
}

export function createIndexThread(script: URL = siblingUrl(import.meta.url, './index-worker')): IndexThread {
  let running: Running | undefined;
  let lastId = 0;

  function start(): Running {
    // Batches are short-lived, and large compared with the thread's heap.
    const worker = new Worker(script, { resourceLimits: { maxYoungGenerationSizeMb: 16 } });
    const started: Running = { worker, asked: new Map(), homes: new Map() };
    let cause: unknown;
    worker.on('message', (answer: IndexAnswer) => settle(started, answer));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      if (running === started) running = undefined;
      const { asked, homes } = started;
      for (const { reject } of asked.values()) reject(noIndex({ isClosing: homes.size === 0, cause }));
      asked.clear();
      const ends = [...homes.values()];
      homes.clear();
      for (const onEnd of ends) onEnd(cause);
    });
    worker.unref();
    return started;
  }

  function settle({ worker, asked, homes }: Running, answer: IndexAnswer): void {
    const found = asked.get(answer.id);
    asked.delete(answer.id);
    // Only work under way keeps the process alive; ending the thread counts as such.
    if (asked.size === 0 && homes.size > 0) worker.unref();
    if ('result' in answer) found?.resolve(answer.result);
    else {
      const { message, code } = answer.error;
      found?.reject(code ? new ServiceError(code, message) : new Error(message));
    }
  }

  function ask({ worker, asked }: Running, message: IndexMessage, transfer: ArrayBuffer[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      asked.set(message.id, { resolve, reject });
      worker.ref();
      worker.postMessage(message, transfer);
    });
  }

  return {
    worker: () => running?.worker,
    open({ schema, saved, onEnd }) {
      const on = (running ??= start());
      const index = ++lastId;
      on.homes.set(index, onEnd);
      const order = <T>(what: IndexOrder, transfer?: ArrayBuffer[]): Promise<T> => {
        if (!on.homes.has(index)) return Promise.reject(noIndex({ isClosing: true }));
        return ask(on, { ...what, id: ++lastId, index }, transfer) as Promise<T>;
      };
      return {
        isElsewhere: true,
        opened: order<boolean>({ kind: 'open', schema: toTextSchema(schema), saved }),
        put(changes) {
          const flat = flattenChanges(changes);
          return order<IndexProblem[]>({ kind: 'put', changes: flat }, [flat.bytes.buffer]);
        },
        query: (query) => order<FoundTexts>({ kind: 'query', query }),
        save(): SavedIndex {
          const begun = order({ kind: 'save' });
          const saving = lastId;
          begun.catch(() => undefined); // the reader of the pieces gets the error
          return {
            pieces: (async function* () {
              await begun;
              for (let piece = await next(); piece; piece = await next())
                yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
            })(),
            end: () => void order({ kind: 'end', saving }).catch(() => undefined), // the end of the thread ends it too
          };
          function next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
            return order({ kind: 'piece', saving });
          }
        },
        async close() {
          if (!on.homes.delete(index)) return;
          if (on.homes.size > 0) {
            await ask(on, { kind: 'close', id: ++lastId, index }).catch(() => undefined); // it ended with its thread
            return;
          }
          if (running === on) running = undefined;
          await on.worker.terminate();
        },
      };
    },
  };
}
