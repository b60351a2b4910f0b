// A commit of files that are not in a repository, as the checks of a push read one. In memory alone.
import type { WorkingFile } from '../../cli/working-tree.ts';
import { encodeCommit, type ObjectType, type Oid, oidOf } from '../../store/git/objects.ts';
import { encodeTreeEntry, TREE_MODE, toKey } from '../../store/git/tree.ts';
import { ObjectTooLargeError, type Odb } from '../../store/repository/odb.ts';

interface Kept {
  type: ObjectType;
  sizeBytes: number;
  body: Buffer | undefined;
}

type Folder = Map<string, Folder | WorkingFile>;

const NOBODY = { name: 'Colophon', email: 'colophon@localhost' };

export function createMemoryOdb(files: readonly WorkingFile[], now: Date): { odb: Odb; commit: Oid; tree: Oid } {
  const objects = new Map<Oid, Kept>();

  function add(type: ObjectType, body: Buffer): Oid {
    const oid = oidOf(type, body);
    objects.set(oid, { type, sizeBytes: body.length, body });
    return oid;
  }

  function addFolder(folder: Folder): Oid {
    const entries = [...folder].map(([name, one]) => {
      const [mode, oid] = one instanceof Map ? [TREE_MODE, addFolder(one)] : [one.mode, one.oid];
      return { key: toKey(name, mode === TREE_MODE), bytes: encodeTreeEntry(name, mode, oid) };
    });
    entries.sort((a, b) => (a.key < b.key ? -1 : 1));
    return add('tree', Buffer.concat(entries.map(({ bytes }) => bytes)));
  }

  for (const { oid, sizeBytes, content } of files) objects.set(oid, { type: 'blob', sizeBytes, body: content });
  const tree = addFolder(toFolder(files));
  const seconds = Math.floor(now.getTime() / 1000);
  const commit = add(
    'commit',
    encodeCommit({
      ...{ tree, parents: [], author: NOBODY, committer: NOBODY },
      ...{ authoredAt: seconds, committedAt: seconds, message: 'Checked\n' },
    }),
  );
  const odb: Odb = {
    find(oid) {
      const { type, body } = objects.get(oid) ?? {};
      return type && body && { type, body };
    },
    get(oid, type, limitBytes = Number.POSITIVE_INFINITY) {
      const found = objects.get(oid);
      if (found && found.sizeBytes > limitBytes) throw new ObjectTooLargeError(limitBytes);
      if (found?.type !== type || !found.body) throw new Error(`object ${oid} is missing`);
      return found.body;
    },
    has: (oid) => objects.has(oid),
    *readAhead() {},
    measure(oid) {
      const found = objects.get(oid);
      return found && { type: found.type, sizeBytes: found.sizeBytes, largestBytes: found.sizeBytes };
    },
    locate: () => undefined,
    refresh: () => undefined,
    close: () => undefined,
  };
  return { odb, commit, tree };
}

function toFolder(files: readonly WorkingFile[]): Folder {
  const root: Folder = new Map();
  for (const file of files) {
    const names = file.path.split('/');
    let folder = root;
    for (const name of names.slice(0, -1)) {
      const inner = folder.get(name);
      const next: Folder = inner instanceof Map ? inner : new Map();
      folder.set(name, next);
      folder = next;
    }
    folder.set(names.at(-1)!, file);
  }
  return root;
}
