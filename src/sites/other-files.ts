// Whether a commit changes files of the repository beside content and media, which build commands may read.
import type { SiteConfig } from '../config/site-config.ts';
import { ATTRIBUTES_PATH } from '../lib/git-attributes.ts';
import type { Oid } from '../store/git/objects.ts';
import { parseCommit } from '../store/git/objects.ts';
import { parseTree } from '../store/git/tree.ts';
import type { Odb } from '../store/repository/odb.ts';

const OF_THE_SERVICE = new Set(['content', 'media', ATTRIBUTES_PATH]);

export function createHasOtherFiles(odb: Pick<Odb, 'get'>): (commit: Oid) => boolean {
  function otherFiles(tree: Oid): string {
    const entries = parseTree(odb.get(tree, 'tree')).filter(({ name }) => !OF_THE_SERVICE.has(name));
    return entries.map(({ mode, name, oid }) => `${mode} ${oid} ${name}`).join('\n');
  }

  return (commit) => {
    const { tree, parents } = parseCommit(odb.get(commit, 'commit'));
    const [parent] = parents;
    const before = parent === undefined ? '' : otherFiles(parseCommit(odb.get(parent, 'commit')).tree);
    return otherFiles(tree) !== before;
  };
}

/** A command may read files that no document names. */
export function hasBuildCommand({ build }: Pick<SiteConfig, 'build'>): boolean {
  return build?.command !== undefined || build?.profiles?.some(({ command }) => command !== undefined) === true;
}
