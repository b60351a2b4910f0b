import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config/load.ts';
import { makeCli } from './world.ts';

const BIN = fileURLToPath(new URL('../../src/cli/colophon.js', import.meta.url));
const COMMANDS = [
  ['start'],
  ['init'],
  ['import'],
  ['export'],
  ['verify'],
  ['backup'],
  ['restore'],
  ['openapi'],
  ['user'],
  ['user', 'add'],
  ['user', 'list'],
  ['user', 'set'],
  ['user', 'set-password'],
  ['user', 'reset-link'],
  ['user', 'reset-codes'],
  ['user', 'remove'],
  ['token'],
  ['token', 'create'],
  ['token', 'list'],
  ['token', 'revoke'],
  ['site'],
  ['site', 'add'],
  ['site', 'list'],
];

test('every command explains itself', async () => {
  using cli = makeCli();
  for (const command of COMMANDS) {
    const { code, out } = await cli.run(...command, '--help');
    assert.is(code, 0, command.join(' '));
    assert.ok(out.startsWith(`Usage: colophon ${command.join(' ')} `), `${command.join(' ')}: ${out.slice(0, 80)}`);
  }
  const all = await cli.run('--help');
  for (const [name] of COMMANDS) assert.match(all.out, new RegExp(`^  ${name} `, 'm'));
});

test('a wrong command line is told in a sentence, with exit code 1', async () => {
  using cli = makeCli();
  for (const argv of [['bogus'], ['import'], ['import', 'a', 'b'], ['import', '--bogus', 'a'], ['user', 'bogus'], []]) {
    const { code, err } = await cli.run(...argv);
    assert.is(code, 1, argv.join(' '));
    assert.is.not(err, '');
  }
});

test('a failure is a sentence, and a stack only where debugging is on', async () => {
  using cli = makeCli();
  const argv = ['import', cli.path('missing')];
  const short = await cli.run(...argv);
  assert.is(short.code, 1);
  assert.is(short.err.trim().split('\n').length, 1);
  const variables = { CMS_DATA_DIR: cli.path('data'), CMS_CONFIG_PATH: cli.path('cms.config.ts'), LOG_LEVEL: 'debug' };
  assert.match((await cli.runWith({ variables }, ...argv)).err, /\n {4}at /);
});

test('every problem of a configuration is told', async () => {
  using cli = makeCli();
  cli.write('cms.config.ts', "export default { collections: [{ name: 'A', fields: [] }], local: [] }");
  const { code, err } = await cli.run('import', cli.folder);
  assert.is(code, 1);
  assert.match(err, /collections\.0\.name/);
  assert.match(err, /local\b/);
});

test('init writes a site that can be served, and never over a file', async () => {
  using cli = makeCli();
  const site = cli.path('new', 'site');
  assert.is((await cli.run('init', site)).code, 0);
  await loadConfig(cli.path('new/site/content/cms.config.ts'));
  const data = ['--data', cli.path('init-data'), '--config', cli.path('new/site/content/cms.config.ts')];
  cli.write('in/posts/a.md', '# A');
  const imported = await cli.run('import', cli.path('in'), ...data);
  assert.is(imported.err, '');
  await cli.run('export', cli.path('out'), ...data);
  assert.equal(fs.readdirSync(cli.path('out/posts')), ['a.md', 'hello-world.md']);
  assert.equal(fs.readdirSync(cli.path('out/pages')), ['about.md']);

  cli.write('taken/.gitignore', 'mine');
  assert.is((await cli.run('init', cli.path('taken'))).code, 1);
  assert.equal(fs.readdirSync(cli.path('taken')), ['.gitignore']);
  assert.is((await cli.run('init', site)).code, 1);
});

test('openapi prints the description of the site, beside a process that has the data folder', async () => {
  using cli = makeCli();
  const { code, out } = await cli.run('openapi');
  assert.is(code, 0);
  const document = JSON.parse(out);
  assert.is(document.openapi, '3.1.0');
  assert.ok(JSON.stringify(document.paths).length > 1000);
  assert.is((await cli.run('openapi', '--out', cli.path('api.json'))).code, 0);
  assert.equal(JSON.parse(fs.readFileSync(cli.path('api.json'), 'utf8')), document);
});

test('the installed command runs, whatever Node starts it, and hands on its exit code', () => {
  assert.match(execFileSync(process.execPath, [BIN, '--version'], { encoding: 'utf8' }), /^\d+\.\d+\.\d+\n$/);
  assert.is(spawnSync(process.execPath, [BIN, 'bogus']).status, 1);
  // An older Node, where the machine has one, goes through the launcher.
  const found = spawnSync('/usr/bin/node', [BIN, '--version'], { encoding: 'utf8' });
  if (!found.error) assert.match(found.stdout, /^\d+\.\d+\.\d+\n$/);
});

test('start serves until it is told to stop', async () => {
  using cli = makeCli();
  const child = spawn(process.execPath, [
    BIN,
    'start',
    '--port',
    '0',
    '--data',
    cli.path('data'),
    '--config',
    cli.path('cms.config.ts'),
  ]);
  try {
    const url = await new Promise<string>((found, failed) => {
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
        const url = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
        if (url) found(url);
      });
      child.on('close', () => failed(new Error(output)));
    });
    assert.is((await fetch(`${url}/healthz`)).status, 200);
    const busy = await cli.run('import', cli.folder);
    assert.is(busy.code, 75);
    assert.ok(busy.err.includes(`process ${child.pid}`));
    const ended = new Promise((done) => child.on('close', done));
    child.kill('SIGTERM');
    assert.is(await ended, 0);
  } finally {
    child.kill('SIGKILL');
  }
});

test.run();
