// Branches `changes/<name>`: proposals that people push for review. They are kept as they are, are no part of the log,
// and are removed when nobody has moved them for 30 days. Nothing that only they reach may be trusted.
import path from 'node:path';
import { createInOrder, type InOrder } from '../../../lib/queues/in-order.ts';
import type { Warn } from '../../../lib/warn.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Oid, Person } from '../../git/objects.ts';
import type { DiskWork } from '../disk-work.ts';
import { listRefs, type MoveOutcome } from '../refs.ts';
import { type LastMove, parseLastMove, toMoveLine } from './last-move.ts';
import { refLogPath } from './ref-log.ts';

export interface ChangeBranch {
  /** `changes/<name>`. */
  name: string;
  oid: Oid;
  /** Null if the branch was packed by a git program that left no reflog, until the next look. */
  movedAt: Date | null;
  /** Null if unknown. */
  movedBy: ({ id: string | null } & Person) | null;
}

export interface ChangeBranches {
  /** By name. */
  list(): ChangeBranch[];
  /** Runs one piece of work after another, so that what it has checked holds until it moves a branch. */
  alone: InOrder;
  /** To any commit, also one that does not contain the current one. Durable when it resolves with `moved`. */
  move(ref: string, from: Oid | null, to: Oid, how: Omit<LastMove, 'to'>): Promise<MoveOutcome>;
  /** Durable when it resolves with `removed`; `changed` if the branch is not at `from`. */
  remove(ref: string, from: Oid): Promise<'removed' | 'changed' | 'locked'>;
  /** Removes the branches that nobody has moved for 30 days. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface ChangeBranchesParts {
  disk: Disk;
  work: DiskWork;
  repository: string;
  now?: (() => Date) | undefined;
  /** Milliseconds between looks; 0 for none. */
  lookMs?: number | undefined;
  info(message: string): void;
  warn: Warn;
}

/** decisions.md, section 14. */
export const MAX_CHANGE_BRANCHES = 100;
const KEEP_MS = 30 * 24 * 3600 * 1000;
const LOOK_MS = 3600 * 1000;
/** Soon after the start too: a process may not live for an hour. */
const FIRST_LOOK_MS = 60_000;
const HEADS = 'refs/heads/';
const CHANGES = `${HEADS}changes/`;

export function isChangeBranch(ref: string): boolean {
  return ref.startsWith(CHANGES);
}

export function createChangeBranches(parts: ChangeBranchesParts): ChangeBranches {
  const { disk, work, repository, now = () => new Date(), info, warn } = parts;
  const alone = createInOrder();
  let looking: Promise<void> | undefined;
  let isClosed = false;

  /** A log of another commit is older than the branch: a crash came in between, or a git program moved it without one. */
  function findMove(ref: string, oid: Oid): LastMove | undefined {
    const log = refLogPath(repository, ref);
    const found = disk.stat(log)?.isDirectory() ? undefined : parseLastMove(String(disk.readFile(log) ?? ''));
    if (found?.to === oid) return found;
    const file = disk.stat(path.join(repository, ref));
    return file && !file.isDirectory() ? { to: oid, at: new Date(file.mtimeMs), by: null } : undefined;
  }

  function list(): ChangeBranch[] {
    return listRefs(disk, repository)
      .filter(({ name }) => isChangeBranch(name))
      .map(({ name, oid }) => {
        const move = findMove(name, oid);
        return { name: name.slice(HEADS.length), oid, movedAt: move?.at ?? null, movedBy: move?.by ?? null };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The branch is where it should be, so a log that cannot be written is worth a warning and no more. */
  async function note(ref: string, move: LastMove): Promise<void> {
    await work('writeRefLog', ref, toMoveLine(move)).catch((error: Error) => {
      warn(`who moved ${ref} is not recorded: ${error.message}`);
    });
  }

  async function remove(ref: string, from: Oid): Promise<'removed' | 'changed' | 'locked'> {
    // The log first: it must not be taken for that of a later branch of the same name.
    await work('removeRefLog', ref);
    return work('removeRef', ref, from);
  }

  async function run(): Promise<void> {
    for (const { name, oid, movedAt } of list()) {
      const ref = HEADS + name;
      if (isClosed) return;
      if (movedAt === null) await note(ref, { to: oid, at: now(), by: null });
      else if (now().getTime() - movedAt.getTime() > KEEP_MS) {
        if ((await remove(ref, oid)) === 'removed') {
          info(`removed branch ${name}, which nobody has moved for 30 days; its last commit is ${oid}`);
        }
      }
    }
  }

  function look(): Promise<void> {
    if (isClosed) return Promise.resolve();
    looking ??= alone(run)
      .catch((error: Error) => warn(`branches changes/ cannot be looked through: ${error.message}`))
      .finally(() => (looking = undefined));
    return looking;
  }

  const lookMs = parts.lookMs ?? LOOK_MS;
  const timers = lookMs ? [setTimeout(look, Math.min(lookMs, FIRST_LOOK_MS)), setInterval(look, lookMs)] : [];
  for (const timer of timers) timer.unref();

  return {
    list,
    alone,
    async move(ref, from, to, how) {
      const outcome = await work('moveRef', ref, from, to);
      if (outcome === 'moved') await note(ref, { ...how, to });
      return outcome;
    },
    remove,
    look,
    async close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      await looking;
    },
  };
}
