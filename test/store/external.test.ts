// Other people's commits: taken in, kept, and never overwritten; a branch that was moved away stops writes until it is
// put back.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createThreadPacker } from '../../src/store/packer-thread.ts';
import type { ExternalChange, Store } from '../../src/store/store.ts';
import { append, commitBeside, makeStoreWorld, type StoreWorld, write } from '../support/store-world.ts';

interface Watched {
  store: Store;
  changes: ExternalChange[];
}

async function openWithHistory(world: StoreWorld, options: Parameters<StoreWorld['open']>[0] = {}): Promise<Watched> {
  const changes: ExternalChange[] = [];
  const store = world.open({ onExternal: (change) => void changes.push(change), ...options });
  for (let i = 0; i < 5; i++)
    await write(store, { 'content/posts/a.json': `ours ${i}`, [`content/posts/${i}.json`]: 'x' });
  await store.log.flush();
  store.log.poll();
  return { store, changes };
}

function show(world: StoreWorld, file: string): string {
  return world.git('show', `main:${file}`);
}

function refusalOf(store: Store): string | undefined {
  try {
    append(store, { never: 'x' }).durable.catch(() => undefined);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const started = performance.now();
  while (!isSo()) {
    if (performance.now() - started > 5000) throw new Error('it never came to be so');
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

test('a commit beside the service is seen at the next look and is the parent of the next change', async () => {
  await using world = makeStoreWorld();
  const { store, changes } = await openWithHistory(world);
  const from = store.log.status().head!;
  const theirs = commitBeside(world.repository, { 'content/posts/a.json': 'theirs', 'content/posts/0.json': null });
  store.log.poll();
  assert.is(store.log.status().head, theirs);
  assert.equal(changes, [
    {
      from,
      to: theirs,
      fromTree: store.treeOf(from),
      toTree: store.treeOf(theirs),
      ours: new Set(),
      replanted: [],
    },
  ]);
  assert.is(store.log.has('content/posts/0.json'), false);
  const ours = await write(store, { 'content/posts/b.json': 'ours' });
  await store.log.flush();
  assert.is(world.git('rev-parse', `${ours}^`).trim(), theirs);
  assert.is(show(world, 'content/posts/a.json'), 'theirs');
  assert.is(world.fsck(), '');
});

test('it is seen without asking, within a second', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world, { pollMs: 50 });
  const theirs = commitBeside(world.repository, { 'content/posts/a.json': 'theirs' });
  await until(() => store.log.status().head === theirs);
  world.git('pack-refs', '--all');
  const again = commitBeside(world.repository, { 'content/posts/a.json': 'again' });
  await until(() => store.log.status().head === again);
});

test('in an empty repository the first commit may be theirs', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const theirs = commitBeside(world.repository, { 'content/posts/a.json': '1' }, { parents: [] });
  const ours = append(store, { 'content/posts/b.json': '2' });
  await ours.durable;
  await store.log.flush();
  assert.is(world.git('rev-list', '--max-parents=0', 'main').trim(), theirs);
  assert.is(world.git('rev-list', '--count', 'main').trim(), '2');
});

for (const stage of ['queued', 'in flight', 'durable', 'packed']) {
  test(`changes that are ${stage} when it comes are replayed on top, with their Change-Ids`, async () => {
    await using world = makeStoreWorld();
    const packs = path.join(world.repository, 'objects', 'pack');
    const packer = createThreadPacker(packs);
    let meddle: (() => void) | undefined;
    const { store, changes } = await openWithHistory(world, {
      packer: {
        ...packer,
        async pack(batch) {
          const result = await packer.pack(batch);
          meddle?.();
          meddle = undefined;
          return result;
        },
      },
    });
    let theirs = '';
    const push = (): void => {
      theirs = commitBeside(world.repository, { 'content/posts/a.json': 'theirs', 'content/posts/z.json': 'theirs' });
    };
    if (stage === 'packed') meddle = push;
    const ours = [
      append(store, { 'content/posts/a.json': 'ours on top' }),
      append(store, { 'content/posts/new.json': 'n', 'content/posts/1.json': null }),
    ];
    if (stage === 'queued') {
      push();
      store.log.poll();
    }
    if (stage === 'in flight') {
      await new Promise((resume) => setImmediate(resume));
      await Promise.resolve();
      push();
      store.log.poll();
    }
    if (stage === 'durable') {
      await Promise.all(ours.map(({ durable }) => durable));
      push();
      store.log.poll();
    }
    await Promise.all(ours.map(({ durable }) => durable));
    await store.log.flush();
    assert.equal(
      world
        .git('log', '--reverse', '--format=%(trailers:key=Change-Id,valueonly,separator=)', `${theirs}..main`)
        .trim()
        .split('\n'),
      ours.map(({ changeId }) => changeId),
    );
    assert.is(show(world, 'content/posts/a.json'), 'ours on top');
    assert.is(show(world, 'content/posts/z.json'), 'theirs');
    assert.is(store.log.has('content/posts/1.json'), false);
    assert.equal([...changes[0]!.ours].sort(), [
      'content/posts/1.json',
      'content/posts/a.json',
      'content/posts/new.json',
    ]);
    assert.is(store.log.status().head, world.git('rev-parse', 'main').trim());
    assert.is(world.fsck(), '');
  });
}

