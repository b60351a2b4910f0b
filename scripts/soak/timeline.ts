// The versions of one document in log order, and which of them a reader may see at a moment: not one that was replaced
// before the reader asked, and not one that had not been requested when the answer came.
import { hash } from 'node:crypto';
import type { Doc } from './history.ts';

export interface Version {
  /** Position in the epoch's log; -1 for a version from before. */
  position: number;
  /** Absent if the document is gone, or does not exist yet. */
  doc: Doc | undefined;
  blob: string | undefined;
  /** No reader can see it before. */
  startedAtMs: number;
  /** Every later reader sees it, or a newer one. */
  visibleAtMs: number;
  byOthers: boolean;
}

export interface Timeline {
  readonly versions: readonly Version[];
  /** An external change of the document happened in this epoch, so ours may have been replayed and got other bytes. */
  readonly isMixed: boolean;
  /** A document with such a change was moved here from another place. */
  mix(): void;
  add(version: Version): void;
  /** Bytes that readers may have been shown instead of this version's. */
  addGhost(blob: string, version: Version): void;
  /** Indices of the oldest and the newest version that a read over this time may return. */
  window(fromMs: number, toMs: number): { oldest: number; newest: number };
  /** Index of the version with these bytes; the newest of several that is not past `newest`. */
  find(blob: string, newest: number): number | undefined;
  findDigest(digest: string, newest: number): number | undefined;
  /** Whether this version is shown with this digest. */
  isShownAs(index: number, digest: string): boolean;
}

export function createTimeline(first: { doc: Doc | undefined; blob: string | undefined }): Timeline {
  const before: Version = {
    ...first,
    position: -1,
    startedAtMs: -Infinity,
    visibleAtMs: -Infinity,
    byOthers: false,
  };
  const versions = [before];
  const ghosts = new Map<string, number>();
  let isMixed = false;
  /** By index: the minimum of a time over this version and all newer ones. */
  let least: { visible: number[]; started: number[] } | undefined;
  let digests: Map<string, number[]> | undefined;
  let blobs: Map<string, number[]> | undefined;

  function leastTimes(): { visible: number[]; started: number[] } {
    if (least) return least;
    const visible = versions.map(({ visibleAtMs }) => visibleAtMs);
    const started = versions.map(({ startedAtMs }) => startedAtMs);
    for (let i = versions.length - 2; i >= 0; i--) {
      visible[i] = Math.min(visible[i]!, visible[i + 1]!);
      started[i] = Math.min(started[i]!, started[i + 1]!);
    }
    least = { visible, started };
    return least;
  }

  const digestIndex = (): Map<string, number[]> => {
    digests ??= indexBy(versions, ({ doc }) => doc && digestOf(doc));
    return digests;
  };

  return {
    versions,
    get isMixed() {
      return isMixed;
    },
    mix: () => void (isMixed = true),
    add(version) {
      versions.push(version);
      isMixed ||= version.byOthers;
      least = digests = blobs = undefined;
    },
    addGhost: (blob, version) => void ghosts.set(blob, versions.indexOf(version)),
    window(fromMs, toMs) {
      const { visible, started } = leastTimes();
      return { oldest: lastBelow(visible, fromMs), newest: lastBelow(started, toMs) };
    },
    find(blob, newest) {
      blobs ??= indexBy(versions, (version) => version.blob);
      return notPast(blobs.get(blob), newest) ?? ghosts.get(blob);
    },
    findDigest: (digest, newest) => notPast(digestIndex().get(digest), newest),
    isShownAs: (index, digest) => digestIndex().get(digest)?.includes(index) === true,
  };
}

/** Digest of the document as an answer shows it, whatever its `_fieldMeta`. */
export function digestOf({ _fieldMeta: _, ...shown }: Doc): string {
  return hash('sha1', JSON.stringify(shown));
}

/** The last index of a rising list whose value is below the limit; 0 if none is. */
function lastBelow(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rising[middle]! < limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function indexBy(versions: readonly Version[], keyOf: (version: Version) => string | undefined): Map<string, number[]> {
  const index = new Map<string, number[]>();
  versions.forEach((version, i) => {
    const key = keyOf(version);
    if (key === undefined) return;
    const known = index.get(key);
    if (known) known.push(i);
    else index.set(key, [i]);
  });
  return index;
}

/** If none is in time, the first: to distinguish it from a version that never existed. */
function notPast(indices: readonly number[] | undefined, newest: number): number | undefined {
  return indices?.findLast((index) => index <= newest) ?? indices?.[0];
}
