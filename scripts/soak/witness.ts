// What git itself says happened since a commit: the line that the branch went along, each commit with the documents
// that it changed. Read with the git binary and nothing of ours.
import { execFile } from 'node:child_process';
import type { Change, Commit, Doc, Push } from './history.ts';

/** No user configuration counts, and git does no housekeeping by itself. */
const OPTIONS = ['-c', 'safe.directory=*', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];
const ENV = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
const MAX_BYTES = 1 << 30;

export interface GitOptions {
  input?: string;
  env?: Record<string, string>;
}

/** Standard output; rejects with git's message if it fails. */
export async function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await gitBytes(folder, args, options)).toString('utf8');
}

function gitBytes(folder: string, args: readonly string[], { input, env }: GitOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...OPTIONS, ...args],
      { cwd: folder, maxBuffer: MAX_BYTES, encoding: 'buffer', env: { ...ENV, ...env } },
      (error, stdout, stderr) =>
        error ? reject(new Error(`git ${args.join(' ')}: ${stderr}`, { cause: error })) : resolve(stdout),
    );
    // Git may end before it has read everything; its exit code decides.
    child.stdin?.on('error', () => child.stdin?.destroy());
    child.stdin?.end(input ?? '');
  });
}

export async function headOf(repository: string): Promise<string> {
  return (await git(repository, ['rev-parse', 'main'])).trim();
}

interface Raw extends Omit<Commit, 'changes'> {
  parents: string[];
}

const TRAILERS = ['Change-Id', 'Request-Id', 'Event', 'Document-Id', 'Fields'];

/** `git log base..head` goes by the dates of commits and gives up after a few; a soak sets the clock back and ahead. */
async function listSince(repository: string, base: string, head: string): Promise<string[]> {
  const text = await git(repository, ['rev-list', '--parents', head]);
  const lines = text.split('\n').filter(Boolean);
  const parents = new Map(lines.map((line) => line.split(' ')).map(([id = '', ...rest]) => [id, rest]));
  const before = new Set([base]);
  for (const id of before) for (const parent of parents.get(id) ?? []) before.add(parent);
  return [...parents.keys()].filter((id) => !before.has(id));
}

/** Every commit of `base..main`, by id. */
async function readCommits(repository: string, base: string, head: string): Promise<Map<string, Raw>> {
  const trailers = TRAILERS.map((key) => `%(trailers:key=${key},valueonly,separator=%x2C)`);
  const format = `--format=%H%x09%P%x09${trailers.join('%x09')}`;
  const ids = await listSince(repository, base, head);
  if (ids.length === 0) return new Map();
  const text = await git(repository, ['log', '--no-walk=unsorted', '--stdin', format], { input: ids.join('\n') });
  const commits = new Map<string, Raw>();
  for (const line of text.split('\n')) {
    const [id, parents = '', changeId = '', requestId = '', event = '', documentId = '', fields = ''] =
      line.split('\t');
    if (!id) continue;
    commits.set(id, {
      id,
      parents: parents.split(' ').filter(Boolean),
      changeId,
      requestId,
      event,
      documentId,
      fields,
    });
  }
  return commits;
}

export interface Witnessed {
  head: string;
  commits: Commit[];
  /** Commits that are not on the line, from external merges. */
  beside: { id: string; changeId: string }[];
}

/** The line of the branch since `base`; `pushes` say where it was when others moved it. */
export async function readLine(repository: string, base: string, pushes: readonly Push[]): Promise<Witnessed> {
  const head = await headOf(repository);
  const commits = await readCommits(repository, base, head);
  const onto = new Map(pushes.map((push) => [push.commit, push.onto]));
  const line: Raw[] = [];
  for (let id = head; id !== base; ) {
    const commit = commits.get(id);
    if (!commit) throw new Error(`the branch went from ${base} to ${head} without ${id}`);
    line.push(commit);
    commits.delete(id);
    const parent: string | undefined = onto.get(id) ?? commit.parents[0];
    if (!parent) throw new Error(`${id} has no parent, and ${base} is not among its ancestors`);
    if (!onto.has(id) && commit.parents.length !== 1) throw new Error(`${id} has ${commit.parents.length} parents`);
    id = parent;
  }
  line.reverse();
  const changes = await readChanges(
    repository,
    line.map(({ id }, place) => ({ id, parent: line[place - 1]?.id ?? base })),
  );
  return {
    head,
    commits: line.map(({ parents: _, ...commit }) => ({ ...commit, changes: changes.get(commit.id) ?? [] })),
    beside: [...commits.values()].map(({ id, changeId }) => ({ id, changeId })),
  };
}

const GONE = '0'.repeat(40);

async function readChanges(
  repository: string,
  pairs: readonly { id: string; parent: string }[],
): Promise<Map<string, Change[]>> {
  const input = pairs.map(({ id, parent }) => `${id} ${parent}\n`).join('');
  const text = await git(repository, ['diff-tree', '--stdin', '-r', '--raw', '--no-renames', '--no-abbrev'], { input });
  const raw = new Map<string, { place: string; blob: string | undefined }[]>();
  let current: { place: string; blob: string | undefined }[] = [];
  for (const line of text.split('\n')) {
    if (/^[0-9a-f]{40}$/.test(line)) {
      current = [];
      raw.set(line, current);
      continue;
    }
    const found = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*\t(.*)$/.exec(line);
    if (found) current.push({ place: placeOfPath(found[2]!), blob: found[1] === GONE ? undefined : found[1]! });
  }
  const blobs = new Set([...raw.values()].flat().flatMap(({ blob }) => blob ?? []));
  const documents = await readBlobs(repository, [...blobs]);
  const changes = new Map<string, Change[]>();
  for (const [id, list] of raw) {
    changes.set(
      id,
      list.map(({ place, blob }) => (blob ? { place, blob, doc: documents.get(blob)! } : { place })),
    );
  }
  return changes;
}

/** A path that is not a document's stays unchanged, so that it cannot be confused with a document. */
function placeOfPath(path: string): string {
  const [, collection, slug] = /^content\/([^/]+)\/(?:[0-9a-f]{2}\/)?([^/]+)\.json$/.exec(path) ?? [];
  return collection && slug ? `${collection}/${slug}` : `(${path})`;
}

export async function readBlobs(repository: string, blobs: readonly string[]): Promise<Map<string, Doc>> {
  const documents = new Map<string, Doc>();
  if (blobs.length === 0) return documents;
  const input = blobs.map((blob) => `${blob}\n`).join('');
  const bytes = await gitBytes(repository, ['cat-file', '--batch'], { input });
  let at = 0;
  for (const blob of blobs) {
    const headEnd = bytes.indexOf(10, at);
    const [, type, size] = bytes.toString('latin1', at, headEnd).split(' ');
    if (type !== 'blob') throw new Error(`${blob} is ${type}`);
    const end = headEnd + 1 + Number(size);
    documents.set(blob, JSON.parse(bytes.toString('utf8', headEnd + 1, end)) as Doc);
    at = end + 1;
  }
  return documents;
}

/** Blob ids of the documents of the branch, by place. */
export async function readTree(repository: string, head: string): Promise<Map<string, string>> {
  const text = await git(repository, ['ls-tree', '-r', '--format=%(objectname)%x09%(path)', head, 'content/']);
  const lines = text.split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [blob = '', path = ''] = line.split('\t');
      return [placeOfPath(path), blob];
    }),
  );
}
