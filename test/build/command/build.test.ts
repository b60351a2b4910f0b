// Builds by a command: what the command sees, what is taken of its output, and what is left behind.

import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BuildError } from '../../../src/build/build.ts';
import { openBuilds } from '../../../src/build/service.ts';
import { eventually } from '../../support/process.ts';
import { ROOT } from '../../support/source.ts';
import { hasBwrap } from '../sandbox/this-machine.ts';
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
  if (!hasBwrap) return;
  const variables = { PATH: process.env.PATH, CMS_JWT_SECRET: 'secret', HOME: '/root', GITHUB_TOKEN: 'secret' };
  await using it = await makeBuildWorld(
    { command: 'mkdir dist && env > dist/env.txt', env: { MODE: 'live', CMS_SITE: 'other' } },
    { parts: { variables } },
  );
  await it.publish('hello');
  const site = await it.build();
  const lines = readFileSync(join(site.folder, 'env.txt'), 'utf8').trim().split('\n');
  const env = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  // The shell's own.
  for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete env[name];
  const { PATH, ...rest } = env;
  assert.equal(rest, {
    CI: '1',
    HOME: '/colophon/home',
    TMPDIR: '/colophon/tmp',
    MODE: 'live',
    CMS_URL: 'https://cms.example',
    CMS_ADMIN_URL: 'https://cms.example/admin',
    CMS_SITE: 'default',
    CMS_COMMIT: site.commit,
    CMS_PROFILE: 'default',
  });
  // The service's own Node is first; of the service's PATH there is what a build may read.
  assert.match(PATH!, /^\/colophon\/bin:.*\/usr\/bin/);
  assert.not.ok(PATH!.includes(ROOT));
});

const BAD = [
  ['an exit code other than 0', 'mkdir dist && echo a > dist/a && exit 3'],
  ['no output', 'true'],
  ['a link that leads out', 'mkdir dist && ln -s /etc/passwd dist/users.txt'],
  ['a command that is ended by a signal', 'kill -9 $$'],
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

test('the output of a build stays until the next one has succeeded', async () => {
  await using it = await makeBuildWorld({
    command: 'test -f content/posts/stop.json && exit 1; mkdir dist; date > dist/a',
  });
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

test('builds of one profile run one after the other, those of several at once', async () => {
  const command = 'echo begin >> $CMS_PROFILE.txt; mkdir dist; date > dist/a; sleep 0.3';
  await using it = await makeBuildWorld({
    profiles: [
      { name: 'one', command },
      { name: 'two', command },
    ],
  });
  await it.publish('hello');
  let running = 0;
  let most = 0;
  const build = async (profile: string) => {
    await it.build({
      profile,
      log(text) {
        if (!text.startsWith('$ ')) return;
        most = Math.max(most, ++running);
      },
    });
    running--;
  };
  await Promise.all([build('one'), build('one')]);
  assert.is(most, 1);
  await Promise.all([build('one'), build('two')]);
  assert.is(most, 2);
});

test('a start ends what a crash left running, and removes its folders', async () => {
  await using it = await makeBuildWorld({ command: 'echo started; sleep 60' });
  await it.publish('hello');
  const building = refusal(it.build());
  await eventually(() => assert.ok(it.printed().includes('started')), 60_000);
  const again = await openBuilds(it.parts);
  assert.instance(await building, BuildError);
  assert.equal(readdirSync(join(it.folder, 'default')), []);
  await again.close();
});

test('a shutdown ends builds under way', async () => {
  await using it = await makeBuildWorld({ command: 'echo started; sleep 60' });
  await it.publish('hello');
  const building = refusal(it.build());
  await eventually(() => assert.ok(it.printed().includes('started')), 60_000);
  await it.builds.close();
  assert.instance(await building, BuildError);
  assert.equal(listFiles(it.folder), []);
});

test.run();
