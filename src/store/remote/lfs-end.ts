// The remote's end with Git LFS in front: before a push the bytes that its commits name, after a fetch the bytes that
// its commits bring, and later those that the host did not have then. Runs beside the end's thread: the bytes stream
// between disk and network.
import type { Oid } from '../git/objects.ts';
import type { NewPointer } from '../repository/new-pointers.ts';
import type { RemoteEnd } from './end.ts';
import { quoteHost, RemoteError } from './error.ts';
import type { RemoteBytes, RemoteLfs } from './lfs.ts';

export interface LfsEndParts {
  end: RemoteEnd;
  lfs: RemoteLfs;
  bytes: Pick<RemoteBytes, 'named'>;
  nowMs(): number;
  warn(message: string): void;
}

/** Files without bytes: the first one, and how many there are. */
interface Absent {
  first: string;
  count: number;
}

/** How long until the host is asked again for bytes that it did not have; a requested sync does not wait. */
const AGAIN_MS = 3600 * 1000;
const PAGE = 1000;

export function withLfs({ end, lfs, bytes, nowMs, warn }: LfsEndParts): RemoteEnd {
  let askedMs = Number.NEGATIVE_INFINITY;

  async function eachPage(
    from: Oid | null,
    to: Oid,
    run: (pointers: NewPointer[]) => Promise<string[]>,
  ): Promise<Absent> {
    const absent: Absent = { first: '', count: 0 };
    for (let page = 0; ; page++) {
      const pointers = await end.listPointers(from, to, page);
      if (pointers.length === 0) return absent;
      const [first = '', ...more] = await run(pointers);
      if (first !== '' && absent.count === 0) absent.first = first;
      absent.count += first === '' ? 0 : 1 + more.length;
    }
  }

  async function bringNamed(): Promise<void> {
    let page: NewPointer[] = [];
    for await (const pointer of bytes.named()) {
      if (page.push(pointer) < PAGE) continue;
      await lfs.bring(page);
      page = [];
    }
    await lfs.bring(page);
  }

  return {
    ...end,
    async fetch(theirs, ours, seen) {
      const relation = await end.fetch(theirs, ours, seen);
      if (theirs === null || relation.behind === 0) return relation;
      const absent = await eachPage(ours, theirs, lfs.bring);
      if (absent.count > 0) {
        warn(
          `remote: the host lacks the bytes of ${toNames(absent)}; they cannot be served, and are asked for again every hour`,
        );
      }
      return relation;
    },
    async push(from, to, mayOverwrite) {
      const missing = await eachPage(from, to, lfs.send);
      try {
        await end.push(from, to, mayOverwrite);
      } catch (error) {
        if (missing.count === 0 || !(error instanceof RemoteError) || error.failure === 'changed') throw error;
        const why = `the bytes of ${toNames(missing)} are not here; a clone that has them sends them with git lfs push --all`;
        throw new RemoteError(error.failure, `${error.message}; ${why}`);
      }
    },
    async bringMissing(isUrgent) {
      if (!isUrgent && nowMs() - askedMs < AGAIN_MS) return;
      askedMs = nowMs();
      try {
        await bringNamed();
      } catch (error) {
        if (!(error instanceof RemoteError)) throw error;
        warn(`remote: bytes of media that are missing here cannot be asked for: ${error.message}`);
      }
    },
    async close() {
      lfs.close();
      await end.close();
    },
  };
}

function toNames({ first, count }: Absent): string {
  return count === 1 ? quoteHost(first) : `${count} media files, ${quoteHost(first)} among them,`;
}
