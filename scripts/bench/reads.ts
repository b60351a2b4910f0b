// GET over HTTP through the service, with the token checked and the request logged, against bare node:http sending the
// same bytes; and the time from start to serving against `git cat-file --batch` over the same blobs.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import autocannon from 'autocannon';
import { BENCH_CONFIG, createDocuments } from './documents.ts';
import { type BenchRow, toRow } from './table.ts';
import { plant } from './writes.ts';

const CONNECTIONS = 64;
const LIST = '/api/cms/posts?limit=20&status=published&orderBy=date';

export async function benchReads(folder: string, count: number, seconds: number): Promise<BenchRow[]> {
  const dataDir = path.join(folder, `reads-${count}`);
  const configPath = path.join(folder, 'cms.config.json');
  fs.writeFileSync(configPath, JSON.stringify(BENCH_CONFIG));
  await plant(dataDir, createDocuments(), count);
  const catFile = measureCatFile(path.join(dataDir, 'sites', 'default', 'content.git'));

  const cold = await startService(dataDir, configPath);
  await stop(cold.child);
  const service = await startService(dataDir, configPath);
  const rows = [
    toRow(`start from nothing, ${count} documents`, cold.seconds, 's', 'git cat-file --batch', catFile),
    toRow(`start from the snapshot, ${count} documents`, service.seconds, 's', 'git cat-file --batch', catFile),
  ];
  const token = await makeToken(service.url);
  for (const [figure, target] of [
    ['GET one document', '/api/cms/posts/doc-7'],
    ['GET a page of 20', LIST],
  ] as const) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(service.url + target, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const bare = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
      response.end(bytes);
    });
    bare.listen(0, '127.0.0.1');
    await once(bare, 'listening');
    const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
    const measure = async (url: string): Promise<number> => {
      const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds });
      if (result.non2xx || result.errors) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
      return result.requests.average;
    };
    rows.push(
      toRow(
        `${figure}, ${count} documents`,
        await measure(service.url + target),
        '/s',
        'bare node:http, same bytes',
        await measure(bareUrl),
      ),
    );
    bare.close();
  }
  await stop(service.child);
  return rows;
}

async function startService(dataDir: string, configPath: string) {
  const started = performance.now();
  const child = spawn(process.execPath, [path.resolve('src/main.ts')], {
    env: { ...process.env, PORT: '0', CMS_DATA_DIR: dataDir, CMS_CONFIG_PATH: configPath },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`service ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      if (output.length < 10_000) output += chunk;
      const match = /listening on (http:[^\s"]+)/.exec(output);
      if (match?.[1]) resolve(match[1]);
    });
  });
  return { child, url, seconds: (performance.now() - started) / 1000 };
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.removeAllListeners('exit');
  child.kill('SIGTERM');
  await closed;
}

async function makeToken(url: string): Promise<string> {
  const post = (target: string, body: object, headers = {}): Promise<Response> =>
    fetch(url + target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const account = { email: 'bench@example.org', password: 'bench-password', name: 'Bench' };
  const setUp = await post('/api/auth/setup', account);
  const cookie = setUp.headers.get('set-cookie')?.split(';')[0] ?? '';
  const made = await post('/api/admin/access-tokens', { name: 'bench', permissions: ['content:read'] }, { cookie });
  return ((await made.json()) as { token: string }).token;
}

function measureCatFile(repository: string): number {
  const git = (args: string[], input?: Buffer) =>
    spawnSync('git', ['-C', repository, ...args], { maxBuffer: 4 << 30, ...(input ? { input } : {}) });
  const names = git(['ls-tree', '-r', '--format=%(objectname)', 'main']).stdout;
  const started = performance.now();
  git(['cat-file', '--batch'], names);
  return (performance.now() - started) / 1000;
}
