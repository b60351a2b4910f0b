// A sync server of one's own, the real one: what arrives is recorded on its way there.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFlyLive } from '../../../src/deploy/providers/fly-live.ts';
import { createSyncServer } from '../../../src/sync/server.ts';
import { makeDeployBench, runDeploy } from '../publication.ts';
import { type Answer, type FakeHost, type HostCase, type HostRequestSeen, startFakeServer } from './fake-host.ts';

const SECRET = 'a-sync-secret-of-32-characters!!';

export const SYNC: HostCase = {
  provider: createFlyLive(),
  badNames: [],
  sendsAtOnce: true,
  sendsByPath: true,
  start: startSync,
};

async function startSync(): Promise<FakeHost> {
  const root = mkdtempSync(path.join(tmpdir(), 'colophon-sync-'));
  const server = await createSyncServer({ secret: SECRET, root, log: () => undefined });
  await new Promise<void>((listening) => server.http.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`;
  const received: string[] = [];
  const committed = new Set<string>();

  async function answer({ method, path: at, headers, body }: HostRequestSeen): Promise<Answer> {
    // As it came, because that is what was signed.
    const target = fake.requests.at(-1)!.slice(method.length + 1);
    const own = Object.entries(headers).filter(([name]) => name.startsWith('x-cms-') || name === 'content-type');
    const response = await fetch(origin + target, {
      method,
      headers: own.map(([name, value]) => [name, `${value}`] as [string, string]),
      ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
    });
    const answered = Buffer.from(await response.arrayBuffer());
    if (response.ok && method === 'PUT') received.push(body.toString());
    if (response.ok && at.endsWith('/commit')) committed.add(at);
    return {
      status: response.status,
      body: answered,
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    };
  }

  const fake = await startFakeServer(answer);
  const settings = { deployProvider: 'fly-live', syncUrl: fake.url, syncSecret: SECRET } as const;
  return {
    settings,
    parts: { limits: { callMs: 10_000 } },
    secrets: [SECRET],
    requests: fake.requests,
    disturb: fake.disturb,
    get onRequest() {
      return fake.onRequest;
    },
    set onRequest(listener) {
      fake.onRequest = listener;
    },
    received,
    live: () => readTree(path.join(root, 'current')),
    publications: () => committed.size,
    async changeByOther() {
      await using bench = await makeDeployBench();
      const context = bench.context({ ...settings, syncUrl: origin });
      await runDeploy(createFlyLive(), await bench.publication({ 'index.html': 'theirs' }), context);
    },
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await server.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

function readTree(folder: string): Record<string, string> | undefined {
  const copy = mkdtempSync(path.join(tmpdir(), 'colophon-tree-'));
  try {
    cpSync(`${folder}/`, copy, { recursive: true, dereference: true });
    const names = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = names.map((entry) => path.join(entry.parentPath, entry.name));
    return Object.fromEntries(files.map((file) => [path.relative(copy, file), readFileSync(file, 'utf8')]));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