test('a merge of ours with theirs is taken in', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const fork = world.git('rev-parse', 'main~3').trim();
  const side = commitBeside(world.repository, { 'side.txt': 's' }, { parents: [fork], ref: 'refs/heads/side' });
  const head = store.log.status().head!;
  const waiting = append(store, { 'content/posts/w.json': 'w' });
  await waiting.durable;
  commitBeside(world.repository, { 'side.txt': 's' }, { parents: [side, head] });
  store.log.poll();
  await store.log.flush();
  assert.is(show(world, 'content/posts/w.json'), 'w');
  assert.is(world.git('rev-list', '--merges', '--count', 'main').trim(), '1');
  assert.is(store.log.status().refusal, undefined);
  assert.is(world.fsck(), '');
});

test('a file of theirs where we have a directory, and the other way, ends in a good tree', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const ours = append(store, { 'x/y.json': 'ours', 'content/posts': 'a file now' });
  commitBeside(world.repository, { x: 'a file', 'content/posts/deep/er.json': 'theirs' });
  store.log.poll();
  await ours.durable;
  await store.log.flush();
  assert.is(show(world, 'x/y.json'), 'ours');
  assert.is(show(world, 'content/posts'), 'a file now');
  assert.is(world.fsck(), '');
});

test('after a force-push writes are refused and reads go on, until the branch is put back', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const head = store.log.status().head!;
  const waiting = append(store, { 'content/posts/w.json': 'waits' });
  await waiting.durable;
  world.git('update-ref', 'refs/heads/main', 'main~2');
  store.log.poll();
  assert.is(refusalOf(store), 'unavailable');
  assert.is(store.log.status().refusal?.code, 'unavailable');
  assert.ok(store.log.status().refusal?.message.includes(`update-ref refs/heads/main ${head}`));
  assert.is(store.odb.get(head, 'commit').length > 0, true);
  assert.ok(store.log.has('content/posts/w.json'));
  const flushed = await store.log.flush().catch((error: { code: string }) => error.code);
  assert.is(flushed, 'unavailable');
  assert.is(world.warnings.length, 1);
  store.log.poll();
  assert.is(world.warnings.length, 1);

  world.git('update-ref', 'refs/heads/main', head);
  store.log.poll();
  assert.is(store.log.status().refusal, undefined);
  await write(store, { 'content/posts/after.json': 'y' });
  await store.log.flush();
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  assert.is(world.git('rev-parse', 'main~2').trim(), head);
});

test('a force-push while nobody serves is a choice: nothing that it took away comes back, what waited is on top', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  await until(() => store.log.status().unflushed === 0);
  // Time for the write-ahead log's word that all of it is in git.
  await new Promise((resume) => setTimeout(resume, 100));
  world.git('update-ref', 'refs/heads/main', 'main~2');
  const back = world.git('rev-parse', 'main').trim();
  // Somebody who kills the service instead of closing it: its files are copied as they are.
  const copy = path.join(world.folder, 'copy');
  for (const name of ['content.git', 'wal'])
    fs.cpSync(path.join(world.folder, name), path.join(copy, name), { recursive: true });
  const killed = world.open({ folder: copy });
  assert.equal(killed.recovered, []);
  assert.is(killed.log.status().head, back);
  await killed.close();
});

async function moveAway(world: StoreWorld) {
  const { store, changes } = await openWithHistory(world);
  const ours = store.log.status().head!;
  await write(store, { 'content/posts/w.json': 'waits' });
  world.git('update-ref', 'refs/heads/main', 'main~2');
  const theirs = commitBeside(world.repository, { 'content/posts/t.json': 'theirs' });
  store.log.poll();
  assert.equal(store.log.status().moved, { ours, theirs });
  return { store, changes, ours, theirs };
}

test('a restart is no choice: reads go on from where the branch was, and writes are still refused', async () => {
  await using world = makeStoreWorld();
  const { store, ours, theirs } = await moveAway(world);
  await store.close();
  world.git('gc', '--prune=now', '--quiet');
  const again = world.open();
  assert.is(again.openedAt, ours);
  assert.equal(again.recovered.length, 1);
  again.log.poll();
  assert.is(refusalOf(again), 'unavailable');
  assert.equal(again.log.status().moved, { ours, theirs });
  await again.log.choose('ours');
  await again.log.flush();
  assert.is(world.git('rev-parse', 'main~1').trim(), ours);
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  await again.close();
  // The choice was made: what happens to the branch while nobody serves is another one.
  world.git('update-ref', 'refs/heads/main', ours);
  assert.is(world.open().openedAt, ours);
});

