// The checks of a push's commits before they may join the history: they build on it, no object is missing, every
// version of every file can be served, and the pusher may make each change.
import { createBreathe } from '../../lib/queues/slices.ts';
import { parseCommit, parseTrailers } from '../../store/git/objects.ts';
import type { GitSite } from '../git-site.ts';
import type { GitProgram } from '../program/program.ts';
import { findTrouble } from '../program/trouble.ts';
import { checkPushedCommits } from './check-commits.ts';
import type { Objection } from './checks.ts';
import type { Pusher } from './pusher.ts';

export interface ExamineParts {
  program: GitProgram;
  site: GitSite;
  pusher: Pusher;
  odb: Parameters<GitSite['checkIncoming']>[2];
  env: Record<string, string>;
  signal: AbortSignal;
  from: string | null;
  to: string;
}

/**
 * `refused` is for the ref, `messages` give place and reason. `arrived` are the commits that this push brought,
 * `remarks` are lines for the pusher.
 */
export type Examined =
  | { commits: number; arrived: string[]; remarks?: readonly string[] }
  | { refused: string; messages: string[] };

/** How long to work before the event loop gets a turn. */
const SLICE_MS = 5;
/** The form of the log's Change-Ids; those of other tools (Gerrit) look different. */
const OWN_CHANGE_ID = /^[0-9a-f]{20}$/;

/** Asks git about objects of the push; `codes` are the exit codes that are answers. */
export type AskGit = (codes: readonly number[], ...args: string[]) => ReturnType<GitProgram['run']>;

export function createAsk({ program, env, signal }: Pick<ExamineParts, 'program' | 'env' | 'signal'>): AskGit {
  return async (codes, ...args) => {
    const ran = await program.run(args, { env, signal });
    signal.throwIfAborted();
    const trouble = findTrouble(ran);
    if (trouble) throw trouble;
    if (!codes.includes(ran.code!)) throw new Error(`git ${args[0]} ended with ${ran.code}: ${ran.stderr}`);
    return ran;
  };
}

/** The best common ancestors of two commits. */
export function listBases(ask: AskGit): (a: string, b: string) => Promise<string[]> {
  return async (a, b) => {
    const { stdout } = await ask([0, 1], 'merge-base', '--all', a, b);
    return stdout.toString('latin1').split('\n').filter(Boolean);
  };
}

/** @throws ServiceError 503 or 507 if git was killed or had no space. */
export async function examine(parts: ExamineParts): Promise<Examined> {
  const { site, pusher, odb, from, to } = parts;
  const ask = createAsk(parts);
  if (odb.measure(to)?.type !== 'commit') return { refused: 'main must be a commit', messages: [] };
  const since = from ? [to, `^${from}`] : [to];
  const [linked, based, listed] = await Promise.all([
    // index-pack checked the links inside the pack; this follows the links into objects that the repository already
    // has.
    ask([0, 128], 'rev-list', '--objects', '--quiet', ...since),
    from ? ask([0, 1], 'merge-base', '--is-ancestor', from, to) : undefined,
    ask([0], 'rev-list', ...since),
  ]);
  if (linked.code !== 0) return { refused: 'objects are missing', messages: [linked.stderr.split('\n')[0] ?? ''] };
  if (from && based?.code !== 0) {
    return {
      refused: 'non-fast-forward',
      messages: [
        `${short(to)} does not contain ${short(from)}, the newest commit of main; a push cannot rewrite history`,
      ],
    };
  }
  const commits = listed.stdout.toString('latin1').split('\n').filter(Boolean);

  const { problems, slips } = await site.checkIncoming(from, to, odb);
  if (problems.length) return { refused: 'invalid content', messages: problems.map(toObjectionLine) };
  const { objections, ours } = await checkPushedCommits({
    site,
    odb,
    pusher,
    commits,
    isFirst: from === null,
    basesOf: listBases(ask),
  });
  if (objections.length) return { refused: 'not allowed', messages: objections.map(toObjectionLine) };
  const borrowed = await findBorrowedChangeIds(parts, commits);
  if (borrowed.length) return { refused: 'Change-Id is taken', messages: borrowed };
  const arrived = commits.filter((commit) => !ours.has(commit));
  return { commits: commits.length, arrived, remarks: toRemarks(slips.map(toObjectionLine)) };
}

/** Lines that are said about an accepted push; the others are counted. */
const MAX_REMARKS = 50;

export function toRemarks(lines: readonly string[]): string[] {
  return lines.length > MAX_REMARKS
    ? [...lines.slice(0, MAX_REMARKS), `and ${lines.length - MAX_REMARKS} more`]
    : [...lines];
}

/** A line for the pusher. */
export function toObjectionLine({ commit, path, message }: Objection): string {
  return path ? `${path}: ${message} (${short(commit)})` : `${short(commit)}: ${message}`;
}

/**
 * New commits with the Change-Id of one of our changes. A start uses the id to see which changes of the write-ahead log
 * are already under the branch; it would mistake such a commit for ours and drop the change itself. Changes
 * acknowledged from now on have ids that the pusher could not know.
 */
async function findBorrowedChangeIds(
  { site, odb, signal }: ExamineParts,
  commits: readonly string[],
): Promise<string[]> {
  const claims = new Map<string, string>();
  for await (const commit of inSlices(commits, signal)) {
    const id = changeIdOf(odb.get(commit, 'commit'));
    if (id && OWN_CHANGE_ID.test(id)) claims.set(id, commit);
  }
  if (claims.size === 0) return [];
  const { log, odb: known } = site.store;
  await log.flush();
  const borrowed: string[] = [];
  const { gitHead } = log.status();
  const history = new Set<string>(gitHead ? [gitHead] : []);
  for await (const oid of inSlices(history, signal)) {
    const body = known.get(oid, 'commit');
    const changeId = changeIdOf(body);
    const commit = changeId && claims.get(changeId);
    if (commit)
      borrowed.push(
        `${short(commit)}: Change-Id ${changeId} belongs to another change; remove that line from the message`,
      );
    for (const parent of parseCommit(body).parents) history.add(parent);
  }
  return borrowed;
}

/** Includes items that are added to a set meanwhile. */
async function* inSlices(items: Iterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  const breathe = createBreathe(SLICE_MS);
  for (const item of items) {
    yield item;
    const pause = breathe();
    if (!pause) continue;
    await pause;
    signal.throwIfAborted();
  }
}

function changeIdOf(commit: Buffer): string | undefined {
  return parseTrailers(parseCommit(commit).message).get('Change-Id');
}

function short(oid: string): string {
  return oid.slice(0, 10);
}
