// What must hold for any image that a crash leaves: the store opens; every acknowledged change is in the log once, in
// order and byte for byte; a refused one is not; any other is whole or absent; a further write works and stays.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Oid, parseCommit } from '../../../src/store/git/objects.ts';
import { readTreeEntries } from '../../../src/store/git/tree-check.ts';
import { createOdb, type Odb } from '../../../src/store/repository/odb.ts';
import { listRefs } from '../../../src/store/repository/refs.ts';
import { verifyStore } from '../../../src/store/verify.ts';
import type { DiskEvent, FolderImage } from '../disk-images.ts';
import { createMemoryDisk, type MemoryDisk } from '../memory-disk.ts';
import { createMemoryFiles } from '../memory-files.ts';
import type { StoppedTime } from '../stopped-time.ts';
import { append, fsck } from '../store-world.ts';
import { createHost, HOST_REPOSITORY, type HostState } from './host.ts';
import { type Logged, listLog } from './logged.ts';
import { checkMediaBytes } from './media-bytes.ts';
import { chooseIfMoved, type Files, FOLDER, type Note, openOn, REPOSITORY, removeForeignLock } from './stage.ts';
import { syncWithHost } from './sync-with-host.ts';

/** What had been promised by the moment of the crash. */
export interface Promises {
  submitted: Map<string, Files>;
  acknowledged: string[];
  refused: Set<string>;
  outside: Map<Oid, Files>;
  /** Commits that a push through the service brings: the pusher is known once they are on the branch. */
  pushed: Set<Oid>;
  /** External commits whose push had been answered. */
  standing: Oid[];
  hasOperator: boolean;
  /** Our newest commit, if the branch was found moved away from it. */
  away: Oid | undefined;
  /** Our newest commit before the external history was kept: it must not get lost. */
  kept: Oid | undefined;
  /** Changes whose commits an external update removed from the branch. */
  dropped: Set<string>;
  /** The remote at that moment. */
  host: HostState | undefined;
  /** The commits at which each tag of ours may be now. */
  tags: Map<string, (string | null)[]>;
}

export function createPromises(): Promises {
  return {
    submitted: new Map(),
    acknowledged: [],
    refused: new Set(),
    outside: new Map(),
    pushed: new Set(),
    standing: [],
    hasOperator: false,
    away: undefined,
    kept: undefined,
    dropped: new Set(),
    host: undefined,
    tags: new Map(),
  };
}

export function copyPromises(promised: Promises): Promises {
  return {
    ...promised,
    submitted: new Map(promised.submitted),
    acknowledged: [...promised.acknowledged],
    refused: new Set(promised.refused),
    outside: new Map(promised.outside),
    pushed: new Set(promised.pushed),
    standing: [...promised.standing],
    dropped: new Set(promised.dropped),
    tags: new Map(promised.tags),
  };
}

export function addPromise(promised: Promises, event: DiskEvent): void {
  if (event.kind !== 'note') return;
  const note = event.note as Note;
  if (note.kind === 'submitted') promised.submitted.set(note.changeId, note.files);
  else if (note.kind === 'acknowledged') promised.acknowledged.push(note.changeId);
  else if (note.kind === 'refused') promised.refused.add(note.changeId);
  else if (note.kind === 'outside') {
    promised.outside.set(note.commit, note.files);
    if (note.isPushed) promised.pushed.add(note.commit);
  } else if (note.kind === 'stands') promised.standing.push(note.commit);
  else if (note.kind === 'operator') promised.hasOperator = true;
  else if (note.kind === 'host') promised.host = note.state;
  else if (note.kind === 'away') promised.away = note.commit;
  else if (note.kind === 'tag') {
    const before = note.isAnswered ? [] : (promised.tags.get(note.name) ?? [null]);
    promised.tags.set(note.name, [...before, note.commit]);
  } else if (note.kind === 'kept') promised.kept = note.commit;
  else if (note.kind === 'dropped') for (const changeId of note.changeIds) promised.dropped.add(changeId);
  else if (note.kind === 'choosing') {
    promised.kept = note.keep === 'theirs' ? promised.away : undefined;
    promised.away = undefined;
    if (note.keep === 'ours') promised.standing.length = 0;
  } else if (note.keep === 'ours') promised.dropped.clear();
}

