// The guide's blocks for proxies, in those of them that this machine has: the configuration is taken, and what it passes
// on is what the service needs.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from './support/process.ts';
import { ROOT } from './support/source.ts';
import { gif, upload } from './support/upload.ts';
import { makeWorld } from './support/world.ts';

const ENV = { PATH: `${process.env.PATH}:/usr/sbin` };
const LFS_JSON = 'application/vnd.git-lfs+json';

const isInstalled = (program: string): boolean => spawnSync(program, ['version'], { env: ENV }).error === undefined;

function readBlock(info: string): string {
  const page = readFileSync(path.join(ROOT, 'content/guide/production.md'), 'utf8');
  const [, text] = new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  assert.match(text ?? '', /127\.0\.0\.1:3010/, info);
  return text!;
}

/** A configuration around the guide's server, as a user who is not root can run it, on `port`. */
function toNginx(folder: string, { port, upstream }: { port: number; upstream: string }): string {
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=cms.example.org', '-keyout', key, '-out', certificate];
  assert.is(spawnSync('openssl', ['req', '-x509', ...made]).status, 0);
  const server = readBlock('nginx')
    .replace(/^ {2}listen 443 /m, `  listen 127.0.0.1:${port} `)
    .replace(/(ssl_certificate) .*;/, `$1 ${certificate};`)
    .replace(/(ssl_certificate_key) .*;/, `$1 ${key};`)
    .replace('http://127.0.0.1:3010', upstream);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path.join(folder, name)};`,
  );
  const http = `http { access_log off; ${temporary.join(' ')}\n${server}}`;
  return `daemon off; master_process off; pid ${path.join(folder, 'pid')}; events {}\n${http}\n`;
}

test('nginx takes the block, speaks HTTP/2, and passes on host, port and scheme', async () => {
  readBlock('nginx');
  if (!isInstalled('nginx')) return;
  await using world = await makeWorld({ env: { CMS_TRUST_PROXY: '1' } });
  await upload(world.admin, 'one.gif', gif(1));
  const reader = await world.token(['content:read']);
  const oid = createHash('sha256').update(gif(1)).digest('hex');
  const folder = mkdtempSync(path.join(tmpdir(), 'guide-nginx-'));
  const port = await findFreePort();
  const args = ['-e', path.join(folder, 'error.log'), '-c', path.join(folder, 'nginx.conf')];
  writeFileSync(args[3]!, toNginx(folder, { port, upstream: world.url }));
  const tried = spawnSync('nginx', [...args, '-t'], { env: ENV, encoding: 'utf8' });
  assert.is(tried.status, 0, tried.stderr);
  const nginx = spawn('nginx', args, { env: ENV, stdio: 'ignore' });
  const ended = new Promise((resume) => nginx.once('close', resume));
  try {
    const authority = `cms.example.org:${port}`;
    const ask = (headers: Record<string, string>, body?: string) =>
      askHttp2(`https://127.0.0.1:${port}`, { ':authority': authority, ...headers }, body);
    const { status } = await eventually(() => ask({ ':path': '/api/openapi.json' }), 10_000);
    assert.is(status, 200);
    const { text } = await ask(
      {
        ':method': 'POST',
        ':path': '/git/default.git/info/lfs/objects/batch',
        'content-type': LFS_JSON,
        authorization: String(reader.headers.authorization),
      },
      JSON.stringify({ operation: 'download', objects: [{ oid, size: gif(1).length }] }),
    );
    assert.is(new URL(JSON.parse(text).objects[0].actions.download.href).origin, `https://${authority}`);
  } finally {
    nginx.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
});

test('Caddy takes the block, and passes requests on', async () => {
  const block = readBlock('caddy');
  if (!isInstalled('caddy')) return;
  await using world = await makeWorld({ env: { CMS_TRUST_PROXY: '1' } });
  const folder = mkdtempSync(path.join(tmpdir(), 'guide-caddy-'));
  const file = path.join(folder, 'Caddyfile');
  const port = await findFreePort();
  const own = block.replace('cms.example.org', `http://127.0.0.1:${port}`).replace('127.0.0.1:3010', world.url);
  writeFileSync(file, `{\n  admin off\n}\n${own}`);
  const args = ['run', '--adapter', 'caddyfile', '--config', file];
  const caddy = spawn('caddy', args, { env: { ...ENV, HOME: folder }, stdio: 'ignore' });
  const ended = new Promise((resume) => caddy.once('close', resume));
  try {
    const ask = async () => (await fetch(`http://127.0.0.1:${port}/api/openapi.json`)).status;
    assert.is(await eventually(ask, 10_000), 200);
  } finally {
    caddy.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
});

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Rejects if the other end does not speak HTTP/2. */
function askHttp2(
  address: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; text: string }> {
  const session = connect(address, { rejectUnauthorized: false });
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    session.once('error', reject);
    const stream = session.request(headers);
    let status = 0;
    let text = '';
    stream.once('response', (head) => (status = Number(head[':status'])));
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
    stream.once('end', () => resolve({ status, text }));
    stream.once('error', reject);
    stream.end(body);
  }).finally(() => session.close());
}

test.run();
