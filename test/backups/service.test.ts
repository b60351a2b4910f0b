// Backups on a real repository: what a backup contains, which backups are kept, and what a crash leaves.
import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BackupParts } from '../../src/backups/backup-parts.ts';
import { type Backups, openBackups } from '../../src/backups/service.ts';
import type { TargetSettings } from '../../src/backups/target.ts';
import { openDataFolder } from '../../src/data/data-folder.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { createGuard } from '../../src/outbound/guard.ts';
import type { Store } from '../../src/store/store.ts';
import type { NewEvent } from '../../src/webhooks/events.ts';
import { makeStoreWorld, type StoreWorld, write } from '../support/store-world.ts';

interface BackupWorld extends StoreWorld {
  store: Store;
  data: string;
  emitted: NewEvent[];
  settings: { backupRetention: number; backupTarget: TargetSettings | null };
  parts: BackupParts;
  openBackups(more?: Partial<BackupParts>): Promise<Backups>;
  archives(): string[];
  manifest(): { snapshots: { id: string; status: string }[]; removing: string[] };
}

function makeBackupWorld(): BackupWorld {
  const world = makeStoreWorld();
  const store = world.open();
  const data = path.join(world.folder, '_data');
  const emitted: NewEvent[] = [];
  const settings = { backupRetention: 30, backupTarget: null as TargetSettings | null };
  let ms = Date.UTC(2026, 0, 2, 3, 4, 5);
  const parts: BackupParts = {
    site: 'default',
    version: '0.3.0',
    store,
    media: path.join(world.folder, 'media'),
    problems: new Map(),
    dataRestored: async () => undefined,
    data: openDataFolder(data),
    settings: { read: () => settings },
    target: { guard: createGuard({ allowPrivate: () => false }) },
    events: { emit: async (event) => void emitted.push(event) },
    now: () => new Date((ms += 1000)),
    randomBytes,
    warn: (message) => void world.warnings.push(message),
  };
  const backups = path.join(data, 'backups');
  return {
    ...world,
    store,
    data,
    emitted,
    settings,
    parts,
    openBackups: (more = {}) => openBackups({ ...parts, ...more }),
    archives: () => (fs.existsSync(backups) ? fs.readdirSync(backups).filter((name) => name.endsWith('.gz')) : []),
    manifest: () => JSON.parse(fs.readFileSync(path.join(backups, 'manifest.json'), 'utf8')),
  };
}

function writeData(world: BackupWorld, name: string, text: string): void {
  const file = path.join(world.data, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

const DOCUMENTS = {
  'content/posts/a.json': '{}\n',
  'content/posts/b.json': '{}\n',
  'content/many/0a/c.json': '{}\n',
  'media/images/x.png': 'version https://git-lfs.github.com/spec/v1\n',
  'media/images/.meta/x.png.json': '{}\n',
};

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: ServiceError) => error.code ?? error.message,
  );
}

