// The log as its users see it: one change, one commit, durable when the promise resolves, in git a moment later.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { parseCommit, parseTrailers } from '../../../src/store/git/objects.ts';
import type { Appended } from '../../../src/store/log/log.ts';
import { createRandom } from '../../support/random.ts';
import { append, makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

function changeIds(world: StoreWorld): string[] {
  return world
    .git('log', '--reverse', '--format=%(trailers:key=Change-Id,valueonly,separator=)', 'main')
    .split('\n')
    .filter(Boolean);
}

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: { code?: string }) => error.code ?? 'none',
  );
}

function refusalOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

test('every accepted change is one commit, in the order of acceptance', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const accepted: Appended[] = [];
  const applied: string[] = [];
  for (let i = 0; i < 300; i++) {
    const files = { [`content/posts/doc-${i % 17}.json`]: `{"n":${i}}` };
    accepted.push(append(store, files, { apply: (commit) => void applied.push(commit) }));
    if (i % 40 === 0) await accepted.at(-1)!.durable;
  }
  const commits = await Promise.all(accepted.map(({ durable }) => durable));
  assert.equal(applied, commits);
  await store.log.flush();
  assert.equal(world.git('rev-list', '--reverse', 'main').trim().split('\n'), commits);
  assert.equal(
    changeIds(world),
    accepted.map(({ changeId }) => changeId),
  );
  assert.is(world.fsck(), '');
  const { head, gitHead, unflushed, refusal } = store.log.status();
  assert.equal([head, gitHead, unflushed, refusal], [commits.at(-1), commits.at(-1), 0, undefined]);
});

test('the files are those of the newest change, and blob ids come in the order of the files', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  await write(store, { 'content/a/x.json': '1', 'content/a/y.json': '2', 'content/b/z.json': '3' });
  const { blobs, durable } = append(store, {
    'content/a/x.json': null,
    'content/b/new.json': '4',
    'content/b/z.json': '5',
  });
  assert.is(store.log.has('content/a/x.json'), false);
  assert.is(store.log.has('content/b/new.json'), true);
  assert.is(store.log.has('content/b'), false);
  await durable;
  await store.log.flush();
  assert.equal(world.git('ls-tree', '-r', '--name-only', 'main').trim().split('\n'), [
    'content/a/y.json',
    'content/b/new.json',
    'content/b/z.json',
  ]);
  assert.equal(
    blobs,
    ['content/b/new.json', 'content/b/z.json'].map((file) => world.git('rev-parse', `main:${file}`).trim()),
  );
});

test('git is less than a second behind a single write, and behind many', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const seen = async (commit: string): Promise<number> => {
    const started = performance.now();
    while (store.log.status().gitHead !== commit) {
      await new Promise((resume) => setTimeout(resume, 5));
      if (performance.now() - started > 5000) break;
    }
    return performance.now() - started;
  };
  assert.ok((await seen(await write(store, { a: '1' }))) < 1000);
  let last = '';
  for (let i = 0; i < 200; i++) last = await write(store, { a: String(i) });
  assert.ok((await seen(last)) < 1000);
});

test('a flush ends although writes go on', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  let isOver = false;
  let count = 0;
  const writer = async (): Promise<void> => {
    while (!isOver) await write(store, { [`f-${count % 50}`]: String(count++) });
  };
  const writers = Array.from({ length: 8 }, writer);
  for (let i = 0; i < 5; i++) {
    const before = append(store, { marker: String(i) });
    await store.log.flush();
    const commit = await before.durable;
    assert.is(world.git('merge-base', '--is-ancestor', commit, 'main'), '');
  }
  isOver = true;
  await Promise.all(writers);
  await store.close();
  assert.is(world.git('rev-list', '--count', 'main').trim(), String(count + 5));
});

test('odd authors, messages and dates make valid commits', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const people = [
    { name: 'A\nparent 0000', email: 'x@y\n' },
    { name: '<evil> <mallory@example.com> 1 +0000', email: '<>' },
    { name: '', email: '' },
    { name: '😀 Ünï\ud800', email: 'ü@exämple.com' },
    { name: '.,;"\'', email: 'a b@c d' },
    { name: '\u0000\u0001', email: '\u0000' },
    { name: 'x'.repeat(5000), email: 'y'.repeat(5000) },
  ];
  for (const author of people) await write(store, { a: author.name }, { author });
  await write(
    store,
    { a: 'm' },
    { subject: 'with\0nul\nand a line\r\nmore', trailers: ['Event: x\nChange-Id: forged', 'Fields: \0'] },
  );
  await write(store, { a: 'd' }, { at: -5000 });
  const last = append(store, { a: 'e' }, { subject: '', trailers: [] });
  await last.durable;
  await store.log.flush();
  assert.is(world.fsck(), '');
  assert.is(world.git('rev-list', '--count', 'main').trim(), String(people.length + 3));
  const { message } = parseCommit(store.odb.get(world.git('rev-parse', 'main~2').trim(), 'commit'));
  assert.is(message.split('\n')[0], 'withnul and a line more');
  assert.is.not(parseTrailers(message).get('Change-Id'), 'forged');
  assert.is(changeIds(world).at(-1), last.changeId);
});

