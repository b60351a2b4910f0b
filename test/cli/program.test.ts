import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { dependencyOn } from '../../src/cli/own-package.ts';
import { loadConfig } from '../../src/config/load.ts';
import { VERSION } from '../../src/version.ts';
import { ROOT as ROOT_FOLDER } from '../support/source.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';
import { makeCli } from './world.ts';

const BIN = fileURLToPath(new URL('../../src/cli/colophon.js', import.meta.url));
/** Without a slash at its end. */
const ROOT = path.resolve(ROOT_FOLDER);
const COMMANDS = [
  ['start'],
  ['init'],
  ['new'],
  ['import'],
  ['export'],
  ['verify'],
  ['backup'],
  ['restore'],
  ['git-setup'],
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
  ['mcp'],
  ['mcp', 'keygen'],
  ['mcp', 'test'],
  ['mcp', 'serve'],
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

test('a wrong command line is reported in a sentence, with exit code 1', async () => {
  using cli = makeCli();
  for (const argv of [['bogus'], ['import'], ['import', 'a', 'b'], ['import', '--bogus', 'a'], ['user', 'bogus'], []]) {
    const { code, err } = await cli.run(...argv);
    assert.is(code, 1, argv.join(' '));
    assert.is.not(err, '');
  }
});

test('a failure is a sentence, with a stack only if debugging is on', async () => {
  using cli = makeCli();
  const argv = ['import', cli.path('missing')];
  const short = await cli.run(...argv);
  assert.is(short.code, 1);
  assert.is(short.err.trim().split('\n').length, 1);
  const variables = { CMS_DATA_DIR: cli.path('data'), CMS_CONFIG_PATH: cli.path('cms.config.ts'), LOG_LEVEL: 'debug' };
  assert.match((await cli.runWith({ variables }, ...argv)).err, /\n {4}at /);
});

test('every problem of a configuration is reported', async () => {
  using cli = makeCli();
  cli.write('cms.config.ts', "export default { collections: [{ name: 'A', fields: [] }], local: [] }");
  const { code, err } = await cli.run('import', cli.folder);
  assert.is(code, 1);
  assert.match(err, /^ {2}A\.name: expected/m);
  assert.match(err, /local\b/);
});

test('init writes a site that can be served, and never overwrites a file', async () => {
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

  assert.is((await cli.run('init', site)).code, 1);
  cli.write('existing/content/cms.config.ts', 'mine');
  assert.is((await cli.run('init', cli.path('existing'))).code, 1);
  assert.equal(fs.readdirSync(cli.path('existing')), ['content']);
});

test('init leaves existing documents, package.json and .gitignore alone, and adds no documents to existing ones', async () => {
  using cli = makeCli();
  const own = { 'package.json': '{"name":"mine"}', '.gitignore': 'mine', 'content/pages/mine.json': '{"data":{}}' };
  for (const [file, text] of Object.entries(own)) cli.write(`site/${file}`, text);
  const { code, err } = await cli.run('init', cli.path('site'));
  assert.is(code, 0);
  for (const [file, text] of Object.entries(own)) assert.is(fs.readFileSync(cli.path('site', file), 'utf8'), text);
  assert.match(err, /package\.json" already exists/);
  assert.match(err, /"start": "colophon start"/);
  assert.equal(fs.readdirSync(cli.path('site/content')).sort(), ['cms.config.ts', 'pages']);
  assert.equal(fs.readdirSync(cli.path('site/content/pages')), ['mine.json']);
});

test('init does not mistake a data folder for documents', async () => {
  using cli = makeCli();
  cli.write('site/content/data/lock.sqlite', '');
  cli.write('site/content/data/users.json', '{}');
  assert.is((await cli.run('init', cli.path('site'))).code, 0);
  assert.equal(fs.readdirSync(cli.path('site/content')).sort(), ['cms.config.ts', 'data', 'pages', 'posts']);
});

test('a new site silences npm’s warnings about its Node version; an existing project stays as it is', async () => {
  using cli = makeCli();
  const { out } = await cli.run('init', cli.path('new'));
  assert.ok(/npm install/.test(out));
  assert.ok(fs.readFileSync(cli.path('new/.npmrc'), 'utf8').split('\n').includes('loglevel=error'));
  cli.write('mine/package.json', '{"name":"mine"}');
  assert.is((await cli.run('init', cli.path('mine'))).code, 0);
  assert.not.ok(fs.existsSync(cli.path('mine/.npmrc')));
});

test('a new site depends on what made it: a checkout, the archive it came from, or the version', async () => {
  using cli = makeCli();
  await cli.run('init', cli.path('a', 'My Site'));
  const made = JSON.parse(fs.readFileSync(cli.path('a/My Site/package.json'), 'utf8'));
  assert.is(made.name, 'my-site');
  assert.equal(made.scripts, { start: 'colophon start' });
  assert.is(path.resolve(cli.path('a', 'My Site'), made.dependencies.colophon.slice('file:'.length)), ROOT);

  const installed = cli.path('tools', 'node_modules', 'colophon');
  assert.is(dependencyOn(cli.path('b'), VERSION, installed), `^${VERSION}`);
  const note = (resolved: string): void => {
    const packages = { 'node_modules/colophon': { resolved } };
    cli.write('tools/node_modules/.package-lock.json', JSON.stringify({ packages }));
  };
  note('https://packages.example/colophon-0.3.0.tgz');
  assert.is(dependencyOn(cli.path('b'), VERSION, installed), `^${VERSION}`);
  note('file:../colophon-0.3.0.tgz');
  assert.is(dependencyOn(cli.path('b'), VERSION, installed), `^${VERSION}`);
  cli.write('colophon-0.3.0.tgz', '');
  assert.is(dependencyOn(cli.path('b'), VERSION, installed), 'file:../colophon-0.3.0.tgz');
});

test('a command that needs existing data makes no data folder, and says where it looked', async () => {
  using cli = makeCli();
  for (const argv of [
    ['verify'],
    ['export', cli.path('out')],
    ['backup'],
    ['reshard'],
    ['user', 'list'],
    ['user', 'remove', 'a@b.example'],
    ['token', 'list'],
    ['token', 'create', '--name', 'x', '--permissions', 'content:read'],
    ['site', 'list'],
  ]) {
    const { code, err } = await cli.run(...argv);
    assert.is(code, 1, argv.join(' '));
    assert.ok(err.includes(`no data folder "${cli.path('data')}"`), err);
  }
  assert.is((await cli.run('import', cli.path('missing'))).code, 1);
  assert.is((await cli.run('openapi')).code, 0);
  assert.equal(fs.readdirSync(cli.folder), ['cms.config.ts']);
});

test('a data folder that cannot be used is reported with its path, the reason and what to do', async () => {
  using cli = makeCli();
  cli.write('data', 'a file');
  const isFile = await cli.run('user', 'add', 'a@b.example', '--name', 'A', '--role', 'admin');
  assert.is(isFile.code, 1);
  assert.match(isFile.err, /data" is a file \(CMS_DATA_DIR or --data /);
  assert.is(isFile.err.trim().split('\n').length, 1);
  const closed = Object.assign(new Error('EACCES: permission denied'), {
    code: 'EACCES',
    path: cli.path('data', '_data', '.tmp-1'),
  });
  const openAccess = () => Promise.reject(closed);
  const { err } = await cli.runWith({ openAccess }, 'user', 'add', 'a@b.example', '--name', 'A', '--role', 'admin');
  assert.ok(err.includes(`user ${userInfo().username} `), err);
  assert.ok(err.includes(`cannot use "${cli.path('data', '_data')}" for the data folder "${cli.path('data')}"`), err);
  assert.match(err, /chown/);
  // A closed file elsewhere is not a problem of the data folder.
  const elsewhere = Object.assign(new Error('EACCES: elsewhere'), { code: 'EACCES', path: '/elsewhere/x' });
  const other = await cli.runWith(
    { openAccess: () => Promise.reject(elsewhere) },
    ...'user add a@b.example --name A --role admin'.split(' '),
  );
  assert.match(other.err, /elsewhere/);
  assert.not.match(other.err, /chown/);
});

test('openapi prints the description of the site, even if another process has the data folder', async () => {
  using cli = makeCli();
  const { code, out } = await cli.run('openapi');
  assert.is(code, 0);
  const document = JSON.parse(out);
  assert.is(document.openapi, '3.1.0');
  assert.ok(JSON.stringify(document.paths).length > 1000);
  assert.is((await cli.run('openapi', '--out', cli.path('api.json'))).code, 0);
  assert.equal(JSON.parse(fs.readFileSync(cli.path('api.json'), 'utf8')), document);
});

test('the installed command runs, whatever Node starts it, and passes on its exit code', () => {
  assert.match(execFileSync(process.execPath, [BIN, '--version'], { encoding: 'utf8' }), /^\d+\.\d+\.\d+\n$/);
  assert.is(spawnSync(process.execPath, [BIN, 'bogus']).status, 1);
  // An older Node, if the machine has one, goes through the launcher.
  const found = spawnSync('/usr/bin/node', [BIN, '--version'], { encoding: 'utf8' });
  if (!found.error) assert.match(found.stdout, /^\d+\.\d+\.\d+\n$/);
});

test('start serves until it is asked to stop', async () => {
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

if (process.platform === 'linux') {
  test('a place that cannot be written to is reported in a sentence that says what to do', async () => {
    using cli = makeCli();
    using disk = mountSmallDisk(1);
    fs.mkdirSync(path.join(disk.folder, 'there'));
    fs.mkdirSync(cli.path('texts/posts'), { recursive: true });
    fs.writeFileSync(cli.path('texts/posts/a.md'), '# A\n');
    assert.is((await cli.run('import', cli.path('texts'))).code, 0);
    execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
    const closed = path.join(disk.folder, 'there');
    const cases: Record<string, [command: string[], how: string]> = {
      file: [['backup', '--out', '/proc/x'], '"/proc/x" cannot be written: its folder accepts no files'],
      missing: [['openapi', '--out', '/nowhere/x'], '"/nowhere/x" cannot be written: there is no folder "/nowhere"'],
      closed: [['backup', '--out', `${closed}/y/x`], `"${closed}/y/x" cannot be written: the file system is read-only`],
      openapi: [['openapi', '--out', `${closed}/x`], `"${closed}/x" cannot be written: the file system is read-only`],
      init: [['init', closed], `"${closed}/content" cannot be made for "${closed}": the file system is read-only`],
    };
    for (const [name, [command, how]] of Object.entries(cases)) {
      const { code, err } = await cli.run(...command);
      assert.is(code, 1, name);
      const what = name === 'init' ? 'a folder' : 'a file in a folder';
      assert.is(err, `colophon: ${how}; name ${what} that can be written to\n`, name);
    }
  });

  test('a folder that its file system refuses is reported in a sentence, and nothing hangs', async () => {
    using cli = makeCli();
    for (const command of [
      ['init', '/proc/x'],
      ['init', '/proc/x/y'],
      ['import', cli.folder, '--data', '/proc/x'],
      ['export', '/proc/x'],
    ]) {
      const { code, err } = await cli.run(...command);
      assert.is(code, 1);
      assert.is(err.split('\n')[0], 'colophon: folder "/proc/x" cannot be made: its file system does not allow it');
      fs.mkdirSync(cli.path('data'), { recursive: true });
    }
  });
}

test.run();
