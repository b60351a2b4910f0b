// The test of the tests: every line of the store that makes something durable is removed, one at a time, and the
// enumeration of crashes must notice. A line whose removal it does not notice says here why it is in the code all the
// same.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enumerateCrashes, type Plan } from '../support/crash/enumerate.ts';
import { isSyncOf, listSyncSites } from '../support/crash/sync-sites.ts';

/** How the loss of the line shows: with one of a few seeds, within this many states of the scenario. */
type Killed = Pick<Plan, 'scenario'> & Partial<Pick<Plan, 'near' | 'gitEvery'>>;

const SEEDS = 8;
const STATES = 250;

const LINES: Record<string, Killed | string> = {
  'log/wal/segments.ts openDurable(segment.file)': { scenario: 'firstStart' },
  'log/wal/new-segment.ts openDurable(temporary)': { scenario: 'firstStart' },
  'log/wal/new-segment.ts preallocate(temporary, sizeBytes)':
    'speed: appends into a segment whose blocks are allocated move no metadata; each append is durable by itself',
  'log/wal/new-segment.ts makeFolder(folder)': { scenario: 'firstStart' },
  'log/wal/wal.ts syncFile(file)': { scenario: 'segmentRollOver', near: /write content .*\/wal\// },
  'log/wal/new-segment.ts syncFolderApart(folder)': { scenario: 'firstStart' },
  'log/wal/epoch.ts makeFolder(folder)': 'without it a loss would not be noticed; wal.test.ts holds that it is durable',
  'log/wal/epoch.ts createFile(file, [encode(declared)])': 'as above',
  'log/wal/epoch.ts syncFolder(folder)': 'as above',
  'log/wal/epoch.ts createLargeFile(temporary, [encode(next)], 0o644)': 'as above',
  'log/wal/epoch.ts syncFolderApart(folder)': { scenario: 'leftSegments', near: /gone .*\.wal$/ },
  'repository/pack-files.ts createFile(temporary, chunks)': { scenario: 'firstStart' },
  'repository/pack-files.ts createFile(temporary, [KEEP])': { scenario: 'startAfterKill' },
  'repository/pack-files.ts syncFolder(folder)': { scenario: 'shortOfFiles' },
  'repository/pack-files.ts syncFolder(folder) #2': { scenario: 'firstStart' },
  'repository/refs.ts createFile(own, [content])': { scenario: 'firstStart' },
  'repository/refs.ts createFile(lock, [content])': { scenario: 'noHardLinks' },
  'repository/refs.ts syncFolder(path.dirname(file))': { scenario: 'firstStart' },
  'repository/refs.ts syncFolder(repository)': { scenario: 'servedPush', near: /refs\/heads\/main\.lock|colophon-ref/ },
  'repository/refs.ts syncFolder(path.dirname(file)) #2':
    'held by refs.test.ts: in a scenario nobody else moves the branch in just that moment',
  'repository/refs.ts makeFolder(path.dirname(file)) #2':
    'git may have emptied and removed the folder; only the lock is in it then',
  'repository/refs.ts createFile(own, [content]) #2': { scenario: 'tags', near: /tags|colophon-ref/ },
  'repository/refs.ts syncFolder(repository) #2': { scenario: 'tags', near: /tags|colophon-ref/ },
  'repository/refs.ts syncFolder(path.dirname(file)) #3': { scenario: 'tags', near: /tags|colophon-ref/ },
  'repository/refs.ts createFile(own, [content]) #3': { scenario: 'tags', near: /packed/ },
  'repository/refs.ts syncFolder(repository) #3': { scenario: 'tags', near: /packed/ },
  'repository/refs.ts syncFolder(repository) #4': { scenario: 'tags', near: /packed/ },
  'repository/refs.ts syncFolder(repository) #5': { scenario: 'tags', near: /packed-refs.lock|colophon-ref-packed/ },
  'repository/frozen.ts createLargeFile(to, chunks())': 'nothing of it is of use after a crash',
  'repository/refs.ts makeFolder(path.dirname(file))': { scenario: 'forcePushAccepted', near: /kept/ },
  'repository/moved-branch.ts createFile(temporary, [Buffer.from(`$': { scenario: 'forcePushAccepted' },
  'repository/moved-branch.ts syncFolder(repository)': { scenario: 'forcePushAccepted', near: /away/ },
  'repository/moved-branch.ts syncFolder(repository) #2': { scenario: 'forcePushAccepted' },
  'repository/change-branches/ref-log.ts makeFolder(path.dirname(file))':
    'a branch for review is no part of the log; without its reflog it has the time of its file, and nobody who moved it',
  "repository/change-branches/ref-log.ts createFile(temporary, [Buffer.from(line, 'utf8')])": 'as above',
  'repository/change-branches/ref-log.ts syncFolder(path.dirname(file))': 'as above',
  'repository/change-branches/ref-log.ts syncFolder(path.dirname(file)) #2':
    'a reflog that comes back is that of another commit; change-branches.test.ts holds that it is not believed',
  'repository/pack-files.ts syncFolder(folder) #3':
    'space: a power cut may bring back packs without their indexes; maintenance/crash.test.ts holds it',
  'packs/retired-packs.ts syncFolderApart(folder)':
    'space: a power cut may bring back packs without their indexes; maintenance/crash.test.ts holds it',
  "maintenance/merge.ts createFile(temporaryOf(disk, folder, 'pack'), pack.chunks(createHash('sha1')))": {
    scenario: 'mergedPacks',
  },
  "maintenance/merge.ts createFile(temporaryOf(disk, folder, 'idx'), [index])": { scenario: 'mergedPacks' },
  'maintenance/merge.ts syncFolder(folder)':
    'space: a power cut may leave a pack without an index, which nobody uses; maintenance/crash.test.ts holds it',
  'maintenance/merge.ts syncFolder(folder) #2': { scenario: 'mergedPacks', near: /gone .*\.pack$/ },
  'repository/repository.ts makeFolder(path.join(repository, folder))':
    'the syncs behind it cover the same names, and those of folders that a killed process made as well',
  'repository/repository.ts syncFolder(folder)': { scenario: 'firstStart' },
  'repository/repository.ts createFile(temporary, [Buffer.from(text)])': { scenario: 'firstStart', gitEvery: 1 },
  'repository/quarantine.ts syncLargeFile(path.join(ownPacks, `$': {
    scenario: 'servedPush',
    near: /\/objects\/pack\/pack-|refs\/heads/,
  },
  'repository/adopt-packs.ts syncFolder(packs)': { scenario: 'servedPush', near: /\/objects\/pack\/pack-|refs\/heads/ },
  'disk/saved-file.ts createLargeFile(temporary, encodeSections(key, sections))':
    'speed: a damaged saved file only costs the time to rebuild; disk/saved-file.test.ts holds it',
  'repository/refs.ts syncFolder(folder)': { scenario: 'firstStart', near: /name .*\/refs\/heads\/main$/ },
  'store.ts syncFolder(packFolder)': { scenario: 'remoteFetchAndPush', near: /name .*\/pack-.*\.idx$/ },
  'remote/pack-in.ts file.finish()': { scenario: 'remoteFetchAndPush', near: /refs\/(heads|remotes)/ },
  'remote/pack-in.ts syncFolder(folder)':
    'a start has synced the folder, and one process brings a pack once; remote/pack-in.test.ts holds what fails between',
  'remote/pack-in.ts createFile(temporaryIndex, [index])': {
    scenario: 'remoteFetchAndPush',
    near: /refs\/(heads|remotes)/,
  },
  'remote/pack-in.ts syncFolder(folder) #2': { scenario: 'remoteFetchAndPush', near: /refs\/(heads|remotes)/ },
};

test('every line that makes something durable is held by a scenario, or says why it is not', () => {
  const names = listSyncSites().map(({ name }) => name);
  assert.equal(names.sort(), Object.keys(LINES).sort());
});

for (const site of listSyncSites()) {
  const killed = LINES[site.name];
  if (killed === undefined || typeof killed === 'string') continue;
  test(`without ${site.name} a crash loses something, and the check finds it`, async () => {
    const isSite = isSyncOf(site);
    let isMet = false;
    let isFound = false;
    for (let seed = 1; seed <= SEEDS && !isFound; seed++) {
      const ignoresSync = (what: string): boolean => {
        const isIt = isSite(what);
        isMet ||= isIt;
        return isIt;
      };
      const plan = { seed, states: STATES, gitEvery: 0, ...killed };
      isFound = (await enumerateCrashes({ ...plan, stopAtFailure: true, ignoresSync })).failures.length > 0;
    }
    assert.ok(isMet, 'the scenario reaches the line');
    assert.ok(isFound);
  });
}

test.run();
