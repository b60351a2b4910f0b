// Changes of ours that cannot be put on what somebody else made of the repository: each is kept as the commit that it was,
// under a ref, so that neither a replay nor a start depends on it, and no maintenance removes it.
import path from 'node:path';
import type { Disk } from './disk.ts';
import type { LogEntry } from './entry.ts';
import { basesBefore, loadTree } from './log-state.ts';
import { KEPT_REFS, keepCommit } from './moved-branch.ts';
import { type Oid, oidOf, parseCommit, replantCommit } from './objects.ts';
import type { Odb } from './odb.ts';
import { releasePack } from './pack-files.ts';
import { createPacker } from './packer.ts';
import type { Publishable } from './publisher.ts';
import { createTreeSet, type TreeSet } from './tree-set.ts';

export interface SetAsideParts {
  disk: Disk;
  repository: string;
  odb: Odb;
  warn(message: string): void;
}

/** The last change of a line that begins on `base` could not be put elsewhere, for this reason. */
export type KeepAside = (line: readonly LogEntry[], base: Oid | null, problem: string) => void;

/** Durable once it returns. */
export function createKeepAside({ disk, repository, odb, warn }: SetAsideParts): KeepAside {
  const folder = path.join(repository, 'objects', 'pack');

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
    keepCommit(disk, repository, commit);
    releasePack(disk, folder, name);
    odb.refresh();
    return commit;
  }

  return (line, base, problem) => {
    const aside = line.at(-1)!;
    const isStored = odb.has(aside.commit);
    if (isStored) keepCommit(disk, repository, aside.commit);
    const kept = isStored ? aside.commit : keep(asItWas(odb, line, base) ?? alone(aside));
    const [subject] = parseCommit(aside.body).message.split('\n', 1);
    warn(`change "${subject}" (${aside.commit}) was set aside under ${KEPT_REFS}${kept}: ${problem}`);
  };
}

/** The commits of the line with all that they reach; undefined if what they were made on cannot be read. */
function asItWas(odb: Odb, line: readonly LogEntry[], base: Oid | null) {
  try {
    const tree = loadTree(odb, base);
    const changes = line.map((entry) => ({ entry, result: tree.apply(entry.files) }));
    const isSame = changes.every(({ entry, result }) => parseCommit(entry.body).tree === result.root);
    return isSame ? { tree, changes } : undefined;
  } catch {
    return undefined; // whatever is wrong with it, the change's own files are at hand
  }
}

/** A commit of the change's own files and nothing else. */
function alone({ body: was, files }: LogEntry) {
  const tree = createTreeSet(null, () => Buffer.alloc(0));
  const result = tree.apply(files.filter(({ content }) => content));
  const body = replantCommit(was, result.root, null);
  return { tree, changes: [{ entry: { commit: oidOf('commit', body), body, files }, result }] };
}