test('odd file names and contents make valid trees', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const files = {
    'a.b/x': '',
    'a/x': '\0\xff',
    a0: 'y',
    'ü/😀 .json': 'ü',
    'deep/er/and/deep/er/x': 'z',
    '-': '',
    '~tilde': '',
  };
  await write(store, files);
  await write(store, { 'a/x': null, 'a.b/x': null });
  await write(store, { 'a.b': 'now a file' });
  await write(store, { a0: null, 'a0/now/a/folder': '1' });
  await store.log.flush();
  assert.is(world.fsck(), '');
  const listed = world.git('ls-tree', '-r', '-z', '--name-only', 'main').split('\0').filter(Boolean);
  assert.equal(listed, ['-', 'a.b', 'a0/now/a/folder', 'deep/er/and/deep/er/x', '~tilde', 'ü/😀 .json']);
});

test('a commit without files is valid, even as the first one', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  await write(store, {});
  await write(store, { a: '1' });
  await write(store, {});
  await write(store, { a: null });
  await write(store, {});
  await store.close();
  assert.is(world.fsck(), '');
  assert.is(world.git('rev-list', '--count', 'main').trim(), '5');
  const again = world.open();
  assert.is(again.log.has('a'), false);
});

test('closing puts everything on the branch and leaves no write-ahead log; closing again changes nothing', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const writes = Array.from({ length: 20 }, (_, i) => write(store, { [`f-${i}`]: 'x' }));
  const closed = store.close();
  assert.is(
    refusalOf(() => append(store, { late: 'x' })),
    'unavailable',
  );
  await Promise.all([closed, store.close(), ...writes]);
  await store.close();
  assert.is(world.git('rev-list', '--count', 'main').trim(), '20');
  assert.equal(fs.readdirSync(path.join(world.folder, 'wal')), []);
});

test('a store that is opened and closed without a write leaves a valid repository', async () => {
  await using world = makeStoreWorld();
  await world.open().close();
  await world.open().close();
  assert.is(world.fsck(), '');
});

test('writes go on while another git process holds the branch, and get there when it lets go', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockPatienceMs: 100 });
  await write(store, { a: '0' });
  await store.log.flush();
  const lock = path.join(world.repository, 'refs/heads/main.lock');
  fs.writeFileSync(lock, '');
  for (let i = 1; i <= 50; i++) await write(store, { a: String(i) });
  assert.is(await codeOf(store.log.flush()), 'unavailable');
  assert.is(store.log.status().refusal, undefined);
  assert.is(store.log.status().unflushed, 50);
  fs.rmSync(lock);
  await write(store, { a: '51' });
  await store.log.flush();
  assert.is(world.git('rev-list', '--count', 'main').trim(), '52');
  assert.is(world.fsck(), '');
});

test('closing ends although the branch stays locked, and the next start publishes the rest', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockPatienceMs: 100 });
  await write(store, { a: '0' });
  await store.log.flush();
  const lock = path.join(world.repository, 'refs/heads/main.lock');
  fs.writeFileSync(lock, '');
  const last = append(store, { a: '1' });
  await last.durable;
  await store.close();
  fs.rmSync(lock);
  const again = world.open();
  assert.equal(
    again.recovered.map(({ commit }) => commit),
    [again.log.status().head],
  );
  await again.log.flush();
  assert.is(changeIds(world).at(-1), last.changeId);
  assert.equal(world.fatal, []);
});

test('a packer that dies is started again; one that always dies ends the process', async () => {
  await using world = makeStoreWorld();
  const { createThreadPacker } = await import('../../../src/store/packs/packer-thread.ts');
  const packs = path.join(world.repository, 'objects', 'pack');
  const script = path.join(world.folder, 'dying.mjs');
  const real = new URL('../../../src/store/packs/packer-worker.ts', import.meta.url).href;
  // Dies on its first batch, and works once it is started again.
  fs.writeFileSync(
    script,
    `import fs from 'node:fs'; import { parentPort } from 'node:worker_threads';
     if (fs.existsSync(${JSON.stringify(`${script}.lived`)})) await import(${JSON.stringify(real)});
     else { fs.writeFileSync(${JSON.stringify(`${script}.lived`)}, ''); parentPort.on('message', () => process.exit(1)); }`,
  );
  const store = world.open({ packer: createThreadPacker(packs, new URL(`file://${script}`)) });
  await write(store, { a: '1' });
  while (store.log.status().unflushed) await new Promise((resume) => setTimeout(resume, 20));
  assert.is(world.fsck(), '');
  assert.equal(world.fatal, []);
  assert.ok(world.warnings.length > 0);
  await store.close();

  fs.writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(1));`,
  );
  const doomed = world.open({ packer: createThreadPacker(packs, new URL(`file://${script}`)) });
  await write(doomed, { a: '2' });
  while (!world.fatal.length) await new Promise((resume) => setTimeout(resume, 20));
  assert.is(
    refusalOf(() => append(doomed, { a: '3' })),
    'unavailable',
  );
  assert.is(await codeOf(doomed.log.flush()), 'unavailable');
  await doomed.close();
  const again = world.open();
  await again.log.flush();
  assert.is(world.git('show', 'main:a'), '2');
});

