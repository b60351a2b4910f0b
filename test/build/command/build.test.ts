// Builds by a command: what the command sees, what is taken of its output, and what is left behind.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BuildError } from '../../../src/build/build.ts';
import { hash } from 'node:crypto';
import { listFiles, makeBuildWorld, readJson } from './world.ts';

const COPY = 'mkdir dist && cp -r content dist/';

async function refusal(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was not refused');
}

test('a command gets the published documents, without who wrote their fields, and its output is listed', async () => {
  await using it = await makeBuildWorld({ command: COPY });
  await it.publish('hello');
  await it.world.admin.post('/api/cms/posts', { slug: 'secret-draft', data: { title: 'Secret' } });
  const site = await it.build();
  assert.equal(listFiles(site.folder), ['content/posts/hello.json']);
  const file = join(site.folder, 'content/posts/hello.json');
  assert.equal(readJson(file)._fieldMeta, undefined);
  assert.equal((readJson(file).data as { title: string }).title, 'hello');
  const bytes = readFileSync(file);
  assert.equal(site.files, [
    { path: 'content/posts/hello.json', sizeBytes: bytes.length, sha256: hash('sha256', bytes) },
  ]);
  assert.is(site.commit, it.world.headCommit());
  assert.equal(readdirSync(join(it.folder, 'default')).length, 1);
});

test('a preview of a profile with drafts has all documents', async () => {
  await using it = await makeBuildWorld({ profiles: [{ name: 'drafts', command: COPY, drafts: true }] });
  await it.publish('hello');
  await it.world.admin.post('/api/cms/posts', { slug: 'draft', data: { title: 'Draft' } });
  const site = await it.build({ isPreview: true });
  assert.equal(listFiles(site.folder), ['content/posts/draft.json', 'content/posts/hello.json']);
  assert.is((await refusal(it.build())).name, 'ServiceError');
});

test('the environment has what is decided, and nothing of the service', async () => {
  const variables = { PATH: process.env.PATH, CMS_JWT_SECRET: 'secret', HOME: '/root', GITHUB_TOKEN: 'secret' };
  await using it = await makeBuildWorld(
    { command: 'mkdir dist && env > dist/env.txt', env: { MODE: 'live', CMS_SITE: 'other' } },
    { parts: { variables } },
  );
  await it.publish('hello');
  const site = await it.build();
  const lines = readFileSync(join(site.folder, 'env.txt'), 'utf8').trim().split('\n');
  const env = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  // The shell's own.
  for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete env[name];
  const { HOME, TMPDIR, ...rest } = env;
  assert.equal(rest, {
    PATH: process.env.PATH,
    CI: '1',
    MODE: 'live',
    CMS_URL: 'https://cms.example',
    CMS_ADMIN_URL: 'https://cms.example/admin',
    CMS_SITE: 'default',
    CMS_COMMIT: site.commit,
    CMS_PROFILE: 'default',
  });
  for (const own of [HOME, TMPDIR]) {
    assert.ok(own?.startsWith(it.folder));
    assert.not.ok(existsSync(own!));
  }
});

const BAD = [
  ['an exit code other than 0', 'mkdir dist && echo a > dist/a && exit 3'],
  ['no output', 'true'],
  ['an empty folder', 'mkdir dist'],
  ['a file in the place of the folder', 'echo a > dist'],
  ['a link that leads out', 'mkdir dist && ln -s /etc/passwd dist/users.txt'],
  ['a folder that is a link', 'ln -s /etc dist'],
  ['a link to the content', 'mkdir dist && ln -s ../content dist/content'],
  ['a link to nothing', 'mkdir dist && ln -s nothing dist/a'],
  ['a link to its own folder', 'mkdir -p dist/a && ln -s . dist/a/b'],
  ['a pipe', 'mkdir dist && mkfifo dist/pipe'],
  ['a name that is not UTF-8', `mkdir dist && touch "$(printf 'dist/\\377')"`],
  ['a name with a line break', `mkdir dist && touch "$(printf 'dist/a\\nb')"`],
  ['a command that is ended by a signal', 'kill -9 $$'],
  ['a command that does not exist', 'no-such-program-here'],
] as const;

test('what cannot be published fails the build, and leaves nothing', async () => {
  const profiles = BAD.map(([, command], index) => ({ name: `bad-${index}`, command }));
  await using it = await makeBuildWorld({ profiles });
  await it.publish('hello');
  for (const [index, [what]] of BAD.entries()) {
    const profile = `bad-${index}`;
    assert.is((await refusal(it.build({ profile }))).name, 'BuildError', what);
    assert.equal(readdirSync(join(it.folder, profile)), [], what);
  }
});

test('links inside of the output are what they lead to', async () => {
  const command = 'mkdir -p dist/v2 && echo two > dist/v2/a.txt && ln -s v2 dist/latest && ln -s v2/a.txt dist/b.txt';
  await using it = await makeBuildWorld({ command });
  await it.publish('hello');
  const { files } = await it.build();
  assert.equal(files.map((file) => file.path), ['b.txt', 'latest/a.txt', 'v2/a.txt']);
  assert.is(new Set(files.map((file) => file.sha256)).size, 1);
});

test('the output of a build stays until the next one has succeeded', async () => {
  await using it = await makeBuildWorld({ command: 'test -f content/posts/stop.json && exit 1; mkdir dist; date > dist/a' });
  await it.publish('hello');
  const first = await it.build();
  const second = await it.build();
  assert.not.ok(existsSync(first.folder));
  await it.publish('stop');
  assert.instance(await refusal(it.build()), BuildError);
  assert.equal(listFiles(second.folder), ['a']);
});

test('an unknown profile is refused before anything starts', async () => {
  await using it = await makeBuildWorld({ profiles: [{ name: 'live', command: 'true' }, { name: 'docs' }] });
  const error = (await refusal(it.build({ profile: 'nope' }))) as Error & { code?: string };
  assert.is(error.code, 'invalid_input');
  assert.ok(error.message.includes('live') && error.message.includes('docs'));
  assert.not.ok(existsSync(it.folder));
});

test.run();
