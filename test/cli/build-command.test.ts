// `colophon build` of a site with a command: through the same sandbox as the service's builds.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPorts } from '../../src/cli/wiring.ts';
import { makeProgramFolder } from '../build/sandbox/attacker.ts';
import { hasBwrap } from '../build/sandbox/this-machine.ts';
import { type Cli, makeCli } from './world.ts';

const CONFIG = `export default {
  collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text', required: true }] }],
  build: { command: 'mkdir dist; pwd > dist/index.html; set -- /proc/[0-9]*; echo $# > dist/processes.txt' },
};
`;

/** Runs it with this PATH, and more variables. */
function build(cli: Cli, variables: Record<string, string>) {
  cli.write('cms.config.ts', CONFIG);
  cli.write('posts/one.json', JSON.stringify({ data: { title: 'One' }, status: 'published' }));
  const places = { CMS_DATA_DIR: cli.path('data'), CMS_CONFIG_PATH: cli.path('cms.config.ts') };
  const all = { ...places, ...variables };
  return cli.runWith({ buildSite: createPorts(all).buildSite, variables: all }, 'build', '--out', cli.path('site'));
}

test('a command runs in the sandbox, where it sees its own processes alone', async () => {
  if (!hasBwrap) return;
  using cli = makeCli();
  const { code, err } = await build(cli, { PATH: process.env.PATH ?? '', CMS_BUILD_NETWORK: 'off' });
  assert.is(code, 0, err);
  assert.is(fs.readFileSync(cli.path('site/index.html'), 'utf8'), '/site\n');
  assert.ok(Number(fs.readFileSync(cli.path('site/processes.txt'), 'utf8')) < 8);
});

test('without bwrap it says what to install, and CMS_BUILDS=unconfined runs it as the caller', async () => {
  using cli = makeCli();
  using programs = makeProgramFolder();
  const refused = await build(cli, { PATH: programs.folder });
  assert.is(refused.code, 1);
  assert.ok(refused.err.includes('install bubblewrap'));
  assert.not.ok(fs.existsSync(cli.path('site')));
  const run = await build(cli, { PATH: programs.folder, CMS_BUILDS: 'unconfined' });
  assert.is(run.code, 0, run.err);
  assert.ok(run.err.includes('runs unconfined'));
  assert.is.not(fs.readFileSync(cli.path('site/index.html'), 'utf8'), '/site\n');
});

test.run();
