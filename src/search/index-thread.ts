// Runs text indexes in a thread of their own: indexing a document then costs writers no more than copying its bytes. One
// thread for all of a process's sites that are large enough (a thread is 15 MB and a fifth of a second of work); it
// starts with the first of them, ends with the last, and starts anew for who opens an index after it died.
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
  /** Called where the thread ends without having been told to, and the home with it. */
  onEnd(cause: unknown): void;
}

export interface IndexThread {
  open(options: IndexOptions): IndexHome;
  /** Undefined while none runs. For tests that end it. */
  worker(): Worker | undefined;
}

interface Asked {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** What one thread has been asked and who lives on it. */
interface Running {
  worker: Worker;
  asked: Map<number, Asked>;
  homes: Map<number, (cause: unknown) => void>;
}

export function createIndexThread(script: URL = siblingUrl(import.meta.url, './index-worker')): IndexThread {
  let running: Running | undefined;
  let lastId = 0;

  function start(): Running {
    // Batches are short-lived, and large beside its heap.
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
    // Only work under way keeps the process up, and ending is some.
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
          begun.catch(() => undefined); // told to who reads the pieces
          return {
            pieces: (async function* () {
              await begun;
              for (let piece = await next(); piece; piece = await next())
                yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
            })(),
            end: () => void order({ kind: 'end', saving }).catch(() => undefined), // the thread's end ends it as well
          };
          function next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
            return order({ kind: 'piece', saving });
          }
        },
        async close() {
          if (!on.homes.delete(index)) return;
          if (on.homes.size > 0) {
            await ask(on, { kind: 'close', id: ++lastId, index }).catch(() => undefined); // ended with its thread
            return;
          }
          if (running === on) running = undefined;
          await on.worker.terminate();
        },
      };
    },
  };
}
