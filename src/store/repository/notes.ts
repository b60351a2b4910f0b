// Notes on external commits: git notes under refs/notes/colophon, which has its own commits. They are not part of the
// log, so ordinary writes never touch them; the commits that have a note are in memory. Must not interpret notes.
import { ServiceError } from '../../lib/errors.ts';
import { KeyTable } from '../../lib/memory/key-table.ts';
import { createInOrder } from '../../lib/queues/in-order.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import { encodeCommit, type Oid, oidOf, type Person, parseCommit } from '../git/objects.ts';
import type { DiskWork } from './disk-work.ts';
import { putNotes, visitNotes } from './notes-tree.ts';
import type { Odb } from './odb.ts';
import { createBranch } from './refs.ts';
import { type PackableObject, writePack } from './write-pack.ts';

export const NOTES_REF = 'refs/notes/colophon';

export interface Notes {
  has(commit: Oid): boolean;
  /** The text of a commit's note. */
  find(commit: Oid): string | undefined;
  /**
   * Gives each of the commits a note with this text and replaces existing notes: one commit of the ref, durable when it
   * resolves. @throws unavailable if git has the ref locked, or the ref cannot be read
   */
  add(commits: readonly Oid[], text: string, made: NotesMade): Promise<void>;
  /** Copies the note of each replayed commit from its earlier commit, if that has one. */
  carry(replayed: readonly { from: Oid; to: Oid }[], subject: string): Promise<void>;
}

/** Describes the new commit of the ref. */
export interface NotesMade {
  subject: string;
  /** Defaults to the time of the ref's previous commit. */
  at?: Date;
}

export interface NotesParts {
  disk: Disk;
  work: DiskWork;
  repository: string;
  odb: Odb;
  committer: Person;
  warn: Warn;
}

const OID_BYTES = 20;
/** Our notes have some 300 bytes, but any user with access to the repository may write larger ones. */
const NOTE_BYTES = 64 << 10;
const TRIES = 100;
const WAIT_MS = 50;

export function createNotes({ disk, work, repository, odb, committer, warn }: NotesParts): Notes {
  const ref = createBranch(disk, repository, NOTES_REF);
  const inOrder = createInOrder();
  const commits = new KeyTable(OID_BYTES);
  /** The number of the blob, by the number of the commit in the table. */
  const blobOf: number[] = [];
  const blobs: Oid[] = [];
  const numbers = new Map<Oid, number>();
  let problem: ServiceError | undefined;

  function remember(commit: Buffer, blob: Oid): void {
    let number = numbers.get(blob);
    if (number === undefined) {
      number = blobs.push(blob) - 1;
      numbers.set(blob, number);
    }
    blobOf[commits.add(commit)] = number;
  }

  /** A damaged ref must not prevent reading or writing documents. */
  function load(): void {
    try {
      const newest = ref.read();
      if (!newest) return;
      const { tree } = parseCommit(odb.get(newest, 'commit'));
      visitNotes(tree, { readTree }, remember);
    } catch (error) {
      const message = `ref "${NOTES_REF}" cannot be read: ${(error as Error).message}`;
      problem = new ServiceError('unavailable', message, { cause: error });
      warn(`${message}; pushes are refused until it is repaired and the service restarted`, error);
    }
  }

  const readTree = (oid: Oid): Buffer => odb.get(oid, 'tree');
  load();

  /** `noted` maps commits to blobs; `text` is the content of a blob that may be new. */
  async function putOnce(
    noted: ReadonlyMap<Oid, Oid>,
    text: Buffer | undefined,
    { subject, at }: NotesMade,
  ): Promise<'moved' | 'changed' | 'locked'> {
    const breathe = createBreathe();
    const from = ref.read();
    if (from && !odb.has(from)) odb.refresh();
    const newest = from ? parseCommit(odb.get(from, 'commit')) : undefined;
    const before = newest?.tree ?? null;
    const { root, trees } = await putNotes({ readTree, breathe }, before, noted);
    if (root === before) return 'moved';
    const seconds = at ? Math.floor(at.getTime() / 1000) : (newest?.committedAt ?? 0);
    const body = encodeCommit({
      tree: root,
      parents: from ? [from] : [],
      author: committer,
      committer,
      authoredAt: seconds,
      committedAt: seconds,
      message: `${subject}\n`,
    });
    const commit = oidOf('commit', body);
    const objects: PackableObject[] = [...trees, { oid: commit, type: 'commit', body }];
    if (text) objects.unshift({ oid: oidOf('blob', text), type: 'blob', body: text });
    const pack = await writePack(work, objects, breathe);
    try {
      return await work('moveRef', NOTES_REF, from, commit);
    } finally {
      await work('releasePacks', [pack]);
      odb.refresh();
    }
  }

  async function put(noted: ReadonlyMap<Oid, Oid>, text: Buffer | undefined, made: NotesMade): Promise<void> {
    if (problem) throw problem;
    if (noted.size === 0) return;
    for (let tries = 1; (await putOnce(noted, text, made)) !== 'moved'; tries++) {
      if (tries === TRIES) throw new ServiceError('unavailable', `"${ref.lockFile}" still exists; try again`);
      await new Promise((again) => setTimeout(again, WAIT_MS));
    }
    for (const [commit, blob] of noted) remember(Buffer.from(commit, 'hex'), blob);
  }

  function blobAt(commit: Oid): Oid | undefined {
    const number = commits.find(Buffer.from(commit, 'hex'));
    return number < 0 ? undefined : blobs[blobOf[number]!];
  }

  return {
    has: (commit) => blobAt(commit) !== undefined,
    find(commit) {
      const blob = blobAt(commit);
      return blob && odb.get(blob, 'blob', NOTE_BYTES).toString('utf8');
    },
    add: (noted, text, made) =>
      inOrder(() => {
        const note = Buffer.from(text, 'utf8');
        const blob = oidOf('blob', note);
        return put(new Map(noted.map((commit) => [commit, blob])), note, made);
      }),
    carry: (replayed, subject) =>
      inOrder(() => {
        const noted = replayed.flatMap(({ from, to }): [Oid, Oid][] => {
          const blob = blobAt(from);
          return blob ? [[to, blob]] : [];
        });
        return put(new Map(noted), undefined, { subject });
      }),
  };
}