/** Equal keys mean equal promises. */
export function keyOf({ acknowledged, refused, outside, standing, dropped, away, kept, host, tags }: Promises): string {
  return [
    acknowledged.length,
    refused.size,
    outside.size,
    standing.length,
    dropped.size,
    away,
    kept,
    host?.head,
    ...[...tags].flat(2),
  ].join();
}

/** Throws if something is wrong. `withGit`: git checks the repository too. */
export async function checkImage(
  image: FolderImage,
  promised: Promises,
  time: StoppedTime,
  withGit: boolean,
): Promise<void> {
  const disk = createMemoryDisk(undefined, createMemoryFiles(image));
  const store = openOn(disk);
  removeForeignLock(disk, promised.hasOperator);
  for (const [name, places] of promised.tags) {
    const found = store.tags.find(name);
    assert.ok(places.includes(found), `tag ${name} is at ${found}, and not at ${places.join(' or ')}`);
    // Leftovers do not keep the tag from being made or removed.
    await time.until(store.tags.remove(name));
    assert.equal(store.tags.find(name), null);
  }
  const keep = promised.acknowledged.length % 2 ? 'ours' : 'theirs';
  const wasMoved = await chooseIfMoved(store, keep, time);
  if (promised.away) assert.ok(wasMoved, 'a choice is still needed');
  const hasKeptOurs = wasMoved && keep === 'ours';
  const host = promised.host && createHost(promised.host, () => undefined);
  const sync = () => syncWithHost({ host, disk, store, time, note: () => undefined });
  if (host) await sync();
  const { changeId, durable } = append(store, { 'content/posts/after.json': 'still works' });
  await time.until(durable);
  await time.until(store.log.flush());
  const log = listLog(store.odb, store.log.status().gitHead);
  if (host) {
    checkHost(log, promised.host!);
    await sync();
    assert.equal(host.state.head, store.log.status().gitHead, 'the remote has all of it');
  }
  assert.equal(log.at(-1)?.changeId, changeId, 'the last change is the one that was written last');
  checkLog(log.slice(0, -1), promised, hasKeptOurs);
  for (const { commit } of log) {
    if (promised.pushed.has(commit))
      assert.equal(store.notes.find(commit), `Via: push\nTo: ${commit}\n`, 'the note says who pushed it');
  }
  checkContents(
    store.odb,
    log,
    new Map(promised.submitted).set(changeId, { 'content/posts/after.json': 'still works' }),
    promised,
  );
  await checkMediaBytes(disk, store, time, changesOf(log, promised));
  await time.until(store.close());
  if (promised.kept && !log.some(({ commit }) => commit === promised.kept)) checkKept(disk, promised.kept);
  checkTidy(disk);
  const { problems } = await time.until(verifyStore({ repository: REPOSITORY, wal: `${FOLDER}/wal`, disk }));
  assert.deepEqual(problems, [], 'the repository is whole');
  const again = openOn(disk);
  assert.equal(again.log.status().head, log.at(-1)?.commit, 'another start finds the same');
  assert.equal(again.recovered.length, 0);
  await time.until(again.close());
  if (withGit) checkWithGit(disk);
}

/** The files that each change in the log wrote. */
function changesOf(log: readonly Logged[], { submitted }: Promises): Files[] {
  return log.flatMap(({ changeId }) => {
    const files = changeId === undefined ? undefined : submitted.get(changeId);
    return files ? [files] : [];
  });
}