test('who keeps ours after a force-push has the branch back, and theirs under a ref of its own', async () => {
  await using world = makeStoreWorld();
  const { store, changes, ours, theirs } = await moveAway(world);
  await store.log.choose('ours');
  assert.is(refusalOf(store), undefined);
  await store.log.flush();
  assert.ok(world.git('rev-list', 'main').includes(ours));
  assert.is(world.git('rev-parse', `refs/colophon/kept/${theirs}`).trim(), theirs);
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  assert.equal(changes, []);
  assert.is(world.fsck(), '');
});

test('who keeps theirs after a force-push goes on from there, with what waited on top and ours under a ref', async () => {
  await using world = makeStoreWorld();
  const { store, changes, ours, theirs } = await moveAway(world);
  await store.log.choose('theirs');
  await store.log.flush();
  assert.is(world.git('rev-parse', 'main~1').trim(), theirs);
  assert.is(world.git('rev-parse', `refs/colophon/kept/${ours}`).trim(), ours);
  assert.equal([show(world, 'content/posts/w.json'), show(world, 'content/posts/t.json')], ['waits', 'theirs']);
  const [change] = changes;
  assert.equal([change?.from, change?.to, change?.replanted.length], [ours, theirs, 1]);
  assert.is(world.git('rev-parse', 'main').trim(), change?.replanted[0]?.entry.commit);
  assert.is(world.fsck(), '');
});

test('there is nothing to choose where nobody moved the branch, and theirs cannot be kept where it is gone', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const code = (error: { code: string }) => error.code;
  assert.is(await store.log.choose('ours').catch(code), 'conflict');
  const head = store.log.status().head!;
  world.git('update-ref', '-d', 'refs/heads/main');
  store.log.poll();
  assert.is(await store.log.choose('theirs').catch(code), 'conflict');
  await store.log.choose('ours');
  assert.is(world.git('rev-parse', 'main').trim(), head);
});

test("somebody's commit is put under the branch and taken in at once, with what waits on top", async () => {
  await using world = makeStoreWorld();
  const { store, changes } = await openWithHistory(world);
  const from = store.log.status().head!;
  const theirs = commitBeside(world.repository, { 'content/posts/t.json': 'theirs' });
  world.git('update-ref', 'refs/heads/main', from);
  const waiting = append(store, { 'content/posts/w.json': 'waits' });
  await waiting.durable;
  const outcomes = await Promise.all([store.log.advance(from, theirs), store.log.advance(from, theirs)]);
  assert.equal(outcomes, ['moved', 'changed']);
  assert.ok(store.log.has('content/posts/t.json'));
  assert.equal(
    changes.map(({ to, replanted }) => [to, replanted.length]),
    [[theirs, 1]],
  );
  await store.log.flush();
  assert.is(world.git('rev-parse', 'main~1').trim(), theirs);
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  fs.writeFileSync(path.join(world.repository, 'refs/heads/main.lock'), '');
  const head = store.log.status().head!;
  assert.is(await store.log.advance(head, theirs), 'locked');
  fs.rmSync(path.join(world.repository, 'refs/heads/main.lock'));
});

test('the branch is put on top of another history: other commit ids, the same Change-Ids, and writes go on', async () => {
  await using world = makeStoreWorld();
  const { store, changes } = await openWithHistory(world);
  const base = world.git('rev-parse', 'main~3').trim();
  world.git('update-ref', 'refs/heads/other', base);
  const theirs = commitBeside(world.repository, { 'content/posts/t.json': 'theirs' }, { ref: 'refs/heads/other' });
  const changeIds = (range: string) => world.git('log', '--format=%(trailers:key=Change-Id)', range).trim();
  const before = changeIds(`${base}..main`);
  const replaying = store.log.replayOnto(theirs, base);
  const waiting = append(store, { 'content/posts/w.json': 'waits' });
  await Promise.all([replaying, waiting.durable]);
  await store.log.flush();
  assert.ok(changeIds(`${theirs}..main`).endsWith(before));
  assert.is(world.git('rev-list', '--count', `${theirs}..main`).trim(), '4');
  assert.is(show(world, 'content/posts/t.json'), 'theirs');
  assert.is(show(world, 'content/posts/a.json'), 'ours 4');
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  assert.is(changes.length, 1);
  assert.is(world.fsck(), '');
  await store.close();
  const again = world.open();
  assert.is(again.log.status().head, world.git('rev-parse', 'main').trim());
});

