// Strangers and tenants who hold on to what all share: clones that stall, bodies with invented signatures, public MCP
// with a large `_meta`, forms of many parts, and Markdown that once took minutes.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { FLUSH, toPacket } from '../../src/git/pkt-line.ts';
import type { StallRequest, StallTarget } from './stall-requests.ts';

interface Target extends Pick<StallTarget, 'url' | 'headers'> {
  repository: string;
  /** For the volume of a sync server. */
  folder: string;
}

const CLONES = 8;
const SIGNATURES = 12;
const SYNC_MAIN = path.join(import.meta.dirname, '../../src/sync/main.ts');
const SECRET = 'a secret of the bench';
const JSON_TYPE = { 'content-type': 'application/json' };
const GIT_TYPE = 'application/x-git-upload-pack-request';

export function strangers({ url, headers, repository, folder }: Target): StallRequest[] {
  const { hostname, port } = new URL(url);
  const held: Socket[] = [];
  let server: ChildProcess | undefined;
  let syncUrl = '';

  async function ask(method: string, target: string, body: string, more: Record<string, string>): Promise<Response> {
    const response = await fetch(url + target, { method, body, headers: more });
    return response;
  }

  /** Sends a request and reads nothing of the answer but its beginning. */
  async function hold(at: { hostname: string; port: string }, head: readonly string[], body: Buffer): Promise<Socket> {
    const socket = connect(Number(at.port), at.hostname).on('error', () => undefined); // it may be cut off
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    await Promise.race([once(socket, 'readable'), new Promise((resume) => setTimeout(resume, 500))]);
    held.push(socket);
    return socket;
  }

  function release(): void {
    for (const socket of held.splice(0)) socket.destroy();
  }

  async function stalledClones(): Promise<string> {
    const main = execFileSync('git', ['-C', repository, 'rev-parse', 'refs/heads/main'], { encoding: 'utf8' }).trim();
    const body = Buffer.concat([toPacket(`want ${main} side-band-64k\n`), FLUSH, toPacket('done\n')]);
    const head = [
      'POST /git/default.git/git-upload-pack HTTP/1.1',
      'Host: x',
      `Authorization: ${headers.authorization}`,
      `Content-Type: ${GIT_TYPE}`,
      `Content-Length: ${body.length}`,
    ];
    await Promise.all(Array.from({ length: CLONES }, () => hold({ hostname, port }, head, body)));
    const startedMs = performance.now();
    const wrote = await ask('PATCH', '/api/cms/posts/doc-2', '{"data":{"title":"beside"}}', {
      ...headers,
      ...JSON_TYPE,
    });
    release();
    return `a write beside ${CLONES} of them: ${wrote.status} after ${(performance.now() - startedMs).toFixed(0)} ms`;
  }

  async function startSync(): Promise<void> {
    const root = path.join(folder, 'stall-sync');
    fs.mkdirSync(root, { recursive: true });
    const env = { ...process.env, SYNC_SECRET: SECRET, PORT: '0', HOST: '127.0.0.1', SITE_DATA_ROOT: root };
    server = spawn(process.execPath, [SYNC_MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const chunk of server.stdout!) {
      syncUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0] ?? '';
      if (syncUrl !== '') break;
    }
  }

  async function signed(method: string, target: string, body: string): Promise<Response> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const sha256 = createHash('sha256').update(body).digest('hex');
    const text = `${timestamp}\n${method}\n${target}\n${sha256}`;
    const signature = `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`;
    const more = { 'x-cms-timestamp': timestamp, 'x-cms-signature': signature };
    return fetch(syncUrl + target, { method, body, headers: more, signal: AbortSignal.timeout(10_000) });
  }

  async function inventedSignatures(): Promise<string> {
    const at = new URL(syncUrl);
    const head = (n: number): string[] => [
      `PUT /_icd/deploys/20260101000000-00000000${n % 10}0/files?path=a${n} HTTP/1.1`,
      'Host: x',
      `X-CMS-Timestamp: ${Math.floor(Date.now() / 1000)}`,
      `X-CMS-Signature: sha256=${'0'.repeat(64)}`,
      `Content-Length: ${1 << 30}`,
    ];
    await Promise.all(Array.from({ length: SIGNATURES }, (_, n) => hold(at, head(n), Buffer.from('begins'))));
    const startedMs = performance.now();
    try {
      const { deployId } = (await (await signed('POST', '/_icd/deploys', '')).json()) as { deployId: string };
      const { status } = await signed('PUT', `/_icd/deploys/${deployId}/files?path=a.txt`, 'real');
      return `a file beside ${SIGNATURES} of them: ${status} after ${(performance.now() - startedMs).toFixed(0)} ms`;
    } catch (error) {
      return `a file beside ${SIGNATURES} of them: ${(error as Error).message}`;
    } finally {
      release();
      server?.kill('SIGKILL');
    }
  }

  async function largeMeta(): Promise<string> {
    const keys = Array.from({ length: 15_000 }, (_, i) => `"key${i}":[${i}]`).join();
    const params = `{"name":"list_content","arguments":{},"_meta":{${keys}}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const accept = { accept: 'application/json, text/event-stream' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask('POST', '/api/mcp', body, { ...JSON_TYPE, ...accept })),
    );
    return `20 answers, the last ${answers.at(-1)!.status}`;
  }

  async function manyParts(): Promise<string> {
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
    const body = `${part.repeat(20_000)}--x--\r\n`;
    const answer = await ask('POST', '/api/forms/contact', body, { 'content-type': 'multipart/form-data; boundary=x' });
    return `${answer.status}`;
  }

  async function hostilePreview(): Promise<string> {
    const data = { title: 'hostile', body: '_a'.repeat(150_000) };
    const more = { ...headers, ...JSON_TYPE };
    const made = await ask('POST', '/api/cms/posts/doc-2/preview', JSON.stringify({ data }), more);
    const { token } = (await made.json()) as { token?: string };
    const page = await fetch(`${url}/preview/${token}`, { headers });
    await page.arrayBuffer();
    return `link ${made.status}, page ${page.status}`;
  }

  return [
    { name: `${CLONES} clones that stall`, by: 'reader', run: stalledClones },
    {
      name: `${SIGNATURES} invented signatures at the sync server`,
      by: 'stranger',
      prepare: startSync,
      run: inventedSignatures,
    },
    { name: 'public MCP with 15,000 keys in _meta, 20 times', by: 'stranger', run: largeMeta },
    { name: 'a form of 20,000 parts', by: 'stranger', run: manyParts },
    { name: 'a preview of 300 kB of _a', by: 'editor', run: hostilePreview },
  ];
}
