// What must hold for any image that a crash leaves: the store opens; every acknowledged change is there once, in order
// and byte for byte; a refused one is not; any other one is whole or absent; a further write works and stays.

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

/** What had been promised at the moment of the crash. */
export interface Told {
  submitted: Map<string, Files>;
  acknowledged: string[];
  refused: Set<string>;
  outside: Map<Oid, Files>;
  /** Those that a push through the service brings: the pusher is known once they are on the branch. */
  pushed: Set<Oid>;
  /** External commits whose push had been answered. */
  standing: Oid[];
  hasOperator: boolean;
  /** Our newest commit, if the branch has been found moved away from it. */
  away: Oid | undefined;
  /** Our newest commit before somebody kept theirs: it must not get lost. */
  kept: Oid | undefined;
  /** Changes whose commits an external update removed from the branch. */
  dropped: Set<string>;
  /** The remote at that moment. */
  host: HostState | undefined;
  /** The commits at which each tag of ours may be now. */
  tags: Map<string, (string | null)[]>;
}

export function createTold(): Told {
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

export function copyTold(told: Told): Told {
  return {
    ...told,
    submitted: new Map(told.submitted),
    acknowledged: [...told.acknowledged],
    refused: new Set(told.refused),
    outside: new Map(told.outside),
    pushed: new Set(told.pushed),
    standing: [...told.standing],
    dropped: new Set(told.dropped),
    tags: new Map(told.tags),
  };
}

export function tell(told: Told, event: DiskEvent): void {
  if (event.kind !== 'note') return;
  const note = event.note as Note;
  if (note.kind === 'submitted') told.submitted.set(note.changeId, note.files);
  else if (note.kind === 'acknowledged') told.acknowledged.push(note.changeId);
  else if (note.kind === 'refused') told.refused.add(note.changeId);
  else if (note.kind === 'outside') {
    told.outside.set(note.commit, note.files);
    if (note.isPushed) told.pushed.add(note.commit);
  } else if (note.kind === 'stands') told.standing.push(note.commit);
  else if (note.kind === 'operator') told.hasOperator = true;
  else if (note.kind === 'host') told.host = note.state;
  else if (note.kind === 'away') told.away = note.commit;
  else if (note.kind === 'tag') {
    const before = note.isAnswered ? [] : (told.tags.get(note.name) ?? [null]);
    told.tags.set(note.name, [...before, note.commit]);
  } else if (note.kind === 'kept') told.kept = note.commit;
  else if (note.kind === 'dropped') for (const changeId of note.changeIds) told.dropped.add(changeId);
  else if (note.kind === 'choosing') {
    told.kept = note.keep === 'theirs' ? told.away : undefined;
    told.away = undefined;
    if (note.keep === 'ours') told.standing.length = 0;
  } else if (note.keep === 'ours') told.dropped.clear();
}

/** Equal keys mean equal promises. */
export function keyOf({ acknowledged, refused, outside, standing, dropped, away, kept, host, tags }: Told): string {
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

/** Throws if something is not as it must be. `withGit`: git checks the repository too. */
export async function checkImage(image: FolderImage, told: Told, time: StoppedTime, withGit: boolean): Promise<void> {
  const disk = createMemoryDisk(undefined, createMemoryFiles(image));
  const store = openOn(disk);
  removeForeignLock(disk, told.hasOperator);
  for (const [name, places] of told.tags) {
    const found = store.tags.find(name);
    assert.ok(places.includes(found), `tag ${name} is at ${found}, and not at ${places.join(' or ')}`);
    // Leftovers do not keep the tag from being made or removed.
    await time.until(store.tags.remove(name));
    assert.equal(store.tags.find(name), null);
  }
  const keep = told.acknowledged.length % 2 ? 'ours' : 'theirs';
  const wasMoved = await chooseIfMoved(store, keep, time);
  if (told.away) assert.ok(wasMoved, 'somebody still has to choose');
  const hasKeptOurs = wasMoved && keep === 'ours';
  const host = told.host && createHost(told.host, () => undefined);
  const sync = () => syncWithHost({ host, disk, store, time, note: () => undefined });
  if (host) await sync();
  const { changeId, durable } = append(store, { 'content/posts/after.json': 'still works' });
  await time.until(durable);
  await time.until(store.log.flush());
  const log = listLog(store.odb, store.log.status().gitHead);
  if (host) {
    checkHost(log, told.host!);
    await sync();
    assert.equal(host.state.head, store.log.status().gitHead, 'the remote has all of it');
  }
  assert.equal(log.at(-1)?.changeId, changeId, 'the last change is the one that was written last');
  checkLog(log.slice(0, -1), told, hasKeptOurs);
  for (const { commit } of log) {
    if (told.pushed.has(commit)) assert.equal(store.notes.find(commit), `Via: push\nTo: ${commit}\n`, 'who pushed it');
  }
  checkContents(
    store.odb,
    log,
    new Map(told.submitted).set(changeId, { 'content/posts/after.json': 'still works' }),
    told,
  );
  await checkMediaBytes(disk, store, time, changesOf(log, told));
  await time.until(store.close());
  if (told.kept && !log.some(({ commit }) => commit === told.kept)) checkKept(disk, told.kept);
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
function changesOf(log: readonly Logged[], { submitted }: Told): Files[] {
  return log.flatMap(({ changeId }) => {
    const files = changeId === undefined ? undefined : submitted.get(changeId);
    return files ? [files] : [];
  });
}

/** What was at the remote is below what is here now. */
function checkHost(log: readonly Logged[], { disk, head }: HostState): void {
  const commits = new Set(log.map(({ commit }) => commit));
  for (const { commit } of listLog(createOdb(disk, HOST_REPOSITORY), head))
    assert.ok(commits.has(commit), `${commit} of the remote is gone`);
}

function checkKept(disk: MemoryDisk, commit: Oid): void {
  const refs = listRefs(disk, REPOSITORY).map(({ oid }) => oid);
  assert.ok(refs.includes(commit), `${commit} was taken from the branch and is kept by no ref`);
}

/** Half-made files, and markers of work in progress, must not stay forever. Git's own are left to git. */
function checkTidy(disk: MemoryDisk): void {
  const walk = (folder: string): string[] =>
    disk.list(folder).flatMap((name) => {
      const file = `${folder}/${name}`;
      return disk.stat(file)?.isDirectory() ? walk(file) : [file];
    });
  const left = walk(FOLDER).filter((file) => /\.keep$|\.tmp$|\.lock$|colophon_new_|colophon-(?!new)/.test(file));
  assert.deepEqual(left, [], 'nothing half-made is left');
  assert.deepEqual(disk.list(`${FOLDER}/incoming`), [], 'nothing that was pushed and not taken is left');
}

function checkLog(log: readonly Logged[], told: Told, hasKeptOurs: boolean): void {
  const ids = log.flatMap(({ changeId }) => changeId ?? []);
  assert.equal(new Set(ids).size, ids.length, 'each change is there once');
  const known = new Set(told.acknowledged);
  // What an external update removed from the branch may be gone: it was removed on purpose.
  const mustBeThere = told.acknowledged.filter((id) => hasKeptOurs || !told.dropped.has(id) || ids.includes(id));
  assert.deepEqual(
    ids.filter((id) => known.has(id)),
    mustBeThere,
    'what was acknowledged is there, in its order',
  );
  const commits = new Set(log.map(({ commit }) => commit));
  for (const commit of told.standing)
    assert.ok(hasKeptOurs || commits.has(commit), `${commit} of somebody else is gone`);
  for (const { commit, changeId } of log) {
    if (changeId === undefined) assert.ok(told.outside.has(commit), `${commit} is nobody's`);
    else assert.ok(told.submitted.has(changeId), `${changeId} was never submitted`);
    assert.ok(!told.refused.has(changeId ?? ''), 'what was refused is not there');
  }
}

/** The newest tree is the result of the log's changes, file by file. */
function checkContents(odb: Odb, log: readonly Logged[], submitted: ReadonlyMap<string, Files>, told: Told): void {
  const expected = new Map<string, string>();
  for (const { commit, changeId } of log) {
    const files = changeId === undefined ? told.outside.get(commit) : submitted.get(changeId);
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