test('a history without a common commit becomes the root of ours', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const empty = world.git('hash-object', '-t', 'tree', '-w', '/dev/null').trim();
  const identity = ['-c', 'user.name=G', '-c', 'user.email=g@example.com'];
  const root = world.git(...identity, 'commit-tree', empty, '-m', 'a beginning').trim();
  const count = world.git('rev-list', '--count', 'main').trim();
  await store.log.replayOnto(root, null);
  assert.is(world.git('rev-list', '--count', `${root}..main`).trim(), count);
  assert.is(show(world, 'content/posts/a.json'), 'ours 4');
  assert.is(world.fsck(), '');
});

test('each own change is told in log order, before its writer is answered', async () => {
  await using world = makeStoreWorld();
  const told: string[] = [];
  const store = world.open({ onCommit: ({ commit }) => void told.push(commit) });
  const answered: string[][] = [];
  const all = [1, 2, 3].map(async (i) => {
    const commit = await write(store, { [`content/posts/${i}.json`]: 'x' });
    answered.push([commit, told.includes(commit) ? 'told' : 'not told']);
    return commit;
  });
  assert.equal(await Promise.all(all), told);
  assert.ok(answered.every(([, state]) => state === 'told'));
});

test('a deleted branch is not begun anew', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const head = store.log.status().head!;
  world.git('update-ref', '-d', 'refs/heads/main');
  store.log.poll();
  assert.is(refusalOf(store), 'unavailable');
  world.git('update-ref', 'refs/heads/main', head);
  store.log.poll();
  assert.is(refusalOf(store), undefined);
});

test('a branch file that is being written, or a commit that cannot be read, refuses writes only as long as it lasts', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const head = store.log.status().head!;
  const file = path.join(world.repository, 'refs/heads/main');
  for (const text of ['', 'c'.repeat(40)]) {
    fs.writeFileSync(file, text);
    store.log.poll();
    assert.is(refusalOf(store), 'unavailable');
    store.log.poll();
    assert.is(refusalOf(store), 'unavailable');
    fs.writeFileSync(file, `${head}\n`);
    store.log.poll();
    assert.is(store.log.status().refusal, undefined);
    await write(store, { 'content/posts/b.json': text });
  }
  // The same between the pack and the branch.
  await store.log.flush();
  const current = store.log.status().head!;
  const last = append(store, { 'content/posts/c.json': '1' });
  fs.writeFileSync(file, '');
  await last.durable;
  await until(() => store.log.status().refusal !== undefined);
  fs.writeFileSync(file, `${current}\n`);
  store.log.poll();
  await store.log.flush();
  assert.equal(world.fatal, []);
  assert.is(world.fsck(), '');
});

test('after a long history was replaced, finding that out does not hold up writes and reads for long', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  for (let i = 0; i < 4000; i++) append(store, { f: String(i) });
  await store.log.flush();
  const head = store.log.status().head!;
  store.log.poll();
  const other = commitBeside(world.repository, { g: '1' }, { parents: [world.git('rev-parse', 'main~1').trim()] });
  let longestMs = 0;
  while (!store.log.status().refusal) {
    const started = performance.now();
    store.log.poll();
    longestMs = Math.max(longestMs, performance.now() - started);
    await new Promise((resume) => setImmediate(resume));
  }
  assert.ok(longestMs < 500, `${longestMs} ms`);
  assert.ok(store.log.status().refusal?.message.includes(other));
  world.git('update-ref', 'refs/heads/main', head);
  store.log.poll();
  assert.is(store.log.status().refusal, undefined);
});

test('git gc and repack in the middle of writes lose nothing', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  for (let round = 0; round < 6; round++) {
    const writes = Array.from({ length: 30 }, (_, i) => write(store, { [`content/posts/doc-${i}.json`]: `${round}` }));
    if (round % 2) world.git('gc', '--quiet', '--prune=now');
    else world.git('repack', '-adq');
    await Promise.all(writes);
    await store.log.flush();
  }
  assert.is(world.fsck(), '');
  assert.is(world.git('rev-list', '--count', 'main').trim(), String(5 + 180));
});

test('a pack that git repack dropped before the branch reached it is written again', async () => {
  await using world = makeStoreWorld();
  const packs = path.join(world.repository, 'objects', 'pack');
  const packer = createThreadPacker(packs);
  let drops = 0;
  const { store } = await openWithHistory(world, {
    packer: {
      ...packer,
      async pack(batch) {
        const result = await packer.pack(batch);
        if (drops-- === 1) world.git('repack', '-adq');
        return result;
      },
    },
  });
  drops = 1;
  await write(store, { 'content/posts/a.json': 'after the repack' });
  await store.log.flush();
  assert.is(show(world, 'content/posts/a.json'), 'after the repack');
  assert.is(world.fsck(), '');
});

test.run();
