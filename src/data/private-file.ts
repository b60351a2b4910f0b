// A small JSON file that is read from memory and replaced as a whole: users, tokens, sites, ended sessions. A crash at
// any moment leaves the old or the new one. It must never overwrite a file that it could not read.

import { chmodSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { ServiceError, toStorageError } from '../lib/errors.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { makePrivateFolderNow, replaceDurably } from './durable.ts';
import { withFileLock } from './file-lock.ts';
import type { InfoLogger } from './info-logger.ts';

/** How long a change by another process may stay unseen. A stat costs 2 microseconds; reads come by the thousand. */
const LOOK_AGAIN_MS = 250;

export interface PrivateFile<T> {
  /** The current value. The same object until something changes, so that what is derived from it can be kept. */
  read(): T;
  /**
   * Reads, changes and writes as one step, without other writers in between. `change` gets the newest value and returns
   * the next one and a result; returning the same value means no write. If it throws, nothing changes.
   */
  update<R>(change: (value: T) => readonly [value: T, result: R]): Promise<R>;
}

interface Loaded<T> {
  value: T;
  /** Identifies the bytes on disk; empty if there is no file. */
  version: string;
}

function versionOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '';
}

function parse<T>(path: string, text: string, schema: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`file "${path}" is not JSON: restore it from a backup, or move it away to start without it`, {
      cause: error,
    });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const { version } = (json ?? {}) as { version?: unknown };
  if (issue?.path.join() === 'version' && typeof version === 'number')
    throw new Error(
      `file "${path}" has version ${version}, which this Colophon does not read: start the newer one that wrote it`,
    );
  throw new Error(`file "${path}" is damaged at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
}

/**
 * Opens the file at start-up. Throws (with the path and what to do) if it exists and cannot be read. `lost` returns a
 * reason if another process has the folder by now: then nothing more is written, and reads go on.
 */
export function openPrivateFile<T>(options: {
  path: string;
  schema: z.ZodType<T>;
  empty: T;
  logger: InfoLogger;
  lost?: (() => string | undefined) | undefined;
}): PrivateFile<T> {
  const { path, schema, empty, logger, lost = () => undefined } = options;
  makePrivateFolderNow(dirname(path));

  function load(): Loaded<T> {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return { value: empty, version: '' };
    if (stat.mode & 0o077) {
      chmodSync(path, 0o600);
      logger.info(
        { path, mode: (stat.mode & 0o777).toString(8) },
        'a private file was open to others; its mode is 600 now',
      );
    }
    // The version first: if the file is replaced in between, it is merely read once more.
    const version = versionOf(path);
    return { value: parse(path, readFileSync(path, 'utf8'), schema), version };
  }

  let loaded = load();
  let lookedAt = performance.now();
  const inOrder = createInOrder();
  let complainedAbout = '';
  /**
   * True if a crash may take back the file's value: then even an update that changes nothing writes it again before it
   * is answered.
   */
  let isDoubtful = false;

  function refresh(): void {
    lookedAt = performance.now();
    const version = versionOf(path);
    // A file that vanished keeps its last value: forgetting every user would open set-up to everybody.
    if (version !== loaded.version && version !== '') loaded = load();
  }

  function read(): T {
    if (performance.now() - lookedAt <= LOOK_AGAIN_MS) return loaded.value;
    try {
      refresh();
    } catch (error) {
      // The file was broken under the running service: go on with the last good value, and refuse to overwrite the
      // file.
      const version = versionOf(path);
      if (version !== complainedAbout)
        logger.info({ path, err: error }, 'a private file cannot be read; the last good one is used');
      complainedAbout = version;
    }
    return loaded.value;
  }

  async function replace(value: T): Promise<void> {
    const temporary = `${path}.tmp`;
    await rm(temporary, { force: true });
    const text = `${JSON.stringify(value, null, 2)}\n`;
    try {
      await replaceDurably(path, (to) => to.writeFile(text), temporary);
      isDoubtful = false;
    } catch (error) {
      isDoubtful ||= versionOf(path) !== loaded.version;
      throw error;
    }
    loaded = { value, version: versionOf(path) };
  }

  function guard(): void {
    const why = lost();
    if (why) throw new ServiceError('unavailable', `${why}; nothing more is written to "${path}"`);
  }

  async function locked<R>(change: (value: T) => readonly [T, R]): Promise<R> {
    guard();
    try {
      return await withFileLock(`${path}.lock`, async () => {
        guard();
        refresh();
        const [value, result] = change(loaded.value);
        if (value !== loaded.value || isDoubtful) await replace(value);
        return result;
      });
    } catch (error) {
      throw toStorageError(error);
    }
  }

  return { read, update: (change) => inOrder(() => locked(change)) };
}

/** Caches what `derive` returns for a file's value as long as the value is the same object. */
export function derived<T, D>(file: PrivateFile<T>, derive: (value: T) => D): () => D {
  let from: T | undefined;
  let kept: D | undefined;
  return () => {
    const value = file.read();
    if (value !== from || kept === undefined) {
      kept = derive(value);
      from = value;
    }
    return kept;
  };
}
