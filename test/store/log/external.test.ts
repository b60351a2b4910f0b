// External commits: applied, kept and never overwritten; a branch that was moved away stops writes until it is put
// back.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { oidOf } from '../../../src/store/git/objects.ts';
import { createThreadPacker } from '../../../src/store/packs/packer-thread.ts';
import { eventually } from '../../support/process.ts';
import { openWithHistory, refusalOf, show, until } from '../../support/store-history.ts';
import { append, commitBeside, makeStoreWorld, write } from '../../support/store-world.ts';

test('an external commit is seen at the next look and is the parent of the next change', async () => {
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
      ours: new Set(),
      replanted: [],
      isOwn: false,
    },
  ]);
  assert.is(store.log.has('content/posts/0.json'), false);
  const ours = await write(store, { 'content/posts/b.json': 'ours' });
  await store.log.flush();
  assert.is(world.git('rev-parse', `${ours}^`).trim(), theirs);
  assert.is(show(world, 'content/posts/a.json'), 'theirs');
  assert.is(world.fsck(), '');
});

test('the service sees an external commit by itself, within a second', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world, { pollMs: 50 });
  const theirs = commitBeside(world.repository, { 'content/posts/a.json': 'theirs' });
  await until(() => store.log.status().head === theirs);
  world.git('pack-refs', '--all');
  const again = commitBeside(world.repository, { 'content/posts/a.json': 'again' });
  await until(() => store.log.status().head === again);
});

test('the first commit of an empty repository may be external', async () => {
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
  test(`changes that are ${stage} when an external commit arrives are replayed on top, with their Change-Ids`, async () => {
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
      await nextTurn();
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
    // A change that is not durable yet is shown once it is.
    const isDurable = stage === 'durable' || stage === 'packed';
    const shown = isDurable ? ['content/posts/1.json', 'content/posts/a.json', 'content/posts/new.json'] : [];
    assert.equal([...changes[0]!.ours].sort(), shown);
    assert.is(store.log.status().head, world.git('rev-parse', 'main').trim());
    assert.is(world.fsck(), '');
  });
}

test('an external merge of our commits with others is applied', async () => {
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

test('an external file where our change needs a directory, or the other way round, stays; our change is set aside and reported', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const ours = [
    append(store, { 'x/y.json': 'ours' }),
    append(store, { z: 'a file' }),
    append(store, { w: 'ours too' }),
  ];
  commitBeside(world.repository, { x: 'a file', 'z/deep/er.json': 'theirs' });
  store.log.poll();
  await Promise.all(ours.map(({ durable }) => durable));
  await store.log.flush();
  assert.equal(
    ['x', 'z/deep/er.json', 'w'].map((path) => show(world, path)),
    ['a file', 'theirs', 'ours too'],
  );
  const [file, folder] = store.log.status().setAside;
  assert.match(file!, '"x" is a file in the repository, but the change needs a folder there');
  assert.match(folder!, '"z" is a folder in the repository, but the change needs a file there');
  assert.is(world.fsck(), '');
});

test('a change that would replace a directory by a file, or a file by a directory, is refused and leaves nothing', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const head = store.log.status().head;
  assert.throws(() => append(store, { 'w.json': 'w', 'content/posts': 'a file now' }), /"content\/posts" is a folder/);
  assert.throws(
    () => append(store, { 'content/posts/1.json/deep/er.json': 'x' }),
    /"content\/posts\/1\.json" is a file/,
  );
  assert.is(store.log.status().head, head);
  assert.is(store.log.has('w.json'), false);
  // A file that the same change removes is not in its way.
  await write(store, { 'content/posts/1.json': null, 'content/posts/1.json/deep.json': 'x' });
  await store.log.flush();
  assert.is(show(world, 'content/posts/1.json/deep.json'), 'x');
  assert.is(world.fsck(), '');
});

test('files of waiting changes are found by their ids, as replays leave them', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const { log } = store;
  const find = (text: string): string | undefined => log.findWaiting(oidOf('blob', Buffer.from(text)))?.toString();
  log.keepStill();
  await write(store, { 'content/posts/one.json': 'same', 'x/y.json': 'lost' });
  assert.is(find('same'), 'same');
  await write(store, { 'content/posts/two.json': 'same', 'content/posts/three.json': 'more' });
  assert.equal(['same', 'more', 'lost', 'none'].map(find), ['same', 'more', 'lost', undefined]);
  commitBeside(world.repository, { x: 'a file' });
  await eventually(() => assert.is(log.status().setAside.length, 1), 5000);
  assert.is(find('lost'), undefined);
  if (log.status().unflushed > 0) assert.equal(['same', 'more'].map(find), ['same', 'more']);
  await log.flush();
  assert.equal(['same', 'more'].map(find), [undefined, undefined]);
});

test('each change of ours is reported in log order, before its writer is answered', async () => {
  await using world = makeStoreWorld();
  const reported: string[] = [];
  const store = world.open({ onCommit: ({ commit }) => void reported.push(commit) });
  const answered: string[][] = [];
  const all = [1, 2, 3].map(async (i) => {
    const commit = await write(store, { [`content/posts/${i}.json`]: 'x' });
    answered.push([commit, reported.includes(commit) ? 'reported' : 'not reported']);
    return commit;
  });
  assert.equal(await Promise.all(all), reported);
  assert.ok(answered.every(([, state]) => state === 'reported'));
});

test('a half-written branch file or an unreadable commit refuses writes only as long as it lasts', async () => {
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

test('finding out that a long history was replaced does not hold up writes and reads for long', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  for (let i = 0; i < 4000; i++) append(store, { f: String(i) });
  await store.log.flush();
  const head = store.log.status().head!;
  store.log.poll();
  const other = commitBeside(world.repository, { g: '1' }, { parents: [world.git('rev-parse', 'main~1').trim()] });
  let longestMs = 0;
  while (!store.log.status().refusal) {
    const before = process.threadCpuUsage();
    store.log.poll();
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    await nextTurn();
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
