// Somebody else at the repository: commits as git makes them, with loose objects and a ref that is locked and renamed.
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { encodeCommit, type ObjectType, type Oid, oidOf, parseCommit } from '../../../src/store/objects.ts';
import { createOdb } from '../../../src/store/odb.ts';
import { createBranch } from '../../../src/store/refs.ts';
import { readEntries } from '../../../src/store/tree-check.ts';
import { listLog } from './check.ts';
import { type Files, REPOSITORY, type Stage } from './stage.ts';

interface Entry {
  name: string;
  mode: string;
  oid: Oid;
}

const PERSON = { name: 'Grace', email: 'grace@example.org' };

/** Commits files on top of the branch, or of another commit, and moves the branch there. */
export function commitOutside(stage: Stage, files: Files, on?: Oid | null): Oid {
  const { disk } = stage;
  const branch = createBranch(disk, REPOSITORY);
  const head = branch.read();
  const odb = createOdb(disk, REPOSITORY);
  const parent = on === undefined ? head : on;

  function store(type: ObjectType, body: Buffer): Oid {
    const oid = oidOf(type, body);
    const folder = path.join(REPOSITORY, 'objects', oid.slice(0, 2));
    const file = path.join(folder, oid.slice(2));
    if (disk.stat(file)) return oid;
    disk.makeFolder(folder);
    disk.createFile(`${folder}/tmp_obj_1`, [
      deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])),
    ]);
    disk.rename(`${folder}/tmp_obj_1`, file);
    disk.syncFolder(folder);
    return oid;
  }

  function storeTree(before: Oid | undefined, changed: [string[], string | null][]): Oid {
    const entries = new Map<string, Entry>();
    for (const entry of before ? readEntries(odb.get(before, 'tree')) : []) entries.set(entry.name, entry);
    for (const name of new Set(changed.map(([segments]) => segments[0]!))) {
      const inside = changed.filter(([segments]) => segments[0] === name);
      const [[segments, text]] = inside as [[string[], string | null]];
      if (segments.length > 1) {
        const below = inside.map(([[, ...rest], content]): [string[], string | null] => [rest, content]);
        entries.set(name, { name, mode: '40000', oid: storeTree(entries.get(name)?.oid, below) });
      } else if (text === null) entries.delete(name);
      else entries.set(name, { name, mode: '100644', oid: store('blob', Buffer.from(text)) });
    }
    const order = ({ name, mode }: Entry): string => (mode === '40000' ? `${name}/` : name);
    const sorted = [...entries.values()].sort((a, b) => Buffer.compare(Buffer.from(order(a)), Buffer.from(order(b))));
    const parts = sorted.map(({ name, mode, oid }) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
    );
    return store('tree', Buffer.concat(parts));
  }

  const base = parent ? parseCommit(odb.get(parent, 'commit')).tree : undefined;
  const tree = storeTree(
    base,
    Object.entries(files).map(([file, text]) => [file.split('/'), text]),
  );
  const commit = store(
    'commit',
    encodeCommit({
      tree,
      parents: parent ? [parent] : [],
      author: PERSON,
      committer: PERSON,
      authoredAt: 1_767_400_000,
      committedAt: 1_767_400_000,
      message: 'beside the service\n',
    }),
  );
  if (parent !== head) {
    const kept = new Set(listLog(odb, parent).map(({ commit: oid }) => oid));
    const dropped = listLog(odb, head).filter(({ commit: oid }) => !kept.has(oid));
    stage.note({ kind: 'dropped', changeIds: dropped.flatMap(({ changeId }) => changeId ?? []) });
  }
  stage.note({ kind: 'operator' });
  stage.note({ kind: 'outside', commit, files });
  odb.close();
  moveBranch(stage, commit);
  stage.note({ kind: 'stands', commit });
  return commit;
}

function moveBranch({ disk }: Stage, commit: Oid): void {
  const file = path.join(REPOSITORY, 'refs/heads/main');
  disk.createFile(`${file}.lock`, [Buffer.from(`${commit}\n`)]);
  disk.rename(`${file}.lock`, file);
  disk.syncFolder(path.dirname(file));
}
