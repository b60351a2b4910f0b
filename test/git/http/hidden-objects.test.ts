// Objects by id: a client gets those that a shown branch or tag reaches, whatever else the repository still has.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listWanted } from '../../../src/git/http/wanted.ts';
import { FLUSH, toPacket } from '../../../src/git/pkt-line.ts';
import { gitWithInput } from '../../support/store-world.ts';
import { type GitWorld, makeGitWorld, run } from '../world.ts';
import { hashObject, post } from './wire.ts';

const TWO = { 'git-protocol': 'version=2' };
const DELIMITER = Buffer.from('0001');

function fetchOf(oids: readonly string[], protocol: 0 | 2, more: readonly string[] = []): Buffer {
  if (protocol === 0) {
    const wants = oids.map((oid, at) => toPacket(`want ${oid}${at === 0 ? ' side-band-64k' : ''}\n`));
    return Buffer.concat([...wants, FLUSH, toPacket('done\n')]);
  }
  const head = [toPacket('command=fetch'), toPacket('object-format=sha1'), DELIMITER];
  const lines = [...oids.map((oid) => `want ${oid}\n`), ...more, 'done\n'];
  return Buffer.concat([...head, ...lines.map(toPacket), FLUSH]);
}

/** True if the answer has a pack, false if git's refusal is in it. */
async function isServed(world: GitWorld, token: string, oids: readonly string[], protocol: 0 | 2, more?: string[]) {
  const at = { port: world.port, path: '/git/default.git', token };
  const headers = protocol === 2 ? TWO : undefined;
  const { status, text } = await post(at, 'git-upload-pack', fetchOf(oids, protocol, more), headers);
  assert.is(status, 200, text);
  const isRefused = /not our ref/.test(text);
  assert.is(/PACK/.test(text), !isRefused, text.slice(0, 200));
  return !isRefused;
}

test('what no shown ref reaches is not served by its id, in any protocol', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const token = await world.secret();
  const clone = await world.clone(token);
  const { repository } = world;
  const git = async (...args: string[]) => (await run(repository, args)).stdout.trim();
  const [head, tree, blob] = await Promise.all(
    ['HEAD', 'HEAD^{tree}', 'HEAD:content/posts/a.md'].map((name) => clone.git('rev-parse', name).catch(() => '')),
  );
  const old = await clone.git('rev-list', '--max-parents=0', 'HEAD');
  const file = blob || (await clone.git('rev-parse', `HEAD:${(await clone.git('ls-files')).split('\n')[0]}`));
  // Left behind by a force-push, or under a ref of the service.
  const secret = hashObject(repository, 'blob', 'secret words');
  const hidden = gitWithInput(repository, `100644 blob ${secret}\tx\n`, 'mktree').trim();
  const commit = gitWithInput(
    repository,
    'Removed',
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@y',
    'commit-tree',
    hidden,
  ).trim();
  await git('update-ref', 'refs/colophon/set-aside/1', commit);
  for (const oid of [head!, old, tree!, file]) {
    assert.is(await isServed(world, token, [oid], 2), true, oid);
    assert.is(await isServed(world, token, [oid, secret], 2), false);
  }
  for (const oid of [secret, hidden, commit, '1'.repeat(40)]) {
    assert.is(await isServed(world, token, [oid], 2), false, oid);
    assert.is(await isServed(world, token, [oid.toUpperCase()], 2), false, oid);
    assert.is(await isServed(world, token, [oid], 0), false, oid);
    assert.is(await isServed(world, token, [oid], 2, ['filter blob:none\n', 'deepen 1\n']), false, oid);
  }
  await git('update-ref', 'refs/tags/shown', commit);
  for (const oid of [secret, hidden, commit]) assert.is(await isServed(world, token, [oid], 2), true, oid);
});

test('a partial clone gets the contents of older files when it shows them', async () => {
  await using world = await makeGitWorld();
  const { json } = await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'First title' } });
  await world.admin.patch(`/api/cms/posts/${json.slug}`, { data: { title: 'Second title' } });
  const clone = await world.clone(undefined, '--filter=blob:none', '--no-checkout');
  await clone.git('checkout', '--quiet', 'main');
  assert.match(await clone.git('log', '-p', '--', '.'), 'First title');
});

test('the ids of a request are those that git reads', () => {
  const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];
  const request = Buffer.concat([
    ...[
      toPacket('command=fetch\n'),
      DELIMITER,
      toPacket(`want ${a.toUpperCase()}\n`),
      toPacket(`have ${'c'.repeat(40)}\n`),
    ],
    ...[toPacket(''), Buffer.from('0002'), FLUSH, toPacket(`want ${b} side-band-64k`), FLUSH],
  ]);
  assert.equal([...listWanted(request)], [a, b]);
  assert.equal([...listWanted(Buffer.alloc(0))], []);
  for (const broken of ['0003', '000', 'zzzz', `0032want ${a}`, '-001', '0x12']) {
    assert.throws(
      () => listWanted(Buffer.from(broken)),
      ({ code }: { code?: string }) => code === 'invalid_input',
      broken,
    );
  }
});

test.run();
