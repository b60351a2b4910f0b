// The package as people get it: packed, installed by npm into an empty folder, and run on the Node that they have. For tests
// at night, because it takes minutes and needs a registry.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { eventually } from '../process.ts';
import { ROOT } from '../source.ts';

const root = mkdtempSync(path.join(tmpdir(), 'colophon-installed-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
export const QUIET = ['--no-audit', '--no-fund', '--prefer-offline'];
const PASSWORD = 'correct horse battery';

function environment(node: string): NodeJS.ProcessEnv {
  const npm = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(registry|cache)|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  return {
    ...Object.fromEntries(npm),
    PATH: `${path.dirname(node)}:${process.env.PATH}`,
    HOME: process.env.HOME,
    PORT: '0',
  };
}

export function run(node: string, cwd: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    cwd,
    env: environment(node),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 500_000,
  });
}

export function folderOf(name: string): string {
  const folder = path.join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A site that `npx colophon init` wrote beside the project that has the package, and that `npm install` made ready. */
export function makeSite(node: string, name: string, ...installArgs: string[]): string {
  const project = path.join(root, 'project');
  run(process.execPath, project, 'npx', 'colophon', 'init', `../${name}`);
  const site = path.join(root, name);
  run(node, site, 'npm', 'install', ...QUIET, ...installArgs);
  return site;
}

export async function use(node: string, site: string, version: RegExp): Promise<void> {
  const child = spawn('npm', ['start'], { cwd: site, env: environment(node), detached: true });
  const ended = new Promise((done) => child.once('close', done));
  try {
    const url = await listening(child);
    const pid = readFileSync(path.join(site, '.data/lock.pid'), 'utf8').trim();
    assert.match(run(node, site, readlinkSync(`/proc/${pid}/exe`), '--version'), version);

    const json = { 'content-type': 'application/json', origin: url };
    const admin = { email: 'ada@example.org', name: 'Ada', password: PASSWORD };
    const setup = await fetch(`${url}/api/auth/setup`, { method: 'POST', headers: json, body: JSON.stringify(admin) });
    assert.is(setup.status, 200, await setup.clone().text());
    const cookie = setup.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const signedIn = { ...json, cookie };

    const document = JSON.stringify({ data: { title: 'From a package' }, status: 'published' });
    const created = await fetch(`${url}/api/cms/posts`, { method: 'POST', headers: signedIn, body: document });
    assert.is(created.status, 200);

    const form = new FormData();
    const create = { width: 640, height: 480, channels: 3, background: '#336699' } as const;
    const bytes = await sharp({ create }).png().toBuffer();
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'sea.png');
    const headers = { origin: url, cookie };
    const uploaded = await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form });
    assert.is(uploaded.status, 200, await uploaded.clone().text());
    const picture = (await uploaded.json()) as { url: string };
    const variant = await fetch(new URL(`${picture.url}?w=320&format=webp`, url), { headers });
    assert.is(variant.status, 200, await variant.clone().text());
    assert.is(variant.headers.get('content-type'), 'image/webp');

    const made = await fetch(`${url}/api/admin/access-tokens`, {
      method: 'POST',
      headers: signedIn,
      body: JSON.stringify({ name: 'clone', permissions: ['content:read'] }),
    });
    assert.is(made.status, 200, await made.clone().text());
    const { token } = (await made.json()) as { token: string };
    const clone = path.join(site, 'clone');
    run(node, site, 'git', 'clone', '--quiet', `http://git:${token}@${new URL(url).host}/git/default.git`, clone);
    assert.ok(existsSync(path.join(clone, 'content/posts/from-a-package.json')));
    assert.ok(globSync('media/**/sea*.png', { cwd: clone }).length > 0);
  } finally {
    process.kill(-child.pid!, 'SIGTERM');
    await ended;
  }
}

function listening(child: ChildProcess): Promise<string> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  return eventually(() => {
    const found = /listening on (http:[^"]+)"/.exec(output)?.[1];
    if (!found) throw new Error(output);
    return found;
  }, 60_000);
}

/** Makes the package, and a project that has it installed. */
export function installPackage(): void {
  const archive = path.join(root, 'colophon.tgz');
  run(process.execPath, ROOT, 'npm', 'pack', '--silent', '--pack-destination', root);
  const [packed = ''] = globSync('colophon-*.tgz', { cwd: root });
  renameSync(path.join(root, packed), archive);
  const project = folderOf('project');
  run(process.execPath, project, 'npm', 'init', '-y');
  run(process.execPath, project, 'npm', 'install', ...QUIET, archive);
}
