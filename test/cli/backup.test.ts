// colophon backup and colophon restore: a site's way from one machine to another.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { makeWorld } from '../support/world.ts';
import { makeCli } from './world.ts';

const OTHER = 65_534;
const MOVE_IT = 'move it away, or name another site or data folder';

test('a stopped site is backed up into one file, and another data folder has it again', async () => {
  using cli = makeCli();
  cli.write('texts/posts/hello.md', '# Hello\n\nwords\n');
  assert.is((await cli.run('import', cli.path('texts'))).code, 0);
  const out = cli.path('out', 'site.tar.gz');
  const made = await cli.run('backup', '--out', out);
  assert.is(made.code, 0, made.err);
  assert.match(made.out, /^backup \S+: 1 documents and 0 media files, at [0-9a-f]{40}\n/);
  const [, id, commit] = /^backup (\S+): .* at ([0-9a-f]{40})/.exec(made.out)!;
  const repository = cli.path('data/sites/default/content.git');
  assert.is((await git(repository, 'rev-parse', `backups/${id}`)).trim(), commit);

  const data = cli.path('other');
  const restored = await cli.run('restore', out, '--data', data);
  assert.is(restored.code, 0, restored.err);
  assert.match(restored.out, new RegExp(`^site "default": 1 documents and 0 media files .* at ${commit}\n`));
  assert.not.match(restored.out, /site add/);
  const sound = await cli.run('verify', '--data', data);
  assert.is(sound.code, 0, sound.err);
  const exported = await cli.run('export', cli.path('again'), '--data', data);
  assert.is(exported.code, 0, exported.err);
  assert.ok(fs.readdirSync(cli.path('again/posts')).length > 0);

  const again = await cli.run('restore', out, '--data', data);
  assert.is(again.code, 1);
  assert.is(again.err, `colophon: "${data}/sites/default" already exists; ${MOVE_IT}\n`);
  assert.equal(fs.readdirSync(cli.path('other/sites')), ['default']);
  const beside = await cli.run('restore', out, '--data', data, '--site', 'copy');
  assert.is(beside.code, 0, beside.err);
  assert.match(beside.out, /colophon site add copy/);
  const existing = await cli.run('backup', '--out', out);
  assert.is(existing.code, 1);
  assert.match(existing.err, /already exists/);
});

test('a file that is not an archive, or does not exist, is refused with a sentence, and nothing is left', async () => {
  using cli = makeCli();
  cli.write('not.tar.gz', 'words');
  cli.write('folder/a.json', '{}');
  for (const [file, message] of [
    ['not.tar.gz', /^colophon: the archive cannot be read: .*\n$/],
    ['missing.tar.gz', /^colophon: there is no archive "\S*missing\.tar\.gz"\n$/],
    ['folder', /^colophon: "\S*folder" is a folder; name the archive, a file that "colophon backup --out" made\n$/],
  ] as const) {
    const { code, err } = await cli.run('restore', cli.path(file));
    assert.is(code, 1);
    assert.match(err, message);
  }
  assert.not.ok(fs.existsSync(cli.path('data')));
  assert.is((await cli.run('restore', cli.path('not.tar.gz'), '--site', '../x')).code, 1);
});

