// Which of the unsynced changes reached the disk. First the plain answers, then each change alone, then random draws; a
// disk with nothing unsynced has only one image.
import {
  type Choice,
  type DiskState,
  type EntriesEvent,
  listDependents,
  sectorsOf,
  type WriteEvent,
  written,
} from '../disk-images.ts';
import type { Random } from '../random.ts';

type Loose = EntriesEvent | WriteEvent;

/** What happens to one write: the parts of it that are on the disk. */
type Tear = (write: WriteEvent) => WriteEvent[];

const SECTOR_BYTES = [512, 4096];

const WHOLE: Tear = (write) => [write];
const NOTHING: Tear = () => [];

/** What a disk does to a single write; the sectors are the smaller kind. */
const TEARS: [string, Tear][] = [
  ['its length and no data', (write) => [{ ...write, bytes: Buffer.alloc(write.bytes.length) }]],
  ['its first sector', (write) => sectorsOf(write, 512).slice(0, 1)],
  ['all but its first sector', (write) => sectorsOf(write, 512).slice(1)],
  ['all but its last sector', (write) => sectorsOf(write, 512).slice(0, -1)],
  ['its last sector', (write) => sectorsOf(write, 512).slice(-1)],
  ['every other sector', (write) => sectorsOf(write, 512).filter((_, n) => n % 2 === 1)],
  ['its first half, cut anywhere', (write) => [{ ...write, bytes: write.bytes.subarray(0, write.bytes.length >> 1) }]],
];

function choose(keeps: (loose: Loose) => boolean, tear: (write: WriteEvent) => Tear = () => WHOLE): Choice {
  return {
    keepsEntries: keeps,
    content: (synced, writes) =>
      writes
        .filter(keeps)
        .flatMap((write) => tear(write)(write))
        .reduce(written, synced),
  };
}

export interface Policy {
  name: string;
  choice: Choice;
}

/** `chances`: how many random draws after the systematic ones. */
export function* listPolicies(state: DiskState, random: Random, chances: number): Generator<Policy> {
  const loose = state.listLoose();
  yield { name: 'all of it lost', choice: choose(() => false) };
  if (loose.length === 0) return;
  yield { name: 'all of it kept', choice: choose(() => true) };
  const writes = loose.filter((one) => one.kind === 'write');
  if (writes.length && writes.length < loose.length) {
    yield { name: 'names without data', choice: choose(({ kind }) => kind === 'entries') };
    yield { name: 'data without names', choice: choose(({ kind }) => kind === 'write') };
  }
  for (const one of loose) {
    const gone = one.kind === 'entries' ? listDependents(loose, one) : new Set<Loose>([one]);
    yield { name: `only without ${one.what}`, choice: choose((other) => !(gone as Set<Loose>).has(other)) };
    yield { name: `only ${one.what}`, choice: choose((other) => other === one) };
  }
  for (let kept = 1; kept < loose.length; kept++) {
    const first = new Set(loose.slice(0, kept));
    yield { name: `the first ${kept}`, choice: choose((one) => first.has(one)) };
  }
  for (const one of writes) {
    if (one.isCut) continue;
    for (const [name, tear] of TEARS) {
      const torn = choose(
        () => true,
        (write) => (write === one ? tear : WHOLE),
      );
      yield { name: `${name} of ${one.what}`, choice: torn };
    }
  }
  for (let n = 0; n < chances; n++) yield { name: `chance ${n}`, choice: drawn(random) };
}

/** Any subset: some disks lose nearly all, some nearly nothing. */
function drawn(random: Random): Choice {
  const share = [0.1, 0.5, 0.9][random.whole(0, 2)]!;
  const sectorBytes = SECTOR_BYTES[random.whole(0, 1)]!;
  const isKept = (): boolean => random.next() < share;
  const tear: Tear = (write) => {
    const kind = write.isCut ? 0 : random.whole(0, 3);
    if (kind === 0) return isKept() ? WHOLE(write) : NOTHING(write);
    const sectors = sectorsOf(write, sectorBytes).filter(isKept);
    // The file's length may have grown before its data is there.
    return kind === 1 ? [{ ...write, bytes: Buffer.alloc(write.bytes.length) }, ...sectors] : sectors;
  };
  return choose(
    (one) => one.kind === 'write' || isKept(),
    () => tear,
  );
}
