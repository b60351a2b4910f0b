// The remote's end with Git LFS in front: before a push the bytes that its commits name, after a fetch the bytes that
// its commits bring, and later those that the host did not have then. Runs beside the end's thread: the bytes stream
// between disk and network.
import type { Oid } from '../git/objects.ts';
import type { NewPointer } from '../repository/new-pointers.ts';
import type { RemoteEnd } from './end.ts';
import { quoteHost, RemoteError } from './error.ts';
import type { AbsentFile, RemoteBytes, RemoteLfs } from './lfs.ts';

export interface LfsEndParts {
  end: RemoteEnd;
  lfs: RemoteLfs;
  bytes: Pick<RemoteBytes, 'named' | 'sizeOf'>;
  nowMs(): number;
  warn(message: string): void;
}

/** How long until the host is asked again for bytes that it did not have; a requested sync does not wait. */
const AGAIN_MS = 3600 * 1000;
const PAGE = 1000;

/** Names in a warning; the others are counted. */
const MOST_NAMED = 5;
/** Kept to be looked for here again; more are found when the host is asked. */
const MOST_KEPT = 1000;

export function withLfs({ end, lfs, bytes, nowMs, warn }: LfsEndParts): RemoteEnd {
  let askedMs = Number.NEGATIVE_INFINITY;
  /** By hash. */
  const absent = new Map<string, AbsentFile>();
  let isReported = false;

  async function eachPage(from: Oid | null, to: Oid, run: (page: NewPointer[]) => Promise<void>): Promise<void> {
    for (let page = 0; ; page++) {
      const pointers = await end.listPointers(from, to, page);
      if (pointers.length === 0) return;
      await run(pointers);
    }
  }

  /** Returns those that did not come. */
  async function bring(pointers: readonly NewPointer[]): Promise<AbsentFile[]> {
    const missing = await lfs.bring(pointers);
    for (const { sha256 } of pointers) absent.delete(sha256);
    for (const file of missing) if (absent.size < MOST_KEPT) absent.set(file.sha256, file);
    return missing;
  }

  async function eachNamed(run: (page: NewPointer[]) => Promise<unknown>): Promise<void> {
    let page: NewPointer[] = [];
    for await (const pointer of bytes.named()) {
      if (page.push(pointer) < PAGE) continue;
      await run(page);
      page = [];
    }
    if (page.length > 0) await run(page);
  }

  async function bringNamed(): Promise<void> {
    const wasWithout = lfs.isThere === false;
    const known = new Set(absent.keys());
    await eachNamed(async (page) => {
      await bring(page);
      for (const { sha256 } of page) known.delete(sha256);
      if (lfs.isThere !== true) await lfs.probe(page[0]!);
    });
    // No file of the newest commit needs them.
    for (const sha256 of known) absent.delete(sha256);
    // What was pushed while the host had no Git LFS went without its bytes.
    if (wasWithout && lfs.isThere) await eachNamed(lfs.send);
  }

  /** Bytes may have come another way: with a push, or an upload. */
  async function forgetThoseHere(): Promise<void> {
    for (const sha256 of [...absent.keys()]) if ((await bytes.sizeOf(sha256)) !== undefined) absent.delete(sha256);
  }

  function reportWithout(): void {
    if (lfs.isThere === false && !isReported) warn(`remote: ${WITHOUT}`);
    isReported = lfs.isThere === false;
  }

  return {
    ...end,
    async bringNew(ours, theirs) {
      const missing: AbsentFile[] = [];
      await eachPage(ours, theirs, async (pointers) => {
        missing.push(...(await bring(pointers)).slice(0, MOST_KEPT));
      });
      if (missing.length > 0) warn(`remote: ${toSentence(missing)}`);
      reportWithout();
    },
    async push(from, to, mayOverwrite) {
      const missing: string[] = [];
      await eachPage(from, to, async (pointers) => void missing.push(...(await lfs.send(pointers))));
      reportWithout();
      try {
        await end.push(from, to, mayOverwrite);
      } catch (error) {
        if (missing.length === 0 || !(error instanceof RemoteError) || error.failure === 'changed') throw error;
        const why = `the bytes of ${toNames(missing)} are not here; a clone that has them sends them with git lfs push --all`;
        throw new RemoteError(error.failure, `${error.message}; ${why}`);
      }
    },
    async bringMissing(isUrgent) {
      if (!isUrgent && nowMs() - askedMs < AGAIN_MS) return forgetThoseHere();
      askedMs = nowMs();
      try {
        await bringNamed();
      } catch (error) {
        if (!(error instanceof RemoteError)) throw error;
        warn(`remote: bytes of media that are missing here cannot be asked for: ${error.message}`);
      }
      reportWithout();
    },
    hasBytes: () => lfs.isThere !== false && absent.size === 0,
    warnings() {
      if (lfs.isThere === false) return [`remote: ${WITHOUT}`];
      return absent.size === 0 ? [] : [`remote: ${toSentence([...absent.values()])}`];
    },
    async close() {
      lfs.close();
      await end.close();
    },
  };
}

const WITHOUT =
  'the host has no Git LFS, so that clones of it have no media and fail with git-lfs; turn Git LFS on there, or set remote.lfs to false';

function toSentence(missing: readonly AbsentFile[]): string {
  const names = missing.slice(0, MOST_NAMED).map(({ path, why }) => `${quoteHost(path)} (${quoteHost(why, 160)})`);
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} others` : '';
  return `the host does not have the bytes of ${names.join(', ')}${more}; they cannot be served, and are asked for again every hour`;
}

function toNames([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? quoteHost(first) : `${more.length + 1} media files, ${quoteHost(first)} among them,`;
}
