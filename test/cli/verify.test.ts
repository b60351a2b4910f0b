import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/app.ts';
import { parseEnv } from '../../src/config/env.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { verifyBeside, verifySite } from '../../src/sites/verify-site.ts';
import { lockFolder } from '../../src/store/log/writer-lock.ts';
import { eventually } from '../support/process.ts';
import { commitBeside, git } from '../support/store-world.ts';
import { gif, sha256, upload } from '../support/upload.ts';
import { CONFIG, makeWorld } from '../support/world.ts';
import { makeCli } from './world.ts';

const NO_COUNTS = { commits: 0, objects: 0, packs: 0, files: 0, documents: 0 };

function importTwo(cli: ReturnType<typeof makeCli>) {
  cli.write('in/posts/one.md', '---\ntitle: One\n---\nHeron\n');
  cli.write('in/posts/two.md', '---\ntitle: Two\n---\nStork\n');
  return cli.run('import', cli.path('in'));
}

/** Flips a bit in the middle. */
function damagePack(cli: ReturnType<typeof makeCli>): void {
  const packs = cli.path('data', 'sites', 'default', 'content.git', 'objects', 'pack');
  const pack = path.join(packs, fs.readdirSync(packs).find((name) => name.endsWith('.pack'))!);
  const bytes = fs.readFileSync(pack);
  bytes[bytes.length >> 1]! ^= 1;
  fs.chmodSync(pack, 0o644);
  fs.writeFileSync(pack, bytes);
}

test('verify counts what it read and calls a sound site sound', async () => {
  using cli = makeCli();
  await importTwo(cli);
  const { code, out } = await cli.run('verify');
  assert.is(code, 0);
  assert.match(out, /^commits: 2\nobjects: 11\n/);
  assert.match(out, /files: 2\ndocuments: 2\nsite "default": sound\n$/);
});

test('a damaged byte in a pack is a problem, with exit code 1', async () => {
  using cli = makeCli();
  await importTwo(cli);
  damagePack(cli);
  const { code, out, err } = await cli.run('verify');
  assert.is(code, 1);
  assert.match(err, /[0-9]+ problems?/);
  assert.not.match(out, /sound/);
});

test('a data folder without the site is not called sound, and nothing is added to it', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('data'));
  const { code, out } = await cli.run('verify');
  assert.is(code, 1);
  assert.is(out, '');
  assert.not(fs.existsSync(cli.path('data', 'sites')));
});

test('a folder that is not a data folder is left as it was, by commands and by a start', async () => {
  using cli = makeCli();
  cli.write('home/letter.txt', 'Dear Ada');
  fs.chmodSync(cli.path('home'), 0o755);
  for (const command of ['verify', 'user', 'backup']) {
    const args = command === 'user' ? ['user', 'list'] : [command];
    const { code, err } = await cli.run(...args, '--data', cli.path('home'));
    assert.is(code, 1);
    assert.ok(err.includes('letter.txt'), err);
  }
  const parts = { logger: pino({ level: 'silent' }), onFatal: () => undefined };
  const env = parseEnv({ CMS_DATA_DIR: cli.path('home'), CMS_CONFIG_PATH: cli.path('cms.config.ts'), PORT: '0' });
  await createApp({ ...parts, env }).then(
    () => assert.unreachable('it started'),
    (error: Error) => assert.ok(error.message.includes('letter.txt'), error.message),
  );
  assert.equal(fs.readdirSync(cli.path('home')), ['letter.txt']);
  assert.is(fs.statSync(cli.path('home')).mode & 0o777, 0o755);
});

test('a new volume, which has lost+found, becomes a data folder', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('data', 'lost+found'), { recursive: true });
  assert.is((await cli.run('user', 'list')).code, 0);
});

test('problems and warnings are printed line by line; warnings alone are not a failure', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('data'));
  const report = { counts: NO_COUNTS, problems: [], warnings: ['content/posts/x.json: not JSON'] };
  const warned = await cli.runWith({ verifySite: async () => report }, 'verify');
  assert.is(warned.code, 0);
  assert.is(warned.err, 'warning: content/posts/x.json: not JSON\n');
  const problems = ['posts/a: not in the tree', 'posts/b: differs'];
  const bad = await cli.runWith({ verifySite: async () => ({ counts: NO_COUNTS, problems, warnings: [] }) }, 'verify');
  assert.is(bad.code, 1);
  assert.match(bad.err, /^posts\/a: not in the tree\nposts\/b: differs\n/);
});

test('a site can be verified while it is served, and damage is found', async () => {
  using cli = makeCli();
  await importTwo(cli);
  const lock = lockFolder(cli.path('data'));
  try {
    const { code, out, err } = await cli.run('verify');
    assert.is(code, 0, err);
    assert.match(out, /^commits: 2\nobjects: 11\n/);
    assert.match(out, /sound\n$/);
    assert.match(err, new RegExp(`process ${process.pid}, .* --url <address> --token <token>`));
    damagePack(cli);
    assert.is((await cli.run('verify')).code, 1);
  } finally {
    lock.release();
  }
});