test('a restore that fails leaves the data folder as it was, and removes no other folder', async () => {
  using cli = makeCli();
  cli.write('texts/posts/hello.md', '# Hello\n\nwords\n');
  assert.is((await cli.run('import', cli.path('texts'))).code, 0);
  const archive = cli.path('site.tar.gz');
  assert.is((await cli.run('backup', '--out', archive)).code, 0);
  const bytes = fs.readFileSync(archive);
  const damaged = cli.path('damaged.tar.gz');
  fs.writeFileSync(damaged, bytes.subarray(0, bytes.length - 200));

  for (const { found, leaves } of [
    { found: undefined, leaves: undefined },
    { found: [], leaves: [] },
    // A separate volume.
    { found: ['lost+found'], leaves: ['lost+found'] },
    // Sites that were copied here: a restore that fails does not add the other files of a data folder.
    { found: ['sites'], leaves: ['lock.pid', 'lock.sqlite', 'sites'] },
  ]) {
    const data = cli.path('made/on/the/way');
    fs.rmSync(cli.path('made'), { recursive: true, force: true });
    for (const name of found ?? []) fs.mkdirSync(`${data}/${name}`, { recursive: true });
    if (found?.length === 0) fs.mkdirSync(data, { recursive: true });
    const { code, err } = await cli.run('restore', damaged, '--data', data);
    assert.is(code, 1);
    assert.match(err, /^colophon: the archive ends after \d+ bytes/);
    assert.equal(fs.existsSync(data) ? fs.readdirSync(data).sort() : undefined, leaves);
    assert.is(fs.existsSync(cli.path('made')), leaves !== undefined);
    const whole = await cli.run('restore', archive, '--data', data);
    assert.is(whole.code, 0, whole.err);
  }

  fs.mkdirSync(cli.path('broken'));
  cli.write('broken/sites.json', '{');
  const broken = await cli.run('restore', archive, '--data', cli.path('broken'));
  assert.match(broken.err, /sites\.json" is not JSON/);
  assert.not.ok(fs.existsSync(cli.path('broken/sites')), 'nothing is restored into a folder that cannot be read');
});

test('what root restores or makes in a data folder belongs to its owner, and what is not the folder’s stays root’s', async () => {
  if (process.getuid?.() !== 0) return;
  using cli = makeCli();
  cli.write('texts/posts/hello.md', '# Hello\n');
  assert.is((await cli.run('import', cli.path('texts'))).code, 0);
  assert.is((await cli.run('backup', '--out', cli.path('site.tar.gz'))).code, 0);
  const data = cli.path('other');
  fs.mkdirSync(data, { mode: 0o700 });
  cli.write('elsewhere/file', 'root');
  fs.symlinkSync(cli.path('elsewhere'), `${data}/link`);
  fs.linkSync(cli.path('elsewhere/file'), `${data}/second-name`);
  fs.chownSync(data, OTHER, OTHER);
  assert.is((await cli.run('restore', cli.path('site.tar.gz'), '--data', data)).code, 0);
  assert.is((await cli.run('user', 'add', 'a@example.org', '--name', 'A', '--role', 'admin', '--data', data)).code, 0);
  const names = fs.readdirSync(data, { recursive: true, encoding: 'utf8' });
  assert.ok(names.includes('sites/default/content.git/HEAD') && names.includes('audit.jsonl'));
  const ofRoot = names.filter((name) => fs.lstatSync(`${data}/${name}`).uid !== OTHER);
  assert.equal(ofRoot.sort(), ['link', 'link/file', 'second-name']);
  assert.equal([fs.statSync(cli.path('elsewhere')).uid, fs.statSync(cli.path('elsewhere/file')).uid], [0, 0]);
});

test('only a missing archive is reported as a missing archive', async () => {
  using cli = makeCli();
  const lost = Object.assign(new Error("ENOENT: no such file or directory, open '/other'"), {
    code: 'ENOENT',
    path: '/other',
  });
  const { code, err } = await cli.runWith({ restoreSite: () => Promise.reject(lost) }, 'restore', cli.path('a.tar.gz'));
  assert.is(code, 1);
  assert.is(err, `colophon: ${lost.message}\n`);
});

test('a site without a commit has nothing to back up', async () => {
  using cli = makeCli();
  fs.mkdirSync(cli.path('data'));
  const { code, err } = await cli.run('backup', '--out', cli.path('out.tar.gz'));
  assert.is(code, 1);
  assert.match(err, /nothing to back up/);
  assert.not.ok(fs.existsSync(cli.path('out.tar.gz')));
});

test('while the service runs, a backup needs its API, and the command says so', async () => {
  using cli = makeCli();
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  const beside = await cli.runWith(
    { variables: { CMS_DATA_DIR: world.dataDir, CMS_CONFIG_PATH: cli.path('cms.config.ts') } },
    'backup',
  );
  assert.is(beside.code, 75);
  assert.match(beside.err, /--url <address> --token <token>/);

  const { headers } = await world.token(['sites:read', 'sites:write']);
  const token = String(headers.authorization).replace('Bearer ', '');
  const out = cli.path('site.tar.gz');
  const made = await cli.run('backup', '--url', world.url, '--token', token, '--out', out);
  assert.is(made.code, 0, made.err);
  assert.is((await world.admin.get('/api/admin/backups')).json.snapshots.length, 1);
  const restored = await cli.run('restore', out);
  assert.is(restored.code, 0, restored.err);
  const refused = await cli.run('backup', '--url', world.url, '--token', 'cms_wrong');
  assert.is(refused.code, 1);
  assert.match(refused.err, /401/);
  assert.is((await cli.run('backup', '--url', world.url)).code, 1);
});

test.run();
