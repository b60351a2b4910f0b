// The test of the test: every line of the store that makes something durable is taken away, one at a time, and the
// enumeration of crashes must find out. A line for which it does not says here why it stands in the code all the same.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enumerateCrashes, type Plan } from '../support/crash/enumerate.ts';
import { isSyncOf, listSyncSites } from '../support/crash/sync-sites.ts';

/** Where the loss of the line shows: with one of a few seeds, within so many states of the scenario. */
type Killed = Pick<Plan, 'scenario'> & Partial<Pick<Plan, 'near' | 'gitEvery'>>;

const SEEDS = 8;
const STATES = 250;

const LINES: Record<string, Killed | string> = {
  'wal.ts openDurable(segment.file)': { scenario: 'firstStart' },
  'wal.ts openDurable(temporary)': { scenario: 'firstStart' },
  'wal.ts preallocate(temporary, sizeBytes)':
    'speed: appends into a segment whose blocks are allocated move no metadata; each append is durable by itself',
  'wal.ts makeFolder(folder)': { scenario: 'firstStart' },
  'wal.ts syncFile(file)': { scenario: 'segmentRollOver', near: /write content .*\/wal\// },
  'wal.ts syncFolderApart(folder)': { scenario: 'firstStart' },
  'epoch.ts makeFolder(folder)': 'without it a loss would not be noticed; wal.test.ts holds that it is durable',
  'epoch.ts createFile(file, [encode(declared)])': 'as above',
  'epoch.ts syncFolder(folder)': 'as above',
  'epoch.ts createLargeFile(temporary, [encode(next)], 0o644)': 'as above',
  'epoch.ts syncFolderApart(folder)': { scenario: 'leftSegments', near: /gone .*\.wal$/ },
  'pack-files.ts createFile(temporary, chunks)': { scenario: 'firstStart' },
  'pack-files.ts createFile(temporary, [KEEP])': { scenario: 'startAfterKill' },
  'pack-files.ts syncFolder(folder)': { scenario: 'shortOfFiles' },
  'pack-files.ts syncFolder(folder) #2': { scenario: 'firstStart' },
  'refs.ts createFile(own, [content])': { scenario: 'firstStart' },
  'refs.ts createFile(lock, [content])': { scenario: 'noHardLinks' },
  'refs.ts syncFolder(path.dirname(file))': { scenario: 'firstStart' },
  'refs.ts syncFolder(repository)': { scenario: 'servedPush', near: /refs\/heads\/main\.lock|colophon-ref/ },
  'refs.ts syncFolder(path.dirname(file)) #2':
    'held by refs.test.ts: in a scenario nobody else moves the branch in just that moment',
  'refs.ts makeFolder(path.dirname(file)) #2':
    'git may have emptied and removed the folder; only the lock is in it then',
  'refs.ts createFile(own, [content]) #2': { scenario: 'tags', near: /tags|colophon-ref/ },
  'refs.ts syncFolder(repository) #2': { scenario: 'tags', near: /tags|colophon-ref/ },
  'refs.ts syncFolder(path.dirname(file)) #3': { scenario: 'tags', near: /tags|colophon-ref/ },
  'refs.ts createFile(own, [content]) #3': { scenario: 'tags', near: /packed/ },
  'refs.ts syncFolder(repository) #3': { scenario: 'tags', near: /packed/ },
  'refs.ts syncFolder(repository) #4': { scenario: 'tags', near: /packed/ },
  'refs.ts syncFolder(repository) #5': { scenario: 'tags', near: /packed-refs.lock|colophon-ref-packed/ },
  'frozen.ts createLargeFile(to, chunks())': 'nothing of it is of use after a crash',
  'refs.ts makeFolder(path.dirname(file))': { scenario: 'forcePushAccepted', near: /kept/ },
  'moved-branch.ts createFile(temporary, [Buffer.from(`$': { scenario: 'forcePushAccepted' },
  'moved-branch.ts syncFolder(repository)': { scenario: 'forcePushAccepted', near: /away/ },
  'moved-branch.ts syncFolder(repository) #2': { scenario: 'forcePushAccepted' },
  'pack-files.ts syncFolder(folder) #3':
    'space: a power cut may bring back packs without their indexes; maintenance-crash.test.ts holds it',
  'retired-packs.ts syncFolderApart(folder)':
    'space: a power cut may bring back packs without their indexes; maintenance-crash.test.ts holds it',
  "maintenance-merge.ts createFile(temporaryOf(disk, folder, 'pack'), pack.chunks(createHash('sha1')))": {
    scenario: 'mergedPacks',
  },
  "maintenance-merge.ts createFile(temporaryOf(disk, folder, 'idx'), [index])": { scenario: 'mergedPacks' },
  'maintenance-merge.ts syncFolder(folder)':
    'space: a power cut may leave a pack without an index, which nobody uses; maintenance-crash.test.ts holds it',
  'maintenance-merge.ts syncFolder(folder) #2': { scenario: 'mergedPacks', near: /gone .*\.pack$/ },
  'repository.ts makeFolder(path.join(repository, folder))':
    'the syncs behind it cover the same names, and those of folders that a killed process made as well',
  'repository.ts syncFolder(folder)': { scenario: 'firstStart' },
  'repository.ts createFile(temporary, [Buffer.from(text)])': { scenario: 'firstStart', gitEvery: 1 },
  'quarantine.ts syncLargeFile(path.join(ownPacks, `$': {
    scenario: 'servedPush',
    near: /\/objects\/pack\/pack-|refs\/heads/,
  },
  'adopt-packs.ts syncFolder(packs)': { scenario: 'servedPush', near: /\/objects\/pack\/pack-|refs\/heads/ },
  'snapshot.ts createLargeFile(temporary, encodeSections(key, sections))':
    'speed: what is wrong with a snapshot only costs the time to rebuild; snapshot.test.ts holds it',
  'refs.ts syncFolder(folder)': { scenario: 'firstStart', near: /name .*\/refs\/heads\/main$/ },
  'store.ts syncFolder(packFolder)': { scenario: 'remoteFetchAndPush', near: /name .*\/pack-.*\.idx$/ },
  'remote-pack-in.ts file.finish()': { scenario: 'remoteFetchAndPush', near: /refs\/(heads|remotes)/ },
  'remote-pack-in.ts syncFolder(folder)':
    'a start has synced the folder, and one process brings a pack once; remote-pack-in.test.ts holds what fails between',
  'remote-pack-in.ts createFile(temporaryIndex, [index])': {
    scenario: 'remoteFetchAndPush',
    near: /refs\/(heads|remotes)/,
  },
  'remote-pack-in.ts syncFolder(folder) #2': { scenario: 'remoteFetchAndPush', near: /refs\/(heads|remotes)/ },
};

test('every line that makes something durable is held by a scenario, or says why it is not', () => {
  const names = listSyncSites().map(({ name }) => name);
  assert.equal(names.sort(), Object.keys(LINES).sort());
});

for (const site of listSyncSites()) {
  const killed = LINES[site.name];
  if (killed === undefined || typeof killed === 'string') continue;
  test(`without ${site.name} a crash loses something, and is found out`, async () => {
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
    assert.ok(isMet, 'the scenario comes past the line');
    assert.ok(isFound);
  });
}

test.run();