test('a packer that dies right before or after it moves the branch loses nothing', async () => {
  const { createThreadPacker } = await import('../../../src/store/packs/packer-thread.ts');
  const real = new URL('../../../src/store/packs/packer-worker.ts', import.meta.url).href;
  const deaths = {
    before: `fs.writeFileSync(own, line); fs.linkSync(own, ref + '.lock');`,
    after: 'fs.writeFileSync(ref, line);',
  };
  for (const [when, death] of Object.entries(deaths)) {
    await using world = makeStoreWorld();
    const script = path.join(world.folder, 'dying.mjs');
    fs.writeFileSync(
      script,
      `import fs from 'node:fs'; import { parentPort } from 'node:worker_threads';
       const lived = ${JSON.stringify(`${script}.lived`)};
       const ref = ${JSON.stringify(path.join(world.repository, 'refs', 'heads', 'main'))};
       const own = ${JSON.stringify(path.join(world.repository, 'colophon-ref'))};
       parentPort.on('message', ({ kind, step }) => {
         if (kind !== 'finish' || fs.existsSync(lived)) return;
         fs.writeFileSync(lived, '');
         const line = step.to + String.fromCharCode(10);
         ${death}
         process.exit(1);
       });
       await import(${JSON.stringify(real)});`,
    );
    const packs = path.join(world.repository, 'objects', 'pack');
    const store = world.open({ packer: createThreadPacker(packs, new URL(`file://${script}`)) });
    const first = append(store, { a: '1' });
    await first.durable;
    while (store.log.status().unflushed && !world.fatal.length) await new Promise((resume) => setTimeout(resume, 20));
    assert.ok(fs.existsSync(`${script}.lived`), when);
    const second = append(store, { a: '2' });
    await second.durable;
    await store.log.flush();
    assert.equal(changeIds(world), [first.changeId, second.changeId], when);
    assert.is(world.fsck(), '', when);
    assert.equal(world.fatal, [], when);
    assert.equal(
      fs.readdirSync(packs).filter((name) => name.endsWith('.keep')),
      [],
      when,
    );
    await store.close();
  }
});

test('a view that throws does not undo a durable change: its writer gets the commit, and the process must end', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const boom = (): never => {
    throw new Error('a bug in a view');
  };
  const applied: string[] = [];
  const first = append(store, { a: '1' }, { apply: boom });
  const second = append(store, { b: '2' }, { apply: (commit) => void applied.push(commit) });
  await first.durable;
  assert.equal(applied, [await second.durable]);
  assert.is(world.fatal.length, 1);
  assert.is(
    refusalOf(() => append(store, { c: '3' })),
    'unavailable',
  );
  await store.close();
  const again = world.open();
  assert.ok(again.log.has('a') && again.log.has('b'));
});

test('writers wait for the packer rather than fill the memory', async () => {
  await using world = makeStoreWorld();
  const { createThreadPacker } = await import('../../../src/store/packs/packer-thread.ts');
  const packer = createThreadPacker(path.join(world.repository, 'objects', 'pack'));
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const store = world.open({ packer: { ...packer, pack: (batch) => gate.then(() => packer.pack(batch)) } });
  const random = createRandom(1);
  let asked = 0;
  let done = 0;
  const big = (): Buffer => Buffer.alloc(1 << 20, String(random.whole(0, 1e9)));
  const writes = Array.from({ length: 120 }, async (_, i) => {
    // Spread over many batches of the write-ahead log.
    for (let turn = 0; turn < i; turn++) await nextTurn();
    const written = write(store, { [`f-${i}`]: big() });
    asked++;
    await written;
    done++;
  });
  // How many share the first synced writes, and so get through, depends on the disk.
  while (asked < 120 || done === 0) await new Promise((resume) => setTimeout(resume, 20));
  let through: number;
  do {
    through = done;
    await new Promise((resume) => setTimeout(resume, 500));
  } while (done > through);
  open?.();
  await Promise.all(writes);
  assert.ok(through < 120, `${through} of 120 while the packer stands still`);
  await store.close();
  assert.is(world.git('rev-list', '--count', 'main').trim(), '120');
});

test('a change that was decided but not yet written is the parent of the next', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const first = append(store, { a: '1' });
  const second = append(store, { a: '2' });
  const [one, two] = await Promise.all([first.durable, second.durable]);
  await store.log.flush();
  assert.is(world.git('rev-parse', `${two}^`).trim(), one);
});

test.run();
