// The outbox's file after a crash at any byte, and after damage that no crash causes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createJournal } from '../../src/outbox/journal.ts';
import { entry, makeOutbox, type OutboxWorld, statesOf, TOPIC } from './world.ts';

/** Returns a journal with a line of each kind, and its size and ids each time a line was durable. */
async function writeJournal(): Promise<{ bytes: Buffer; steps: { sizeBytes: number; ids: string[] }[] }> {
  await using world = await makeOutbox();
  world.deliver = ({ id }) => ({ ok: id === 'done', status: 500, detail: 'answered 500' });
  const steps: { sizeBytes: number; ids: string[] }[] = [];
  const note = (...ids: string[]) => steps.push({ sizeBytes: statSync(world.journal).size, ids });
  await world.box.add([entry('done', { key: 'a' })]);
  note('done');
  await world.box.addFromLog([entry('wait1', { key: 'b' }), entry('wait2', { key: 'c', about: { event: 'x' } })], {
    name: 'log',
    value: 'c1',
  });
  note('done', 'wait1', 'wait2');
  await world.settled();
  await world.box.add([entry('gone', { key: 'd', target: 't' })]);
  note('done', 'wait1', 'wait2', 'gone');
  await world.box.drop(TOPIC, 't');
  note('done', 'wait1', 'wait2');
  await world.box.addFromLog([entry('last', { key: 'e' })], { name: 'log', value: 'c2' });
  note('done', 'wait1', 'wait2', 'last');
  return { bytes: readFileSync(world.journal), steps };
}

async function openWith(bytes: Buffer): Promise<OutboxWorld> {
  const world = await makeOutbox({ silent: true });
  mkdirSync(dirname(world.journal), { recursive: true });
  writeFileSync(world.journal, bytes);
  await world.reopen();
  return world;
}

const idsOf = (world: OutboxWorld): string[] => statesOf(world).map((state) => state.split(' ')[0]!);

test('a journal torn at any byte keeps every durable entry, and accepts more', async () => {
  const { bytes, steps } = await writeJournal();
  for (let length = 0; length <= bytes.length; length++) {
    await using world = await openWith(bytes.subarray(0, length));
    const durable = steps.findLast(({ sizeBytes }) => sizeBytes <= length)?.ids ?? [];
    const ids = idsOf(world);
    for (const id of durable) {
      // A later line drops this entry, and may be read already.
      if (id !== 'gone') assert.ok(ids.includes(id), `${id} is missing at ${length} bytes`);
    }
    assert.equal(world.warnings, [], `at ${length} bytes`);
    // The mark never runs ahead of the entries that belong to it.
    if (world.box.mark('log') === 'c1') assert.ok(ids.includes('wait2'));
    if (world.box.mark('log') === 'c2') assert.ok(ids.includes('last'));
    // A disk call each: at every byte of the first lines, and some of the others.
    if (length > 300 && length % 16) continue;
    await world.box.add([entry('more')]);
    await world.reopen();
    assert.equal(idsOf(world), [...ids, 'more'], `at ${length} bytes`);
    assert.equal((await world.box.find(TOPIC, 'more'))?.payload, { of: 'more' });
  }
});

test('a changed byte damages only its own line, and a copy of the damaged file is kept', async () => {
  const { bytes } = await writeJournal();
  const all = idsOf(await openWith(bytes));
  const lastLine = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
  for (let at = 0; at < lastLine; at += 7) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 0x04;
    await using world = await openWith(damaged);
    const lost = all.filter((id) => !idsOf(world).includes(id));
    // A changed newline damages two lines.
    assert.ok(lost.length <= 2, `${lost} at byte ${at}`);
    assert.is(world.warnings.length, 1, `at byte ${at}`);
    assert.equal(readFileSync(`${world.journal}.damaged`), damaged);
  }
});

