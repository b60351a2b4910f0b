// Refuses a folder that cannot be a site's content repository, with one sentence that says what to do. Otherwise a
// repository that cannot be read in full, or whose history is not on main, would open as an empty site. Changes
// nothing.
import path from 'node:path';
import { ServiceError } from '../../lib/errors.ts';
import type { Disk } from '../disk/disk.ts';
import { type Oid, parseCommit } from '../git/objects.ts';
import { createMovedBranch } from './moved-branch.ts';
import type { Odb } from './odb.ts';
import { listRefs, MAIN } from './refs.ts';

/** Most branches that a message lists. */
const MOST_NAMES = 5;

/** @throws ServiceError `unavailable` */
export function checkRepository(disk: Disk, repository: string): void {
  const about = disk.stat(repository);
  if (!about) return;
  const refused = (what: string, remedy: string): ServiceError =>
    new ServiceError('unavailable', `content repository "${repository}" ${what}; ${remedy}`);
  const read = (name: string): string | undefined => disk.readFile(path.join(repository, name))?.toString('utf8');

  if (!about.isDirectory()) throw refused('is a file', 'put a bare repository there (`git clone --mirror`)');
  const names = disk.list(repository);
  if (names.includes('.git')) {
    throw refused(
      'is a working copy (it has a .git)',
      'move it away and put a bare clone of it there: `git clone --mirror <working copy> content.git`',
    );
  }
  if (names.length > 0 && !names.includes('objects')) {
    throw refused('contains files but is not a git repository', 'move them away, or put a bare repository there');
  }
  if (names.includes('commondir')) {
    throw refused('is a linked work tree of another repository', 'put a bare clone of that repository there');
  }
  checkFormat();
  checkObjects();
  checkBranch();

  function checkFormat(): void {
    const settings = parseSettings(read('config') ?? '');
    const objectFormat = settings.get('extensions.objectformat') ?? 'sha1';
    if (objectFormat !== 'sha1') throw refused(`uses "${objectFormat}" object ids`, 'use one with sha1 object ids');
    const refStorage = settings.get('extensions.refstorage') ?? 'files';
    if (refStorage !== 'files')
      throw refused(`stores its refs as "${refStorage}"`, 'run `git refs migrate --ref-format=files` in it');
    if (settings.has('extensions.partialclone') || settings.get('remote.promisor') === 'true') {
      throw refused('is a partial clone, which lacks objects', 'clone it without --filter');
    }
  }

  /** The whole history must be here. */
  function checkObjects(): void {
    if (read('shallow')?.trim()) {
      throw refused('is a shallow clone', 'run `git fetch --unshallow` in it, or clone it without --depth');
    }
    const lines = read('objects/info/alternates')?.split('\n') ?? [];
    const lenders = lines.filter((line) => line !== '' && !line.startsWith('#'));
    const isThere = (lender: string): boolean => !!disk.stat(path.resolve(repository, 'objects', lender));
    const [gone] = lenders.filter((lender) => !isThere(lender));
    if (gone !== undefined) {
      throw refused(
        `borrows objects from "${gone}", which does not exist`,
        'restore that folder, or make a full clone of the repository',
      );
    }
    if (lenders.length > 0) {
      throw refused(
        'borrows objects from another repository',
        'run `git repack -ad` in it and remove objects/info/alternates',
      );
    }
  }

  /** Without main there may be no history at all. */
  function checkBranch(): void {
    // A branch that was moved under a running service waits for a choice; `moved-branch.ts` knows where it was.
    if (createMovedBranch(disk, repository).read() !== null) return;
    if (disk.stat(path.join(repository, MAIN))) return;
    const refs = listRefs(disk, repository);
    if (refs.some(({ name }) => name === MAIN)) return;
    const branches = refs.flatMap(({ name }) => (name.startsWith('refs/heads/') ? name.slice(11) : [])).sort();
    if (branches.length > 0) {
      const [only] = branches;
      const remedy =
        branches.length === 1
          ? `run \`git branch -m ${only} main\` in it, or push to main`
          : 'rename the right one with `git branch -m <branch> main`, or push to main';
      throw refused(`has no branch "main", but ${nameSome(branches)}`, remedy);
    }
    const head = read('HEAD')?.trim() ?? '';
    if (/^[0-9a-f]{40}$/.test(head)) {
      throw refused(`has no branch and a HEAD detached at "${head}"`, `run \`git branch main ${head}\` in it`);
    }
    const others = refs.flatMap(({ name }) => (/^refs\/(tags|colophon\/kept)\//.test(name) ? name : []));
    if (others.length > 0) {
      throw refused(
        `has no branch "main", but ${nameSome(others)}`,
        'create main at the right commit: `git branch main <commit>`',
      );
    }
  }
}

/** @throws ServiceError `unavailable` if the branch leads to missing objects, which would make every request fail */
export function checkTip(odb: Odb, repository: string, tip: Oid | null): void {
  if (tip === null) return;
  const commit = odb.find(tip);
  const lacks = (what: string): ServiceError =>
    new ServiceError(
      'unavailable',
      `content repository "${repository}" lacks ${what}, which main needs; restore the objects that \`git fsck\` lists`,
    );
  if (!commit) throw lacks(`commit "${tip}"`);
  if (commit.type !== 'commit') {
    throw new ServiceError(
      'unavailable',
      `main of content repository "${repository}" points to "${tip}", which is a ${commit.type}; point it to a commit`,
    );
  }
  const { tree } = parseCommit(commit.body);
  if (!odb.has(tree)) throw lacks(`tree "${tree}"`);
}

function nameSome(names: readonly string[]): string {
  const quoted = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  return names.length > MOST_NAMES ? `${quoted.join(', ')} and ${names.length - MOST_NAMES} more` : quoted.join(', ');
}

/** Maps `section.key`, in lower case, to the value; parses as much of git-config(1) as the settings above need. */
function parseSettings(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    const head = /^\s*\[\s*([^\]\s"]+)/.exec(line)?.[1];
    if (head) section = head.toLowerCase();
    const [, key, value] = /^\s*([A-Za-z][\w-]*)\s*=\s*"?([^"#;]*?)"?\s*$/.exec(line) ?? [];
    if (key) settings.set(`${section}.${key.toLowerCase()}`, (value ?? '').toLowerCase());
  }
  return settings;
}