/** Every commit of the remote must be below our newest one. */
function checkHost(log: readonly Logged[], { disk, head }: HostState): void {
  const commits = new Set(log.map(({ commit }) => commit));
  for (const { commit } of listLog(createOdb(disk, HOST_REPOSITORY), head))
    assert.ok(commits.has(commit), `${commit} of the remote is gone`);
}

function checkKept(disk: MemoryDisk, commit: Oid): void {
  const refs = listRefs(disk, REPOSITORY).map(({ oid }) => oid);
  assert.ok(refs.includes(commit), `${commit} was removed from the branch and is kept by no ref`);
}

/** Half-made files, and markers of work in progress, must not stay forever. Git's own files are left to git. */
function checkTidy(disk: MemoryDisk): void {
  const walk = (folder: string): string[] =>
    disk.list(folder).flatMap((name) => {
      const file = `${folder}/${name}`;
      return disk.stat(file)?.isDirectory() ? walk(file) : [file];
    });
  const left = walk(FOLDER).filter((file) => /\.keep$|\.tmp$|\.lock$|colophon_new_|colophon-(?!new)/.test(file));
  assert.deepEqual(left, [], 'nothing half-made is left');
  assert.deepEqual(disk.list(`${FOLDER}/incoming`), [], 'nothing of pushes that were not accepted is left');
}

function checkLog(log: readonly Logged[], promised: Promises, hasKeptOurs: boolean): void {
  const ids = log.flatMap(({ changeId }) => changeId ?? []);
  assert.equal(new Set(ids).size, ids.length, 'each change is in the log once');
  const known = new Set(promised.acknowledged);
  // Changes that an external update removed from the branch may be gone: they were removed on purpose.
  const mustBeThere = promised.acknowledged.filter(
    (id) => hasKeptOurs || !promised.dropped.has(id) || ids.includes(id),
  );
  assert.deepEqual(
    ids.filter((id) => known.has(id)),
    mustBeThere,
    'acknowledged changes are in the log, in order',
  );
  const commits = new Set(log.map(({ commit }) => commit));
  for (const commit of promised.standing)
    assert.ok(hasKeptOurs || commits.has(commit), `${commit} is external, and gone`);
  for (const { commit, changeId } of log) {
    if (changeId === undefined) assert.ok(promised.outside.has(commit), `${commit} is unknown`);
    else assert.ok(promised.submitted.has(changeId), `${changeId} was never submitted`);
    assert.ok(!promised.refused.has(changeId ?? ''), 'refused changes are not in the log');
  }
}

/** The newest tree is the result of the log's changes, file by file. */
function checkContents(
  odb: Odb,
  log: readonly Logged[],
  submitted: ReadonlyMap<string, Files>,
  promised: Promises,
): void {
  const expected = new Map<string, string>();
  for (const { commit, changeId } of log) {
    const files = changeId === undefined ? promised.outside.get(commit) : submitted.get(changeId);
    for (const [file, text] of Object.entries(files ?? {})) {
      if (text === null) expected.delete(file);
      else expected.set(file, text);
    }
  }
  const actual = new Map<string, string>();
  const walk = (tree: Oid, where: string): void => {
    for (const { name, mode, oid } of readTreeEntries(odb.get(tree, 'tree'))) {
      if (mode === '40000') walk(oid, `${where}${name}/`);
      else actual.set(`${where}${name}`, odb.get(oid, 'blob').toString());
    }
  };
  walk(parseCommit(odb.get(log.at(-1)!.commit, 'commit')).tree, '');
  assert.deepEqual([...actual].sort(), [...expected].sort(), 'the files are what the changes leave');
}

function checkWithGit(disk: MemoryDisk): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-crash-'));
  try {
    disk.copyTo(REPOSITORY, folder);
    assert.equal(fsck(folder), '', 'git finds the repository whole');
    execFileSync('git', ['-C', folder, 'rev-parse', '--verify', '--quiet', 'refs/heads/main'], { stdio: 'pipe' });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