test('a backup is a tag on the newest commit, its counts, and an archive of `_data` with its sha256', async () => {
  await using world = makeBackupWorld();
  writeData(world, 'brand-voice.json', '{"activeId":"1"}');
  writeData(world, 'submissions/contact/one.json', '{"id":"one"}');
  writeData(world, 'submissions/contact/.tmp-0011', 'half');
  for (const name of ['secrets.json', 'secret.json', 'SECRET', 'mail.key', 'server.pem', 'mail.secret.json']) {
    writeData(world, name, '{"token":"hidden"}');
  }
  // A form may have any name.
  writeData(world, 'submissions/secret/one.json', '{}');
  fs.symlinkSync('/etc/passwd', path.join(world.data, 'passwd'));
  const backups = await world.openBackups();
  const head = await write(world.store, DOCUMENTS);
  const made = await backups.create('manual', { kind: 'user', userId: 'u1', name: 'Ada', email: 'ada@example.com' });
  const { id, sha256, sizeBytes, ...rest } = made;
  assert.equal(rest, {
    commit: head,
    createdAt: '2026-01-02T03:04:06.000Z',
    trigger: 'manual',
    createdBy: { id: 'u1', name: 'Ada' },
    documents: 3,
    collections: 2,
    mediaFiles: 1,
    status: 'complete',
  });
  assert.is(world.git('rev-parse', `backups/${id}`).trim(), head);
  const file = path.join(world.data, 'backups', `${id}.tar.gz`);
  const bytes = fs.readFileSync(file);
  assert.is(hash('sha256', bytes), sha256);
  assert.is(bytes.length, sizeBytes);
  const names = execFileSync('tar', ['tzf', file], { encoding: 'utf8' }).trim().split('\n');
  assert.equal(names, ['brand-voice.json', 'submissions/contact/one.json', 'submissions/secret/one.json']);
  const text = execFileSync('tar', ['xzOf', file, 'submissions/contact/one.json'], { encoding: 'utf8' });
  assert.is(text, '{"id":"one"}');
  assert.equal(backups.list(), [made]);
  assert.equal(world.emitted, [
    {
      event: 'backup.completed',
      actor: { kind: 'user', id: 'u1', name: 'Ada' },
      data: made,
      key: 'backup',
      id: `backup.completed:${id}`,
    },
  ]);
  assert.is(world.fsck(), '');
});

test('backups do not contain backups', async () => {
  await using world = makeBackupWorld();
  await write(world.store, DOCUMENTS);
  const backups = await world.openBackups();
  await backups.create('manual');
  const { id } = await backups.create('manual');
  const file = path.join(world.data, 'backups', `${id}.tar.gz`);
  assert.is(execFileSync('tar', ['tzf', file], { encoding: 'utf8' }), '');
});

test('backups do not contain files that the service makes again by itself', async () => {
  await using world = makeBackupWorld();
  await write(world.store, DOCUMENTS);
  for (const name of ['schedule.json', 'calendar.json', 'link-check-known.json']) writeData(world, name, '{}');
  writeData(world, 'deliveries/journal', '{}');
  writeData(world, 'submissions/calendar.json/one.json', '{}');
  const { id } = await (await world.openBackups()).create('manual');
  const file = path.join(world.data, 'backups', `${id}.tar.gz`);
  assert.is(execFileSync('tar', ['tzf', file], { encoding: 'utf8' }), 'submissions/calendar.json/one.json\n');
});

test('if several backups are requested at once, the first is made, and the others share the next one', async () => {
  await using world = makeBackupWorld();
  await write(world.store, DOCUMENTS);
  const backups = await world.openBackups();
  const first = backups.create('manual');
  await Promise.resolve();
  await nextTurn();
  const late = await write(world.store, { 'content/posts/late.json': '{}\n' });
  const others = await Promise.all([backups.create('manual'), backups.create('scheduled')]);
  assert.is(others[0]!.id, others[1]!.id);
  assert.is.not((await first).id, others[0]!.id);
  assert.is(others[0]!.commit, late);
  assert.is(backups.list().length, 2);
});

test('a site without a commit has nothing to back up, and the failure is listed and reported', async () => {
  await using world = makeBackupWorld();
  const backups = await world.openBackups();
  assert.is(await codeOf(backups.create('scheduled')), 'conflict');
  const [failed] = backups.list();
  assert.is(failed!.status, 'failed');
  assert.is(failed!.commit, null);
  assert.equal(
    world.emitted.map(({ event }) => event),
    ['backup.failed'],
  );
  assert.equal(world.archives(), []);
});

