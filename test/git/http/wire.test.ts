// Requests that no git client would send, but a hostile client might: each is refused and leaves nothing behind.
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FLUSH, toPacket } from '../../../src/git/pkt-line.ts';
import { listObjects } from '../../support/git.ts';
import { eventually } from '../../support/process.ts';
import { type Clone, postFile } from '../world.ts';
import { type LimitedWorld, makeLimitedWorld } from './limits.ts';
import { hashObject, NOTHING, packOf, post, pushOf } from './wire.ts';

const MAIN = 'refs/heads/main';

interface Started extends AsyncDisposable {
  world: LimitedWorld;
  clone: Clone;
  /** The commit of main. */
  from: string;
}

async function start(): Promise<Started> {
  const world = await makeLimitedWorld();
  const clone = await world.clone();
  const from = await clone.commit({ 'content/posts/first.json': postFile('first') });
  await clone.pushed();
  return { world, clone, from, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** Checks that a push is refused and changes nothing. */
async function refused(started: Started, body: Buffer, expected: RegExp, what: string): Promise<void> {
  const { world, from } = started;
  const before = await listObjects(world.site.store.repository);
  const { status, text } = await post(world.at, 'git-receive-pack', body);
  assert.is(status, 200, `${what}: ${text}`);
  assert.match(text, expected, what);
  assert.match(text, /ng refs\//, what);
  assert.not.match(text, /hint:/, what);
  assert.is(world.main(), from, what);
  assert.equal(world.listIncoming(), [], what);
  assert.equal(await listObjects(world.site.store.repository), before, what);
}

test('main cannot be deleted, and moves only to a commit on top of it', async () => {
  await using started = await start();
  const { clone, from } = started;
  await refused(started, pushOf([[from, NOTHING, MAIN]], Buffer.alloc(0)), /cannot be deleted/, 'deleted');
  const blob = await clone.git('rev-parse', 'HEAD:content/posts/first.json');
  const tree = await clone.git('rev-parse', 'HEAD^{tree}');
  await clone.git('tag', '-a', '-m', 'Tagged', 'v1');
  const tag = await clone.git('rev-parse', 'v1');
  for (const oid of [blob, tree, tag]) {
    await refused(started, pushOf([[from, oid, MAIN]], await packOf(clone.folder, [oid])), /a commit/, oid);
  }
  await clone.git('checkout', '--quiet', '--orphan', 'other');
  const to = await clone.commit({ 'README.md': 'Another history\n' });
  await refused(started, pushOf([[from, to, MAIN]], await packOf(clone.folder, { to })), /non-fast-forward/, 'forced');
});

test('a pack that is damaged or incomplete is refused', async () => {
  await using started = await start();
  const { clone, from } = started;
  const to = await clone.commit({ 'content/posts/second.json': postFile('second') });
  const pack = await packOf(clone.folder, { from, to });
  const flipped = Buffer.from(pack);
  flipped[40]! ^= 0xff;
  const tree = await clone.git('rev-parse', 'HEAD^{tree}');
  const cases: [string, Buffer][] = [
    ['none', Buffer.alloc(0)],
    ['no pack', Buffer.from('hello, world')],
    ['cut short', pack.subarray(0, pack.length - 30)],
    ['damaged', flipped],
    ['a commit alone', await packOf(clone.folder, [to])],
    ['without the file', await packOf(clone.folder, [to, tree])],
  ];
  for (const [what, bytes] of cases)
    await refused(started, pushOf([[from, to, MAIN]], bytes), /unpack the objects/, what);
  const { status } = await post(started.world.at, 'git-receive-pack', pushOf([[from, to, MAIN]], pack));
  assert.is(status, 200);
  assert.is(started.world.main(), to);
});

test('objects that the repository already has are checked for missing links too', async () => {
  await using started = await start();
  const { world, clone, from } = started;
  const person = 'Grace <grace@example.org> 1767400000 +0000';
  const commit = `tree ${'ab'.repeat(20)}\nparent ${from}\nauthor ${person}\ncommitter ${person}\n\nBy hand\n`;
  const to = hashObject(world.site.store.repository, 'commit', commit);
  const empty = await packOf(clone.folder, []);
  await refused(started, pushOf([[from, to, MAIN]], empty), /objects are missing/, 'a tree that is nowhere');
});

test('commits with malformed headers are refused', async () => {
  await using started = await start();
  const { clone, from } = started;
  const tree = await clone.git('rev-parse', 'HEAD^{tree}');
  const person = 'Grace <grace@example.org> 1767400000 +0000';
  const cases = [
    `tree ${tree}\nparent ${from}\nauthor Grace\ncommitter ${person}\n\nx\n`,
    `tree ${tree}\nparent ${from}\nauthor ${person}\ncommitter ${person.replace('1767400000', '99999999999999999999')}\n\nx\n`,
    `tree ${tree}\nparent ${from}\nauthor ${person}\n\nx\n`,
    `tree ${tree}\nparent ${from}\nauthor ${person}\ncommitter ${person}\n\nx\0y\n`,
  ];
  for (const body of cases) {
    const to = hashObject(clone.folder, 'commit', body);
    await refused(started, pushOf([[from, to, MAIN]], await packOf(clone.folder, { from, to })), /unpack the/, body);
  }
});

test('a body may be gzipped, and the limit applies to its decompressed size', async () => {
  await using started = await start();
  const { world, clone, from } = started;
  const gzip = { 'content-encoding': 'gzip' };
  const to = await clone.commit({ 'content/posts/second.json': postFile('second') });
  const push = pushOf([[from, to, MAIN]], await packOf(clone.folder, { from, to }));
  const damaged = gzipSync(push);
  damaged.fill(0, 20, 60);
  const damagedAtItsEnd = gzipSync(push);
  damagedAtItsEnd[damagedAtItsEnd.length - 6]! ^= 0xff;
  for (const [body, headers, expected] of [
    [push, gzip, 400],
    [damaged, gzip, 400],
    [damagedAtItsEnd, gzip, 400],
    [push, { 'content-encoding': 'br' }, 415],
    [gzipSync(push), gzip, 200],
  ] as const) {
    assert.is((await post(world.at, 'git-receive-pack', body, headers)).status, expected);
  }
  assert.is(world.main(), to);
  assert.equal(world.listIncoming(), []);
  assert.is((await post(world.at, 'git-upload-pack', gzipSync(Buffer.alloc(64 << 20)), gzip)).status, 413);
  const want = gzipSync(Buffer.concat([toPacket(`want ${to} ofs-delta\n`), FLUSH, toPacket('done\n')]));
  const fetched = await post(world.at, 'git-upload-pack', want, gzip);
  assert.is(fetched.status, 200);
  assert.match(fetched.text, /NAK\nPACK/);
});

test('a request that git does not understand is refused', async () => {
  await using started = await start();
  const { world } = started;
  for (const body of ['', 'x', 'zzzz', '0001', '0009done\n', '0032want nothing\n0000']) {
    const { status, text } = await post(world.at, 'git-upload-pack', Buffer.from(body));
    assert.ok(status === 400 || (status === 200 && !text.includes('PACK')), `${body}: ${status} ${text}`);
    assert.not.match(text, /colophon-|\/site\//);
    if (body !== '') assert.is((await post(world.at, 'git-receive-pack', Buffer.from(body))).status, 400, body);
  }
  const want = Buffer.concat([toPacket(`want ${'ab'.repeat(20)} ofs-delta\n`), FLUSH, toPacket('done\n')]);
  assert.match((await post(world.at, 'git-upload-pack', want)).text, /ERR .*not our ref/);
  assert.equal(
    world.logged.filter(({ level }) => Number(level) >= 50),
    [],
  );
});

test('a refused request is read to its end, and its connection can be used again', async () => {
  await using started = await start();
  const { world } = started;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const noise = randomBytes(2 << 20);
  const body = Buffer.concat([toPacket('no command'), FLUSH, noise]);
  for (const [sent, headers, status] of [
    [body, {}, 400],
    [gzipSync(body), { 'content-encoding': 'gzip' }, 400],
    [noise, { 'content-encoding': 'gzip' }, 400],
    [body, { 'content-type': 'text/plain' }, 415],
  ] as const) {
    const what = `${JSON.stringify(headers)} ${sent.length}`;
    assert.is((await post(world.at, 'git-receive-pack', sent, headers, agent)).status, status, what);
    assert.is((await post(world.at, 'git-receive-pack', FLUSH, {}, agent)).status, 200, `after ${what}`);
  }
  assert.is(Object.values(agent.freeSockets).flat().length, 1);
  agent.destroy();
});

test('a client that disconnects in the middle of its push leaves nothing behind', async () => {
  await using started = await start();
  const { world, clone, from } = started;
  const to = await clone.commit({ 'content/posts/second.json': postFile('second') });
  const body = pushOf([[from, to, MAIN]], await packOf(clone.folder, { from, to }));
  for (const sentBytes of [10, 150, body.length - 30]) {
    const socket = connect(world.port, '127.0.0.1');
    socket.on('error', () => undefined); // the test disconnects first
    socket.write(
      `POST /git/main.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token\r\n` +
        `Content-Type: application/x-git-receive-pack-request\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.subarray(0, sentBytes));
    if (sentBytes > 120) await eventually(() => assert.is(world.listIncoming().length, 1), 5000);
    socket.destroy();
    await eventually(() => assert.equal(world.listIncoming(), []), 5000);
    assert.is(world.main(), from);
  }
  await clone.pushed();
});

test.run();
