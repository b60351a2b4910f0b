// Ten thousand media files of a site with a remote: their bytes come and go one batch at a time, each once, in memory that
// does not grow with their number. Runs at night.
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../src/lib/lfs-pointer.ts';
import { startGitServer } from '../support/git-server.ts';
import { CONFIG, makePlace, setUp } from '../support/process.ts';
import { gitWithInput } from '../support/store-world.ts';

const FILES = 10_000;
const BATCHES = FILES / 100;
/** 328 MB in all. */
const OBJECT_BYTES = 32 << 10;
/**
 * Resident, from the first object to the last one: garbage, which V8 collects when it likes. What stays alive is some 10 MB of
 * heap, whatever the number.
 */
const MOST_MB = 200;

function objectOf(number: number): Buffer {
  return Buffer.alloc(OBJECT_BYTES, `object ${number} `);
}

/** One commit with all of them. */
function commitAll(repository: string): void {
  const lines = ['commit refs/heads/main', 'committer Grace <grace@example.org> 1767225600 +0000', 'data 3', 'All'];
  for (let number = 0; number < FILES; number++) {
    const bytes = objectOf(number);
    const pointer = toPointerFile({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: bytes.length,
    });
    lines.push(`M 100644 inline media/f${number % 100}/${number}.txt`, `data ${pointer.length}`, pointer.toString());
  }
  gitWithInput(repository, `${lines.join('\n')}\n`, 'fast-import', '--quiet');
}

/** The most memory that the process has had since the last call, in MB, and what it has now. */
function peakOf(pid: number): { peak: number; now: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const read = (key: string): number => Number(new RegExp(`${key}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  const found = { peak: Math.round(read('VmHWM')), now: Math.round(read('VmRSS')) };
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return found;
}

test('ten thousand objects come from the host and go to it, each once and in bounded memory', async () => {
  await using host = await startGitServer({ lfs: true });
  for (let number = 0; number < FILES; number++) host.addObject(objectOf(number));
  await using place = makePlace({ config: { ...CONFIG, remote: { url: host.url } }, readyMs: 120_000 });
  const service = await place.start();
  const cookie = await setUp(service);
  /** Without the limit of other tests' clients. */
  const post = async (path: string, body: object = {}): Promise<{ status: number; text: string }> => {
    const headers = { cookie, 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };
  commitAll(host.repository);
  const count = (what: string): number => host.transfers.filter((one) => one.startsWith(what)).length;
  /** Memory at the first object of a kind, and the most until the last one. */
  const seen: Record<string, { first: number; most: number }> = {};
  const counts: Record<string, number> = {};
  host.mood = (_seen, req) => {
    const [, kind = ''] = /\/lfs\/(get|put)\//.exec(req.url ?? '') ?? [];
    if (!kind) return 'pass';
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (counts[kind] === 1) seen[kind] = { first: peakOf(service.pid).now, most: 0 };
    if (counts[kind] === FILES) seen[kind]!.most = peakOf(service.pid).peak;
    return 'pass';
  };
  const brought = await post('/api/admin/remote/sync');
  assert.is(brought.status, 200, brought.text);
  assert.equal([count('batch download'), count('get')], [BATCHES, FILES]);
  assert.is((await service.client(cookie).get('/api/media?limit=1')).json.total, FILES);

  // The host loses everything, and refuses nothing.
  host.objects.clear();
  host.transfers.length = 0;
  const hook = join(host.repository, 'hooks', 'pre-receive');
  writeFileSync(hook, '#!/bin/sh\nexit 0\n');
  chmodSync(hook, 0o755);
  await host.git('update-ref', '-d', 'refs/heads/main');
  assert.is((await post('/api/admin/remote/sync')).status, 409);
  const sent = await post('/api/admin/remote/resolve', { keep: 'ours' });
  assert.is(sent.status, 200, sent.text);
  assert.equal([count('batch upload'), count('put'), host.objects.size], [BATCHES, FILES, FILES]);
  for (const [kind, { first, most }] of Object.entries(seen)) {
    console.log(`${kind}: ${first} MB at the first object, at most ${most} MB for ${FILES}`);
    assert.ok(most - first < MOST_MB, kind);
  }
});

test.run();
