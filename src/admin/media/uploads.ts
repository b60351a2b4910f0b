// Files on their way to the library: a few at a time, each with its progress, until it is there or refused.
import { type Signal, signal } from '@preact/signals';
import type { UploadedFile } from './media-file.ts';

export interface RunningUpload {
  id: number;
  name: string;
  /** From 0 to 1. */
  share: number;
  /** Why it is not there; undefined while it runs. */
  error?: unknown;
}

export interface Uploads {
  readonly running: Signal<readonly RunningUpload[]>;
  /** Resolves once all of them are there or refused, with those that are there. */
  add(files: readonly File[]): Promise<readonly UploadedFile[]>;
  /** Cancels it, or forgets that it failed. */
  remove(id: number): void;
  cancelAll(): void;
}

export type SendFile = (
  file: File,
  options: { onProgress(share: number): void; signal: AbortSignal },
) => Promise<UploadedFile>;

const AT_ONCE = 2;

export function createUploads(send: SendFile): Uploads {
  const running = signal<readonly RunningUpload[]>([]);
  const stops = new Map<number, AbortController>();
  const waiting: (() => void)[] = [];
  let count = 0;
  let active = 0;

  const change = (id: number, part: Partial<RunningUpload>): void => {
    running.value = running.value.map((one) => (one.id === id ? { ...one, ...part } : one));
  };
  const forget = (id: number): void => {
    stops.delete(id);
    running.value = running.value.filter((one) => one.id !== id);
  };

  async function turn(): Promise<void> {
    if (active >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    active += 1;
  }

  async function sendOne(file: File, id: number): Promise<UploadedFile | undefined> {
    const stop = new AbortController();
    stops.set(id, stop);
    await turn();
    try {
      const done = await send(file, { onProgress: (share) => change(id, { share }), signal: stop.signal });
      forget(id);
      return done;
    } catch (error) {
      if (stop.signal.aborted) forget(id);
      else change(id, { error });
      return undefined;
    } finally {
      active -= 1;
      waiting.shift()?.();
    }
  }

  return {
    running,
    async add(files) {
      const made = files.map((file) => ({ file, id: ++count }));
      running.value = [...running.value, ...made.map(({ file, id }) => ({ id, name: file.name, share: 0 }))];
      const done = await Promise.all(made.map(({ file, id }) => sendOne(file, id)));
      return done.filter((one) => one !== undefined);
    },
    remove(id) {
      stops.get(id)?.abort();
      forget(id);
    },
    cancelAll() {
      for (const stop of stops.values()) stop.abort();
    },
  };
}