test('the number of backups in the settings is kept; the others lose both tag and archive', async () => {
  await using world = makeBackupWorld();
  await write(world.store, DOCUMENTS);
  world.settings.backupRetention = 2;
  const backups = await world.openBackups();
  const made = [];
  for (const trigger of ['manual', 'scheduled', 'manual', 'scheduled'] as const) {
    made.push((await backups.create(trigger)).id);
  }
  const kept = made.slice(-2).reverse();
  assert.equal(
    backups.list().map(({ id }) => id),
    kept,
  );
  assert.equal(world.archives().sort(), kept.map((id) => `${id}.tar.gz`).sort());
  assert.equal(world.git('tag').trim().split('\n').sort(), kept.map((id) => `backups/${id}`).sort());
});

test('a removed backup is gone, but its commit is still in the history', async () => {
  await using world = makeBackupWorld();
  const head = await write(world.store, DOCUMENTS);
  const backups = await world.openBackups();
  const { id } = await backups.create('manual');
  await backups.remove(id);
  assert.equal(backups.list(), []);
  assert.is(world.git('tag'), '');
  assert.equal(world.archives(), []);
  assert.is(world.git('rev-parse', 'main').trim(), head);
  assert.is(await codeOf(backups.remove(id)), 'not_found');
});

test('a backup that a crash interrupted is failed at the next start, and its files are removed', async () => {
  await using world = makeBackupWorld();
  const head = await write(world.store, DOCUMENTS);
  let id = '';
  // Ends when the archive has its name, but the manifest does not list it yet.
  const dying = await world.openBackups({
    data: {
      ...world.parts.data,
      folder: (name) => {
        const folder = world.parts.data.folder(name);
        let writes = 0;
        return {
          ...folder,
          write: (file, bytes) => (++writes > 1 ? new Promise(() => undefined) : folder.write(file, bytes)),
        };
      },
    },
  });
  void dying.create('manual');
  while (world.archives().length === 0) await nextTurn();
  id = world.manifest().snapshots[0]!.id;
  assert.is(world.manifest().snapshots[0]!.status, 'creating');
  const backups = await world.openBackups();
  assert.equal(
    backups.list().map(({ id, status }) => [id, status]),
    [[id, 'failed']],
  );
  assert.equal(world.archives(), []);
  assert.is(world.git('tag'), '');
  assert.equal(
    world.emitted.map(({ event }) => event),
    ['backup.failed'],
  );
  assert.is((await backups.create('manual')).commit, head);
});

test('a removal that a crash interrupted continues at the next start', async () => {
  await using world = makeBackupWorld();
  await write(world.store, DOCUMENTS);
  const backups = await world.openBackups();
  const { id } = await backups.create('manual');
  const broken = await world.openBackups({
    store: {
      ...world.store,
      tags: {
        ...world.store.tags,
        remove() {
          throw new ServiceError('unavailable', 'tag is locked');
        },
      },
    },
  });
  assert.is(await codeOf(broken.remove(id)), 'unavailable');
  assert.equal(world.manifest().removing, [id]);
  assert.equal((await world.openBackups()).list(), []);
  assert.is(world.git('tag'), '');
  assert.equal(world.archives(), []);
  assert.equal(world.manifest().removing, []);
});

test('an event for a backup that was not emitted before a crash is emitted at the next start', async () => {
  await using world = makeBackupWorld();
  await write(world.store, DOCUMENTS);
  const silent = await world.openBackups({
    events: {
      emit: async () => {
        throw new Error('killed');
      },
    },
  });
  const { id } = await silent.create('manual');
  await world.openBackups();
  await world.openBackups();
  assert.equal(
    world.emitted.map((event) => event.id),
    [`backup.completed:${id}`],
  );
});

test('a damaged manifest is left unchanged, and the error says what to do', async () => {
  await using world = makeBackupWorld();
  await write(world.store, DOCUMENTS);
  writeData(world, 'backups/manifest.json', '{"version": 1, "snap');
  const backups = await world.openBackups();
  assert.throws(() => backups.list(), /move it away/);
  assert.throws(() => backups.create('manual'), /move it away/);
  assert.is(fs.readFileSync(path.join(world.data, 'backups/manifest.json'), 'utf8'), '{"version": 1, "snap');
});

test.run();