test('a start removes the temporary file of an interrupted rewrite', async () => {
  const { bytes } = await writeJournal();
  await using world = await openWith(bytes);
  const before = statesOf(world);
  await world.box.close();
  writeFileSync(`${world.journal}.tmp`, bytes.subarray(0, 100));
  await world.reopen();
  assert.equal(statesOf(world), before);
  assert.throws(() => statSync(`${world.journal}.tmp`));
  rmSync(world.folder, { recursive: true });
});

test('many entries can be added at the same time, and each keeps its own payload', async () => {
  await using world = await makeOutbox({ silent: true });
  await Promise.all(Array.from({ length: 500 }, (_, i) => world.box.add([entry(`${i}`, { key: `${i}` })])));
  await world.reopen();
  assert.is(idsOf(world).length, 500);
  for (const id of ['0', '250', '499']) assert.equal((await world.box.find(TOPIC, id))?.payload, { of: id });
});

const LINE = Buffer.from('a line\n');

/** A journal without an outbox, with one line, and the prototype of its file handles, whose methods a test can fail. */
async function makeJournal() {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  const journal = createJournal({ folder, breathe: () => undefined, warn: () => undefined });
  for await (const _ of journal.recover()) assert.unreachable('there is nothing yet');
  await journal.append([LINE]);
  const probe = await open(join(folder, 'journal'));
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  return {
    journal,
    handles,
    async [Symbol.asyncDispose]() {
      await journal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Makes calls of the method fail as on a full disk, each once `until` has resolved. */
function failing(
  handles: FileHandle,
  method: 'write' | 'sync',
  until: Promise<unknown>,
): Disposable & { begun: Promise<void> } {
  const { [method]: was } = handles;
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  handles[method] = (async () => {
    resolve();
    await until;
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  }) as never;
  return { begun, [Symbol.dispose]: () => Object.assign(handles, { [method]: was }) };
}

test('results that are dropped during a failing write are not lost: the journal is rewritten', async () => {
  await using world = await makeJournal();
  const { journal } = world;
  const { promise, resolve } = Promise.withResolvers<void>();
  {
    using disk = failing(world.handles, 'write', promise);
    const refused = journal.append([LINE]).then(
      () => 'accepted',
      ({ code }) => code,
    );
    await disk.begun;
    for (let i = 0; i <= 10_000; i++) journal.note(LINE);
    resolve();
    assert.is(await refused, 'storage_full');
  }
  assert.ok(journal.isDoubtful, 'a start would deliver them again');
  await journal.rewrite(() => ({ keep: [], last: () => [LINE], moved: () => undefined }));
  assert.not.ok(journal.isDoubtful);
  assert.is((await journal.append([LINE])).length, 1);
});

test('a failed write leaves the journal in no doubt if no results were dropped', async () => {
  await using world = await makeJournal();
  {
    using _ = failing(world.handles, 'write', Promise.resolve());
    await world.journal.append([LINE]).then(
      () => assert.unreachable('it was accepted'),
      () => undefined,
    );
  }
  assert.not.ok(world.journal.isDoubtful);
  assert.is((await world.journal.append([LINE])).length, 1);
});

test('a rewrite closes the file that it replaces, even if the new one cannot be synced', async () => {
  await using world = await makeJournal();
  const { journal } = world;
  const opened = (): number => readdirSync('/proc/self/fd').length;
  const rewrite = (moved: () => void): Promise<string> =>
    journal
      .rewrite(() => ({ keep: [], last: () => [LINE], moved }))
      .then(
        () => 'done',
        ({ code }) => code,
      );
  assert.is(await rewrite(() => undefined), 'done');
  const before = opened();
  for (let i = 0; i < 5; i++) {
    // The file is synced before it replaces the old one, the folder after that.
    let disk: Disposable | undefined;
    assert.is(await rewrite(() => (disk = failing(world.handles, 'sync', Promise.resolve()))), 'storage_full');
    disk?.[Symbol.dispose]();
    assert.ok(journal.isDoubtful);
  }
  assert.is(opened(), before);
  assert.is(await rewrite(() => undefined), 'done');
  assert.not.ok(journal.isDoubtful);
});

test.run();
