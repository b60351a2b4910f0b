// Removes bytes that no commit names a day after they came: uploads of Git LFS without a push, pushes that were refused,
// proposals that are gone. Looks at all bytes once a day, and at those that are marked each time. Whatever is not sure
// stays: bytes of the newest state, bytes that are marked or younger than a day, and all of them if a commit cannot be
// read.
import path from 'node:path';
import { isHash } from './byte-places.ts';
import type { ByteFiles } from './open-byte-files.ts';
import { WAITING_MS, type WaitingBytes } from './waiting-bytes.ts';

/** Which of the bytes the commits name; `lasting` for commits that stay for good. @throws if a commit cannot be read */
export type FindNamed = (hashes: ReadonlySet<string>) => Promise<{ named: Set<string>; lasting: Set<string> }>;

export interface SweptBytes {
  files: number;
  bytes: number;
}

export interface UnnamedBytesParts {
  /** `<data>/sites/<id>/media`. */
  folder: string;
  files: Pick<ByteFiles, 'list' | 'changedMs' | 'sizeOf' | 'remove'>;
  waiting: WaitingBytes;
  isNeeded(sha256: string): boolean;
  pathOf(sha256: string): string;
  /** Runs while nothing else happens to these bytes. */
  alone<T>(sha256: string, run: () => Promise<T>): Promise<T>;
  nowMs(): number;
}

const DAY_MS = WAITING_MS;
const SHARD = /^[0-9a-f]{2}$/;

export interface UnnamedBytes {
  /** Gives bytes another day, because a commit is about to name them; the newest state keeps them for good. */
  noteNamed(sha256: string): Promise<void>;
  sweep(find: FindNamed): Promise<SweptBytes>;
}

export function createUnnamedBytes(parts: UnnamedBytesParts): UnnamedBytes {
  const { folder, files, waiting, isNeeded, pathOf, alone, nowMs } = parts;
  /** Not asked about again: their commits stay for good. */
  const lasting = new Set<string>();
  let lookedMs = Number.NEGATIVE_INFINITY;

  async function isOld(sha256: string): Promise<boolean> {
    const changed = await files.changedMs(pathOf(sha256));
    const marked = (await waiting.markedMs(sha256)) ?? Number.NEGATIVE_INFINITY;
    return nowMs() - Math.max(changed ?? Number.NEGATIVE_INFINITY, marked) >= DAY_MS;
  }

  async function* listAll(): AsyncGenerator<string> {
    for (const first of (await files.list(folder)).filter((name) => SHARD.test(name))) {
      for (const second of await files.list(path.join(folder, first))) {
        yield* (await files.list(path.join(folder, first, second))).filter(isHash);
      }
    }
  }

  async function listCandidates(): Promise<Set<string>> {
    const candidates = new Set<string>();
    const consider = async (sha256: string): Promise<void> => {
      if (!isNeeded(sha256) && !lasting.has(sha256) && (await isOld(sha256))) candidates.add(sha256);
    };
    for (const sha256 of await waiting.list()) {
      // The branch never loses it again.
      if (isNeeded(sha256)) await alone(sha256, () => waiting.unmark(sha256));
      else await consider(sha256);
    }
    const startedMs = nowMs();
    if (startedMs - lookedMs < DAY_MS) return candidates;
    for await (const sha256 of listAll()) await consider(sha256);
    lookedMs = startedMs;
    return candidates;
  }

  /** Returns how many bytes are gone. */
  async function drop(sha256: string): Promise<number | undefined> {
    // A push or an upload may have come in between.
    if (isNeeded(sha256) || !(await isOld(sha256))) return undefined;
    const sizeBytes = await files.sizeOf(pathOf(sha256));
    // The mark last: a kill in between leaves it for the next look.
    await files.remove(pathOf(sha256));
    await waiting.unmark(sha256);
    return sizeBytes;
  }

  async function sweep(find: FindNamed): Promise<SweptBytes> {
    const swept: SweptBytes = { files: 0, bytes: 0 };
    const candidates = await listCandidates();
    if (candidates.size === 0) return swept;
    const found = await find(candidates);
    for (const sha256 of candidates) {
      if (found.lasting.has(sha256)) {
        lasting.add(sha256);
        await alone(sha256, () => waiting.unmark(sha256));
      } else if (!found.named.has(sha256)) {
        const sizeBytes = await alone(sha256, () => drop(sha256));
        if (sizeBytes === undefined) continue;
        swept.files++;
        swept.bytes += sizeBytes;
      }
    }
    return swept;
  }

  return {
    sweep,
    noteNamed: (sha256) =>
      alone(sha256, async () => {
        if (isNeeded(sha256)) await waiting.unmark(sha256);
        else if ((await files.sizeOf(pathOf(sha256))) !== undefined) await waiting.renew(sha256);
      }),
  };
}
