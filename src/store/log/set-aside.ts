// Changes of ours that cannot be replayed on external commits: each is kept as the commit that it was, under a ref, so
// that neither a replay nor a start depends on it, and no maintenance removes it. It is reported for as long as the ref
// exists: an operator removes the ref to say that it has been dealt with.
import path from 'node:path';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import { type Oid, oidOf, parseCommit, replantCommit } from '../git/objects.ts';
import { createPacker } from '../packs/packer.ts';
import { KEPT_REFS, keepCommit, SET_ASIDE_REFS } from '../repository/moved-branch.ts';
import type { Odb } from '../repository/odb.ts';
import { releasePack } from '../repository/pack-files.ts';
import { listRefs, MAIN } from '../repository/refs.ts';
import type { LogEntry } from './entry.ts';
import { findKeptBefore } from './kept-before.ts';
import { basesBefore, loadTree } from './log-state.ts';
import type { Publishable } from './publish/publisher.ts';
import { createTreeSet, type TreeSet } from './tree-set.ts';

export interface SetAsideParts {
  disk: Disk;
  repository: string;
  odb: Odb;
  warn: Warn;
}

/** Keeps the last change of a line that begins on `base`; the problem says why it could not be replayed. */
export type KeepAside = (line: readonly LogEntry[], base: Oid | null, problem: string) => void;

export interface SetAside {
  /** Durable once it returns. */
  keep: KeepAside;
  /** A sentence for each change that is still under its ref, those of earlier processes first. */
  list(): readonly string[];
}

/** How often, at most, to check whether an operator has removed a ref. */
const LOOK_MS = 1000;
/** How many changes of earlier processes are named by their subject and not by their id alone. */
const MAX_NAMED = 100;

export function createSetAside({ disk, repository, odb, warn }: SetAsideParts): SetAside {
  const folder = path.join(repository, 'objects', 'pack');
  /** Sentences by the ref of the kept change. */
  const reports = new Map<string, string>();
  let lookedAt = performance.now();
  for (const ref of listBefore()) {
    const kept = ref.slice(ref.lastIndexOf('/') + 1);
    const name = reports.size < MAX_NAMED ? nameOf(odb, kept) : kept;
    reports.set(ref, `change ${name} was set aside under ${ref} before this start`);
  }

  /** Refs of earlier processes; an earlier version kept its changes among the refs of force-pushes. */
  function listBefore(): string[] {
    const refs = listRefs(disk, repository);
    const kept = refs.flatMap(({ name }) => (name.startsWith(KEPT_REFS) ? [name.slice(KEPT_REFS.length)] : []));
    const head = refs.find(({ name }) => name === MAIN)?.oid;
    const before = findKeptBefore(odb, kept, head);
    return [
      ...[...before].map((commit) => KEPT_REFS + commit),
      ...refs.flatMap(({ name }) => (name.startsWith(SET_ASIDE_REFS) ? [name] : [])),
    ];
  }

  function list(): readonly string[] {
    if (reports.size > 0 && performance.now() - lookedAt >= LOOK_MS) {
      lookedAt = performance.now();
      const existing = new Set(listRefs(disk, repository).map(({ name }) => name));
      for (const ref of reports.keys()) if (!existing.has(ref)) reports.delete(ref);
    }
    return [...reports.values()];
  }

  function keep({ tree, changes }: { tree: TreeSet; changes: readonly Publishable[] }): Oid {
    const { commit } = changes.at(-1)!.entry;
    const directories = new Set(changes.flatMap(({ result }) => result.trees.map(({ path: directory }) => directory)));
    const { name } = createPacker(disk, folder).pack({
      bases: basesBefore(changes, tree, directories),
      commits: changes.map(({ entry, result: { blobs, trees } }) => ({
        oid: entry.commit,
        body: entry.body,
        blobs,
        trees,
      })),
    });
    keepCommit(disk, repository, commit, SET_ASIDE_REFS);
    releasePack(disk, folder, name);
    odb.refresh();
    return commit;
  }

  return {
    keep(line, base, problem) {
      const aside = line.at(-1)!;
      const isStored = odb.has(aside.commit);
      if (isStored) keepCommit(disk, repository, aside.commit, SET_ASIDE_REFS);
      const kept = isStored ? aside.commit : keep(asItWas(odb, line, base) ?? alone(aside));
      const text = `change "${subjectOf(aside.body)}" (${aside.commit}) was set aside under ${SET_ASIDE_REFS}${kept}: ${problem}`;
      reports.set(SET_ASIDE_REFS + kept, text);
      warn(text);
    },
    list,
  };
}

function subjectOf(body: Buffer): string {
  return parseCommit(body).message.split('\n', 1)[0]!;
}

function nameOf(odb: Odb, commit: Oid): string {
  try {
    return `"${subjectOf(odb.get(commit, 'commit'))}" (${commit})`;
  } catch {
    return commit; // verify reports objects that cannot be read; a start must not fail for one
  }
}

/** The commits of the line with everything that they reach; undefined if their base cannot be read. */
function asItWas(odb: Odb, line: readonly LogEntry[], base: Oid | null) {
  try {
    const tree = loadTree(odb, base);
    const changes = line.map((entry) => ({ entry, result: tree.apply(entry.files) }));
    const isSame = changes.every(({ entry, result }) => parseCommit(entry.body).tree === result.root);
    return isSame ? { tree, changes } : undefined;
  } catch {
    return undefined; // whatever is wrong with it, the change's own files are available
  }
}

/** A commit with the change's own files and nothing else. */
function alone({ body: was, files }: LogEntry) {
  const tree = createTreeSet(null, () => Buffer.alloc(0));
  const result = tree.apply(files.filter(({ content }) => content));
  const body = replantCommit(was, result.root, null);
  return { tree, changes: [{ entry: { commit: oidOf('commit', body), body, files }, result }] };
}
