// An external writer at the repository: commits as git makes them, with loose objects and a ref that is locked and
// renamed, or in a pack that waits in a quarantine.
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Oid } from '../../../src/store/git/objects.ts';
import { createOdb } from '../../../src/store/repository/odb.ts';
import type { Quarantine } from '../../../src/store/repository/quarantine.ts';
import { createBranch } from '../../../src/store/repository/refs.ts';
import { type ExternalObject, makeExternalCommit } from './external-commit.ts';
import { encodeExternalPack } from './external-pack.ts';
import { listLog } from './logged.ts';
import { type Files, REPOSITORY, type Stage } from './stage.ts';

/** Commits files on top of the branch, or of another commit, and moves the branch there. */
export function commitOutside(stage: Pick<Stage, 'disk' | 'note'>, files: Files, on?: Oid | null): Oid {
  const { disk } = stage;
  const branch = createBranch(disk, REPOSITORY);
  const head = branch.read();
  const odb = createOdb(disk, REPOSITORY);
  const parent = on === undefined ? head : on;

  function store({ oid, type, body }: ExternalObject): void {
    const folder = path.join(REPOSITORY, 'objects', oid.slice(0, 2));
    const file = path.join(folder, oid.slice(2));
    if (disk.stat(file)) return;
    disk.makeFolder(folder);
    disk.createFile(`${folder}/tmp_obj_1`, [
      deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])),
    ]);
    disk.rename(`${folder}/tmp_obj_1`, file);
    disk.syncFolder(folder);
  }

  const { commit, objects } = makeExternalCommit(odb, parent, files);
  objects.forEach(store);
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

function moveBranch({ disk }: Pick<Stage, 'disk'>, commit: Oid): void {
  const file = path.join(REPOSITORY, 'refs/heads/main');
  disk.createFile(`${file}.lock`, [Buffer.from(`${commit}\n`)]);
  disk.rename(`${file}.lock`, file);
  disk.syncFolder(path.dirname(file));
}

/**
 * What `git index-pack` leaves in the quarantine of a push, without a sync as some settings have it; returns the
 * commit.
 */
export function receiveInto({ files: { calls } }: Stage, quarantine: Quarantine, files: Files, on: Oid | null): Oid {
  const { commit, objects } = makeExternalCommit(quarantine.odb, on, files);
  const { name, pack, index } = encodeExternalPack(objects);
  for (const [extension, bytes] of [
    ['pack', pack],
    ['idx', index],
  ] as const) {
    const file = path.join(quarantine.objects, 'pack', `${name}.${extension}`);
    const fd = calls.openSync(path.join(path.dirname(file), `tmp_${extension}_1`), 'wx');
    calls.writeSync(fd, bytes, 0, bytes.length);
    calls.closeSync(fd);
    calls.renameSync(path.join(path.dirname(file), `tmp_${extension}_1`), file);
  }
  return commit;
}