test('with --url the running service checks its site: the same report, the same exit codes', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  await upload(world.admin, 'a.gif', gif(1));
  const { headers } = await world.token(['sites:write']);
  const token = String(headers.authorization).slice('Bearer '.length);
  using cli = makeCli();
  const sound = await cli.run('verify', '--url', world.url, '--token', token);
  assert.is(sound.code, 0, sound.err);
  assert.match(sound.out, /^commits: 2\nobjects: \d+\npacks: \d+\nfiles: 1\ndocuments: 1\nsite "default": sound\n$/);
  assert.not.ok(fs.existsSync(cli.path('data')), 'no data folder is made');

  const { media } = world.site();
  fs.rmSync(media.bytesPath(sha256(gif(1))));
  const bad = await cli.run('verify', '--url', `${world.url}/`, '--token', token, '--site', 'default');
  assert.is(bad.code, 1);
  assert.match(bad.err, /media\/images\/a\.gif: its bytes are missing.*\ncolophon: site "default": 1 problem\n$/);
  assert.not.match(bad.out, /sound/);
});

test('a file that is not a document is reported the same while a service runs, by the service, and once it has stopped', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await upload(world.admin, 'a.gif', gif(1));
  await upload(world.admin, 'b.gif', gif(2));
  const { store, media } = world.site();
  await store.log.flush();
  const at = (slug: string): string => `content/posts/${slug}.json`;
  const text = git(store.repository, 'show', `main:${at('a')}`);
  const doc = JSON.parse(text);
  const files = {
    [at('broken')]: '{ broken',
    [at('copy')]: text.replace('"slug": "a"', '"slug": "copy"'),
    [at('elsewhere')]: JSON.stringify({ ...doc, id: 'Zz1B2c3D4e5F', slug: 'there' }),
    [at('large')]: JSON.stringify({ ...doc, id: 'Zz2B2c3D4e5F', slug: 'large', data: { body: 'x'.repeat(5 << 20) } }),
    [at('wrong')]: JSON.stringify({ ...doc, id: 'Zz3B2c3D4e5F', slug: 'wrong', data: { title: 5 } }),
    [at('good')]: JSON.stringify({ ...doc, id: 'Zz4B2c3D4e5F', slug: 'good' }),
    'content/unknown/x.json': '{}',
    'media/images/.meta/a.gif.json': '[]',
  };
  commitBeside(store.repository, files);
  await eventually(() => assert.ok(world.site().warnings.size >= 6), 10_000);
  await store.log.flush();
  fs.rmSync(media.bytesPath(sha256(gif(2))));

  const { headers } = await world.token(['sites:write']);
  const token = String(headers.authorization).slice('Bearer '.length);
  using cli = makeCli();
  const served = await cli.run('verify', '--url', world.url, '--token', token);
  const options = {
    ...{ id: 'default', org: 'default', config: parseConfig(CONFIG), folder: path.dirname(store.repository) },
    warn: () => undefined,
    onFatal: () => undefined,
  };
  const beside = await verifyBeside(options);
  assert.is(served.code, 1);
  assert.is(beside.problems.length, 1);
  assert.match(served.err, beside.problems[0]!);
  assert.equal(
    served.err
      .split('\n')
      .filter((line) => line.startsWith('warning: '))
      .sort(),
    beside.warnings.map((line) => `warning: ${line}`).sort(),
  );
  assert.match(served.out, `files: ${beside.counts.files}\ndocuments: ${beside.counts.documents}\n`);
  const copy = `${options.folder}-copy`;
  fs.cpSync(options.folder, copy, { recursive: true });
  const stopped = await verifySite({ ...options, folder: copy });
  assert.equal([...stopped.warnings].sort(), [...beside.warnings].sort());
  assert.equal(stopped.problems, beside.problems);
  assert.is(stopped.counts.documents, beside.counts.documents);
  fs.rmSync(copy, { recursive: true });
});

test('with --url a refusal and a missing token are each one sentence', async () => {
  await using world = await makeWorld();
  const { headers } = await world.token(['sites:read']);
  const token = String(headers.authorization).slice('Bearer '.length);
  using cli = makeCli();
  for (const [options, message] of [
    [['--url', world.url], /^colophon: --url needs an access token.*\n$/],
    [['--url', world.url, '--token', token], /^colophon: http\S+ answers with status 403: .*\n$/],
    [['--url', 'ftp://x', '--token', token], /^colophon: "ftp:\/\/x" is not an http or https address\n$/],
    [['--url', 'http://127.0.0.1:1', '--token', token], /^colophon: http:\/\/127\.0\.0\.1:1 cannot be reached\n$/],
  ] as const) {
    const { code, out, err } = await cli.run('verify', ...options);
    assert.equal([code, out], [1, '']);
    assert.match(err, message);
  }
});

test.run();
