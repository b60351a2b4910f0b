// The store of submissions on a real folder.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openDataFolder } from '../../src/data/data-folder.ts';
import { timeOfId, toSubmissionId } from '../../src/forms/submission.ts';
import { createSubmissions, type Submissions } from '../../src/forms/submissions.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';

const START_MS = Date.parse('2026-01-02T03:04:05.678Z');

interface Store extends Disposable {
  folder: string;
  submissions: Submissions;
  warnings: object[];
  /** Moves the clock, which stands still otherwise. */
  advance(ms: number): void;
  send(name: string, form?: string): ReturnType<Submissions['add']>;
  /** Opens the store again, as after a restart. */
  reopen(): Submissions;
}

function openStore(folder = mkdtempSync(join(tmpdir(), 'colophon-submissions-'))): Store {
  let nowMs = START_MS;
  const warnings: object[] = [];
  const open = (): Submissions =>
    createSubmissions({
      folder: openDataFolder(folder),
      now: () => new Date(nowMs),
      newId: (atMs) => toSubmissionId(atMs, randomBytes(16)),
      logger: { warn: (details) => void warnings.push(details) },
    });
  const submissions = open();
  return {
    folder,
    submissions,
    warnings,
    advance: (ms) => void (nowMs += ms),
    send: (name, form = 'contact') => submissions.add(form, { data: { name }, ipHash: '0a1b2c3d', userAgent: 'test' }),
    reopen: open,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const names = async (submissions: Submissions, options = {}): Promise<unknown[]> =>
  (await submissions.list('contact', options)).submissions.map(({ data }) => data.name);

test('a submission is one JSON file under its form and id', async () => {
  using store = openStore();
  const { id } = await store.send('Ada');
  assert.equal(readdirSync(join(store.folder, 'contact')), [`${id}.json`]);
  const text = readFileSync(join(store.folder, 'contact', `${id}.json`), 'utf8');
  assert.is(
    text,
    `${JSON.stringify(
      {
        id,
        form: 'contact',
        data: { name: 'Ada' },
        status: 'new',
        ipHash: '0a1b2c3d',
        userAgent: 'test',
        createdAt: '2026-01-02T03:04:05.678Z',
      },
      null,
      2,
    )}\n`,
  );
  assert.equal(await store.submissions.find('contact', id), JSON.parse(text));
});

test('the newest comes first, even of those sent in the same millisecond, and after a restart', async () => {
  using store = openStore();
  const sent = Array.from({ length: 40 }, (_, i) => `n${i}`);
  for (const [i, name] of sent.entries()) {
    await store.send(name);
    if (i % 10 === 9) store.advance(60_000);
  }
  assert.equal(await names(store.submissions), sent.toReversed());
  assert.equal(await names(store.reopen()), sent.toReversed());
  const each: unknown[] = [];
  for await (const { data } of store.submissions.each('contact')) each.push(data.name);
  assert.equal(each, sent.toReversed());
});

test('a page has its part of the list, and the total counts all', async () => {
  using store = openStore();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await store.send(name);
  const { submissions, total } = await store.submissions.list('contact', { limit: 2, offset: 1 });
  assert.equal(
    submissions.map(({ data }) => data.name),
    ['d', 'c'],
  );
  assert.is(total, 5);
  assert.equal(await names(store.submissions, { limit: 2, offset: 5 }), []);
});

test('statuses change, are counted and filtered by, and stay after a restart', async () => {
  using store = openStore();
  const [a, b] = [await store.send('a'), await store.send('b')];
  await store.send('c');
  store.advance(1000);
  const read = await store.submissions.setStatus('contact', a.id, 'read');
  assert.is(read?.status, 'read');
  assert.is(read?.readAt, '2026-01-02T03:04:06.678Z');
  await store.submissions.setStatus('contact', b.id, 'archived');
  for (const submissions of [store.submissions, store.reopen()]) {
    assert.equal(await submissions.counts('contact'), { new: 1, read: 1, archived: 1 });
    assert.equal(await names(submissions, { status: 'new' }), ['c']);
    assert.equal(await names(submissions, { status: 'archived' }), ['b']);
    assert.is((await submissions.list('contact', { status: 'read' })).total, 1);
    assert.is((await submissions.find('contact', b.id))?.readAt, undefined);
  }
});

test('the time at which a submission was first marked as read stays', async () => {
  using store = openStore();
  const { id } = await store.send('a');
  const first = await store.submissions.setStatus('contact', id, 'read');
  store.advance(1000);
  for (const status of ['new', 'archived', 'read'] as const) {
    assert.is((await store.submissions.setStatus('contact', id, status))?.readAt, first?.readAt);
  }
});

test('the last of many simultaneous changes of a submission stays, whole', async () => {
  using store = openStore();
  const { id } = await store.send('a');
  const statuses = ['read', 'archived', 'new', 'archived', 'read'] as const;
  await Promise.all(statuses.map((status) => store.submissions.setStatus('contact', id, status)));
  assert.is((await store.reopen().find('contact', id))?.status, 'read');
  assert.equal(await store.submissions.counts('contact'), { new: 0, read: 1, archived: 0 });
  const [removed, changed] = await Promise.all([
    store.submissions.remove('contact', id),
    store.submissions.setStatus('contact', id, 'new'),
  ]);
  assert.is(removed?.id, id);
  assert.is(changed, undefined);
  assert.equal(readdirSync(join(store.folder, 'contact')), []);
});

test('a removed submission is gone from the disk, the list and the counts', async () => {
  using store = openStore();
  const { id } = await store.send('a');
  await store.send('b');
  assert.equal(await names(store.submissions), ['b', 'a']);
  assert.is((await store.submissions.remove('contact', id))?.id, id);
  assert.is(await store.submissions.remove('contact', id), undefined);
  assert.is(await store.submissions.find('contact', id), undefined);
  assert.is(await store.submissions.setStatus('contact', id, 'read'), undefined);
  for (const submissions of [store.submissions, store.reopen()]) {
    assert.equal(await names(submissions), ['b']);
    assert.equal(await submissions.counts('contact'), { new: 1, read: 0, archived: 0 });
  }
});

test('changes made while the index is being computed are in it, and only once', async () => {
  using store = openStore();
  const sent = [];
  for (let i = 0; i < 60; i++) sent.push(await store.send(`n${i}`));
  const submissions = store.reopen();
  const counting = submissions.counts('contact');
  await Promise.all([
    submissions.setStatus('contact', sent[59]!.id, 'read'),
    submissions.remove('contact', sent[58]!.id),
    submissions.add('contact', { data: { name: 'late' }, ipHash: '', userAgent: '' }),
    submissions.remove('contact', sent[0]!.id),
  ]);
  await counting;
  assert.equal(await submissions.counts('contact'), { new: 58, read: 1, archived: 0 });
  const { submissions: listed, total } = await submissions.list('contact');
  assert.is(total, 59);
  assert.is(new Set(listed.map(({ id }) => id)).size, 59);
});

test('damaged files are logged, skipped and kept', async () => {
  using store = openStore();
  const { id } = await store.send('good');
  const folder = join(store.folder, 'contact');
  const other = toSubmissionId(START_MS, randomBytes(16));
  const good = readFileSync(join(folder, `${id}.json`), 'utf8');
  const damaged = {
    [toSubmissionId(START_MS + 1, randomBytes(16))]: '',
    [toSubmissionId(START_MS + 2, randomBytes(16))]: good.slice(0, 40),
    [toSubmissionId(START_MS + 3, randomBytes(16))]: '{"id": 1}',
    // The id of another submission.
    [other]: good,
  };
  for (const [name, text] of Object.entries(damaged)) writeFileSync(join(folder, `${name}.json`), text);
  writeFileSync(join(folder, 'notes.txt'), 'not a submission');
  const submissions = store.reopen();
  assert.equal(await names(submissions), ['good']);
  assert.is(store.warnings.length, 4);
  assert.not.match(JSON.stringify(store.warnings), 'Ada|good');
  assert.is(await submissions.find('contact', other), undefined);
  assert.is(await submissions.remove('contact', other), undefined);
  assert.is(readdirSync(folder).length, 6);
});

test('a name that leads elsewhere is unknown', async () => {
  using store = openStore();
  const { id } = await store.send('a');
  writeFileSync(join(store.folder, 'outside.json'), readFileSync(join(store.folder, 'contact', `${id}.json`)));
  for (const [form, name] of [
    ['contact', '../outside'],
    ['contact', `../contact/${id}`],
    ['contact', '..'],
    ['contact', ''],
    ['contact', `${id}.json`],
    ['contact', `${id}\0`],
    ['..', 'outside'],
    ['.', id],
    ['', id],
    ['nowhere', id],
    ['contact/', id],
  ] as const) {
    assert.is(await store.submissions.find(form, name), undefined);
    assert.is(await store.submissions.setStatus(form, name, 'read'), undefined);
    assert.is(await store.submissions.remove(form, name), undefined);
    if (form !== 'contact') assert.is((await store.submissions.list(form)).total, 0);
  }
  assert.is((await store.submissions.find('contact', id))?.status, 'new');
});

test('forms with submissions are found by their folders', async () => {
  using store = openStore();
  assert.equal(await store.submissions.forms(), []);
  await store.send('a', 'old-form');
  await store.send('b');
  mkdirSync(join(store.folder, '.hidden'));
  assert.equal(await store.submissions.forms(), ['contact', 'old-form']);
});

test('a reload reads files that something else changed', async () => {
  using store = openStore();
  const [a, b] = [await store.send('a'), await store.send('b')];
  assert.equal(await names(store.submissions), ['b', 'a']);
  const kept = readFileSync(join(store.folder, 'contact', `${a.id}.json`), 'utf8');
  rmSync(join(store.folder, 'contact'), { recursive: true });
  store.submissions.reload();
  assert.equal(await names(store.submissions), []);
  await store.send('c');
  writeFileSync(join(store.folder, 'contact', `${b.id}.json`), kept.replaceAll(a.id, b.id).replace('new', 'read'));
  store.submissions.reload();
  assert.equal(await names(store.submissions), ['c', 'a']);
  assert.equal(await store.submissions.counts('contact'), { new: 1, read: 1, archived: 0 });
});

test('submissions since a time are found without the index', async () => {
  using store = openStore();
  await store.send('old');
  store.advance(3600_000);
  await store.send('new');
  const found = await store.reopen().since('contact', START_MS + 1);
  assert.equal(
    found.map(({ data }) => data.name),
    ['new'],
  );
  assert.equal(await store.submissions.since('../contact', 0), []);
});

test('ids begin with their time and cannot be guessed', () => {
  const id = toSubmissionId(START_MS, randomBytes(16));
  assert.is(timeOfId(id), START_MS);
  assert.is(id.length, 26);
  assert.is.not(toSubmissionId(START_MS, randomBytes(16)), id);
  assert.ok(toSubmissionId(START_MS + 1, Buffer.alloc(16)) > toSubmissionId(START_MS, Buffer.alloc(16, 31)));
  assert.is(timeOfId('a1B2c3D4e5F6'), undefined);
});

test('a submission is listed once its notifications are durable, and gone if they fail', async () => {
  using store = openStore();
  const what = { data: { name: 'a' }, ipHash: '', userAgent: '' };
  await store.submissions.counts('contact');
  const { promise: announced, resolve } = Promise.withResolvers<void>();
  let isAdded = false;
  const adding = store.submissions.add('contact', what, async ({ id }) => {
    // The submission is durable by then.
    assert.ok(readdirSync(join(store.folder, 'contact')).includes(`${id}.json`));
    await announced;
  });
  void adding.then(() => (isAdded = true));
  await store.send('b');
  assert.equal(await names(store.submissions), ['b']);
  assert.is(isAdded, false);
  resolve();
  await adding;
  assert.equal(await names(store.submissions), ['b', 'a']);

  const failing = store.submissions.add('contact', what, async () => {
    throw new Error('no room');
  });
  assert.is(await failing.catch((error) => error.message), 'no room');
  for (const submissions of [store.submissions, store.reopen()])
    assert.is((await submissions.list('contact')).total, 2);
  assert.is(readdirSync(join(store.folder, 'contact')).length, 2);
});

test('a full disk refuses a submission and keeps nothing of it', async () => {
  using disk = mountSmallDisk(1);
  using store = openStore(join(disk.folder, 'submissions'));
  await store.send('before');
  disk.fill();
  const big = { data: { text: 'x'.repeat(20_000) }, ipHash: '', userAgent: '' };
  for (let i = 0; i < 3; i++) {
    const refused = await store.submissions.add('contact', big).catch((error) => error);
    assert.is(refused.code, 'storage_full');
  }
  assert.is(readdirSync(join(store.folder, 'contact')).length, 1);
  assert.equal(await store.submissions.counts('contact'), { new: 1, read: 0, archived: 0 });
  disk.free();
  await store.submissions.add('contact', big);
  assert.is((await store.submissions.counts('contact')).new, 2);
});

test.run();
