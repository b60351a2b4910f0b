// The client against a real sync server: what it sends, how it goes on after a cut, and what it says when it fails.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import type { PublishedFile } from '../../../src/deploy/providers/provider.ts';
import { createSyncClient, type SyncClient } from '../../../src/deploy/providers/sync-client.ts';
import type { SyncClientParts } from '../../../src/deploy/providers/sync-request.ts';
import { SYNC_VERSION } from '../../../src/sync/version.ts';
import { fetchHost } from '../../support/host-fetch.ts';
import { makeVolume, openSync, SECRET, send } from '../../sync/sync-world.ts';

function makeFolder() {
  const folder = makeVolume();
  return {
    write(file: string, text: string): PublishedFile {
      const place = path.join(folder, encodeURIComponent(file).slice(0, 100));
      fs.writeFileSync(place, text);
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { path: file, file: place, sizeBytes: Buffer.byteLength(text), sha256 };
    },
    [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

function makeClient(url: string, more: Partial<SyncClientParts['context']> & { secret?: string } = {}) {
  let memory: unknown;
  const seen = { sent: 0, requests: [] as string[], pausesMs: [] as number[] };
  const counting: typeof fetch = (input, init) => {
    seen.requests.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
    return (more.fetch ?? fetchHost)(input, init);
  };
  const client: SyncClient = createSyncClient({
    url,
    secret: more.secret ?? SECRET,
    isOwnAddress: false,
    context: {
      delay: async (ms) => void seen.pausesMs.push(ms),
      now: () => new Date(),
      signal: new AbortController().signal,
      log: () => undefined,
      progress: (sent) => (seen.sent = sent),
      resume: { get: () => memory, set: async (value) => void (memory = value) },
      ...more,
      fetch: counting,
    },
  });
  return { client, seen, memory: () => memory };
}

async function publish(client: SyncClient, files: readonly PublishedFile[]): Promise<string> {
  await client.send(await client.plan(files));
  return client.commit();
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return error instanceof HostError ? error.reason : String(error);
  }
}

test('only what changed is sent, and what is gone is removed', async () => {
  await using sync = await openSync();
  using folder = makeFolder();
  const names = ['index.html', 'a b/ü#?&+.html', 'long.txt', 'x/y'];
  const files = names.map((name) => folder.write(name, name.repeat(name === 'long.txt' ? 300_000 : 1)));
  const first = makeClient(sync.url);
  await publish(first.client, files);
  assert.is(first.seen.sent, files.length);
  const changed = [folder.write('index.html', 'new'), files[1]!, files[2]!, folder.write('x', 'was a folder')];
  const second = makeClient(sync.url);
  const plan = await second.client.plan(changed);
  const paths = (list: readonly PublishedFile[]) => list.map((file) => file.path);
  assert.equal([paths(plan.added), paths(plan.changed), plan.removed], [['x'], ['index.html'], ['x/y']]);
  await second.client.send(plan);
  await second.client.commit();
  assert.is(second.seen.sent, 2);
  assert.is(await (await fetch(`${sync.url}/x`)).text(), 'was a folder');
  assert.is((await (await fetch(`${sync.url}/long.txt`)).text()).length, 2_400_000);
  const third = await makeClient(sync.url).client.plan(changed);
  assert.equal([third.added, third.changed, third.removed], [[], [], []]);
});

test('a half-sent deploy goes on with what it lacks', async () => {
  await using sync = await openSync();
  using folder = makeFolder();
  const files = Array.from({ length: 20 }, (_, i) => folder.write(`${i}.txt`, `${i}`));
  let left = 12;
  const cut: typeof fetch = (input, init) => {
    if (init?.method === 'PUT' && left-- <= 0) throw new TypeError('fetch failed', { cause: new Error('cut') });
    return fetch(input, init);
  };
  const first = makeClient(sync.url, { fetch: cut });
  assert.is(await reasonOf(publish(first.client, files)), 'unreachable');
  assert.ok(first.seen.pausesMs.length > 0, 'it tried again');
  const second = makeClient(sync.url, { resume: { get: first.memory, set: async () => undefined } });
  await publish(second.client, files);
  assert.is(second.seen.sent, 8);
  assert.not.ok(second.seen.requests.includes('POST /_icd/deploys'));
});

test('a server that forgot the deploy gets a new one', async () => {
  await using sync = await openSync();
  using folder = makeFolder();
  const files = [folder.write('a.txt', 'a')];
  const { client } = makeClient(sync.url, { resume: makeMemory({ syncDeploy: 'forgotten' }) });
  await publish(client, files);
  assert.is(await (await fetch(`${sync.url}/a.txt`)).text(), 'a');
});

function makeMemory(first: unknown): SyncClientParts['context']['resume'] {
  let memory = first;
  return { get: () => memory, set: async (value) => void (memory = value) };
}

test('a deploy that became live meanwhile does not survive in the new one', async () => {
  await using sync = await openSync();
  using folder = makeFolder();
  const { client } = makeClient(sync.url);
  const plan = await client.plan([folder.write('a.txt', 'a')]);
  await publish(makeClient(sync.url).client, [folder.write('other.txt', 'x')]);
  await client.send(plan);
  await client.commit();
  assert.is((await fetch(`${sync.url}/other.txt`)).status, 404);
});

test('commit may be repeated; a rollback leads back; what is abandoned is gone', async () => {
  await using sync = await openSync();
  using folder = makeFolder();
  const { client } = makeClient(sync.url);
  const first = await publish(client, [folder.write('a.txt', 'one')]);
  assert.is(await client.commit(), first);
  const later = makeClient(sync.url);
  await publish(later.client, [folder.write('a.txt', 'two')]);
  assert.is(await later.client.rollback(first), first);
  assert.is(await reasonOf(later.client.rollback('unknown')), 'not_found');
  const cancelled = new AbortController();
  const third = makeClient(sync.url, { signal: cancelled.signal });
  await third.client.send(await third.client.plan([folder.write('a.txt', 'three')]));
  cancelled.abort();
  await third.client.abandon();
  assert.is(fs.readdirSync(path.join(sync.root, 'deploys')).length, 2);
});

test('each failure has its reason, and only passing ones are tried again', async () => {
  await using sync = await openSync();
  assert.is(await reasonOf(makeClient(sync.url, { secret: 'another secret!!' }).client.plan([])), 'refused_token');
  assert.is(await reasonOf(makeClient('http://127.0.0.1:1').client.plan([])), 'unreachable');
  let answer = { status: 200, headers: {} as Record<string, string>, body: '<html>' };
  const fake = createServer((_, response) => response.writeHead(answer.status, answer.headers).end(answer.body));
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`;
  const ask = async (status: number, body = '{"error":"x"}', headers: Record<string, string> = {}) => {
    answer = { status, headers, body };
    const { client, seen } = makeClient(url);
    return [await reasonOf(client.plan([])), seen.requests.length, seen.pausesMs[0]];
  };
  assert.equal(await ask(200, '<html>'), ['host_failed', 5, 500]);
  assert.equal(await ask(200, '{"files":1}'), ['host_failed', 1, undefined]);
  assert.equal(await ask(301, '', { location: 'https://x.org/' }), ['refused_input', 1, undefined]);
  assert.equal(await ask(404), ['not_found', 1, undefined]);
  assert.equal(await ask(409), ['conflict', 1, undefined]);
  assert.equal(await ask(429, '{}', { 'retry-after': '7' }), ['rate_limited', 5, 7000]);
  assert.equal(await ask(502, '<html>'), ['host_failed', 5, 500]);
  assert.equal(await ask(507), ['host_failed', 1, undefined]);
  fake.closeAllConnections();
  fake.close();
});

test('a cancel ends it with its own reason', async () => {
  await using sync = await openSync();
  const cancelled = new AbortController();
  cancelled.abort(new Error('cancelled by ada'));
  assert.match(await reasonOf(makeClient(sync.url, { signal: cancelled.signal }).client.plan([])), 'cancelled by ada');
});

test('health says the version, and is undefined for anything else', async () => {
  await using sync = await openSync();
  const { client } = makeClient(sync.url);
  assert.equal(await client.findHealth(), { version: SYNC_VERSION });
  assert.is(await makeClient('http://127.0.0.1:1').client.findHealth(), undefined);
  let at = 0;
  const impatient = makeClient('http://127.0.0.1:1', { now: () => new Date((at += 10_000)) });
  assert.is(await reasonOf(impatient.client.waitForHealth({ version: 1, timeoutMs: 30_000 })), 'timeout');
  assert.is((await send(sync.url, 'GET', '/_icd/manifest')).json.deployId, null);
});

test.run();
