// Uploads to the service as a process: kills in the middle of them, a full disk, two sites, and its memory.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';
import { createRandom, type Random } from '../support/random.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';
import { gif, MULTIPART, multipart, sha256 } from '../support/upload.ts';

const ROUNDS = 8;
const CLIENTS = 6;

interface Uploaded {
  url: string;
  filename: string;
  sha256: string;
  size: number;
}

interface Answer {
  status: number;
  json: Uploaded & { code?: string };
}

async function send(service: Service, cookie: string, name: string, content: Buffer, query = ''): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)]), name);
  const reply = await fetch(`${service.url}/api/upload${query}`, { method: 'POST', headers: { cookie }, body: form });
  return { status: reply.status, json: (await reply.json()) as Answer['json'] };
}

/** Unique plain text of some kilobytes or a megabyte. */
function someText(random: Random, number: number): Buffer {
  const line = `${number} ${random.whole(0, 1e9)} what the ink remembers\n`;
  return Buffer.from(line.repeat(random.whole(0, 3) === 0 ? 30_000 : 50));
}

/** Every stored file, by its name; each must be whole. */
function keptBytes(folder: string): string[] {
  const names: string[] = [];
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )) {
    assert.is(
      createHash('sha256')
        .update(readFileSync(join(parentPath, name)))
        .digest('hex'),
      name,
    );
    names.push(name);
  }
  return names;
}

const mediaFolder = (place: Place): string => join(place.dataDir, 'sites/default/media');

test(`every answered upload is there after each of ${ROUNDS} kills, and none is stored by half`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  const answered: Uploaded[] = [];
  let sent = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    let isStopped = false;
    const before = answered.length;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isStopped) {
        // Some have the same name, some the same bytes.
        const number = sent++;
        const content = random.whole(0, 5) === 0 ? gif(random.whole(0, 3)) : someText(random, number);
        const { status, json } = await send(service, cookie, `file-${number % 7}.txt`, content);
        assert.is(status, 200, JSON.stringify(json));
        assert.is(json.sha256, sha256(content));
        answered.push(json);
      }
    });
    const done = Promise.allSettled(clients);
    await eventually(() => assert.ok(answered.length > before + CLIENTS), 30_000);
    await later(random.whole(0, 150));
    isStopped = true;
    await service.kill();
    for (const one of await done) {
      // The connection broke; any other error is a failure.
      if (one.status === 'rejected' && !(one.reason instanceof TypeError)) throw one.reason;
    }

    service = await place.start();
    const { json } = await service.client(cookie).get('/api/media');
    const listed = new Map<string, Uploaded>(json.files.map((file: Uploaded) => [file.url, file]));
    for (const { url, sha256: hash, size } of answered) {
      assert.is(listed.get(url)?.sha256, hash, url);
      assert.is(listed.get(url)?.size, size, url);
    }
    const incoming = join(mediaFolder(place), 'incoming');
    assert.equal(existsSync(incoming) ? readdirSync(incoming) : [], []);
    const kept = new Set(keptBytes(mediaFolder(place)));
    assert.equal(
      [...kept].filter((hash) => !json.files.some((file: Uploaded) => file.sha256 === hash)),
      [],
      'bytes that no commit has',
    );
    for (const file of listed.values()) assert.ok(kept.has(file.sha256), file.url);
  }
  const { json } = await service.client(cookie).get('/api/search?q=file&collection=media');
  assert.ok(json.length > 0);
  assert.is((await service.stop()).code, 0);
  await git(place.repository, 'fsck', '--strict', '--full');
});

test('an upload onto a full disk is refused with 507 and leaves nothing; later ones work by themselves', async () => {
  using disk = mountSmallDisk(40);
  await using place = makePlace({ dataDir: join(disk.folder, 'data') });
  const service = await place.start();
  const cookie = await setUp(service);
  assert.is((await send(service, cookie, 'a.gif', gif(1))).status, 200);
  const large = (n: number): Buffer => Buffer.from(`a line of large text ${n}\n`.repeat(200_000));
  let tries = 0;
  await eventually(async () => {
    // The service may still free some space: a segment of its log.
    disk.fill(1 << 20);
    const before = keptBytes(mediaFolder(place));
    const { total } = (await service.client(cookie).get('/api/media')).json;
    const { status, json } = await send(service, cookie, 'large.txt', large(tries++));
    assert.is(status, 507);
    assert.is(json.code, 'storage_full');
    assert.equal(readdirSync(join(mediaFolder(place), 'incoming')), []);
    assert.equal(keptBytes(mediaFolder(place)), before);
    assert.is((await service.client(cookie).get('/api/media')).json.total, total);
  }, 15_000);
  disk.free();
  await eventually(async () => assert.is((await send(service, cookie, 'a.txt', large(tries))).status, 200), 15_000);
  assert.is((await service.stop()).code, 0);
});

/** A picture of so many bytes, whose header does not say how many. */
function picture(number: number, sizeBytes: number): Buffer {
  return Buffer.concat([gif(number), createHash('shake256', { outputLength: sizeBytes }).update(`${number}`).digest()]);
}

test('on a disk with no room, or next to none, an upload is kept whole or refused with 507, whatever its size', async () => {
  using disk = mountSmallDisk(80);
  await using place = makePlace({ dataDir: join(disk.folder, 'data') });
  const service = await place.start();
  const cookie = await setUp(service);
  assert.is((await send(service, cookie, 'first.gif', gif(0))).status, 200);
  const answers: string[] = [];
  let number = 0;
  for (const leaveBytes of [0, 4096, 8192]) {
    for (const sizeBytes of [5, 5000, 36_000, 300_000]) {
      for (const name of ['a.txt', 'a.gif']) {
        const content =
          name === 'a.txt'
            ? Buffer.from(`${number++}`.padEnd(sizeBytes - 1, ' ink').concat('\n'))
            : picture(number++, sizeBytes);
        disk.fill(leaveBytes);
        const { status, json } = await send(service, cookie, name, content);
        const what = `${name} of ${content.length} bytes with ${leaveBytes} left: ${JSON.stringify(json)}`;
        answers.push(`${leaveBytes} ${status}`);
        assert.equal(readdirSync(join(mediaFolder(place), 'incoming')), [], what);
        const kept = keptBytes(mediaFolder(place));
        if (status === 200) {
          assert.is(json.size, content.length, what);
          const served = await fetch(`${service.url}${json.url}`);
          assert.equal(Buffer.from(await served.arrayBuffer()), content, what);
        } else {
          assert.is(status, 507, what);
          assert.is(json.code, 'storage_full', what);
          assert.not.ok(kept.includes(sha256(content)), what);
        }
      }
    }
  }
  assert.ok(answers.includes('0 507') && answers.includes('4096 507'), answers.join());
  disk.free();
  const content = picture(number, 36_000);
  await eventually(async () => assert.is((await send(service, cookie, 'last.gif', content)).status, 200), 15_000);
  assert.ok(keptBytes(mediaFolder(place)).includes(sha256(content)));
  assert.is((await service.stop()).code, 0);
});

test('each of two sites has its own files, at addresses that name the site', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  const made = await client.post('/api/admin/sites', { id: 'second', configPath: place.configPath });
  assert.ok(made.status < 300, made.text);
  assert.is((await send(service, cookie, 'a.gif', gif(1))).status, 400);
  const first = await send(service, cookie, 'a.gif', gif(1), '?site=default');
  const second = await send(service, cookie, 'a.gif', gif(2), '?site=second');
  assert.is(first.json.url, '/uploads/images/a.gif?site=default');
  assert.is(second.json.url, '/uploads/images/a.gif?site=second');
  for (const [site, { json }] of [
    ['default', first],
    ['second', second],
  ] as const) {
    const list = await client.get(`/api/media?site=${site}`);
    assert.equal(
      list.json.files.map((file: Uploaded) => [file.url, file.sha256]),
      [[json.url, json.sha256]],
    );
    assert.ok(
      existsSync(join(place.dataDir, 'sites', site, 'media', json.sha256.slice(0, 2), json.sha256.slice(2, 4))),
    );
  }
  assert.is((await client.get('/api/search?q=a.gif&site=second')).json.length, 1);
  assert.is((await service.stop()).code, 0);
});

/** A text of so many bytes, made while it is sent. */
function sendText(service: Service, cookie: string, number: number, sizeBytes: number): Promise<Answer> {
  const [before, after] = multipart([{ name: 'file', filename: `large-${number}.txt`, content: '|' }])
    .toString()
    .split('|') as [string, string];
  const line = Buffer.from(`${number} what the ink remembers\n`.repeat(2000));
  const length = before.length + sizeBytes + after.length;
  return new Promise((resolve, reject) => {
    const headers = { cookie, ...MULTIPART, 'content-length': length };
    const req = request(`${service.url}/api/upload`, { method: 'POST', headers }, async (res) => {
      const text = Buffer.concat(await res.toArray()).toString();
      resolve({ status: res.statusCode ?? 0, json: JSON.parse(text) });
    });
    req.on('error', reject);
    req.write(before);
    let left = sizeBytes;
    const more = (): void => {
      while (left > 0) {
        const piece = line.subarray(0, Math.min(left, line.length));
        left -= piece.length;
        if (!req.write(piece)) return void req.once('drain', more);
      }
      req.end(after);
    };
    more();
  });
}

test('uploads of 50 MiB pass through a fraction of their size in memory; one byte more is refused', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  await send(service, cookie, 'first.txt', Buffer.from('warm\n'));
  const residentMiB = (): number =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
  const before = residentMiB();
  let peak = before;
  const looking = setInterval(() => (peak = Math.max(peak, residentMiB())), 5);
  const sent = await Promise.all(Array.from({ length: 8 }, (_, n) => sendText(service, cookie, n, 50 << 20)));
  clearInterval(looking);
  for (const { status, json } of sent) {
    assert.is(status, 200);
    const kept = join(mediaFolder(place), json.sha256.slice(0, 2), json.sha256.slice(2, 4), json.sha256);
    assert.is(statSync(kept).size, 50 << 20);
  }
  console.log(`resident memory: ${Math.round(before)} MiB before, at most ${Math.round(peak)} MiB during 400 MiB`);
  // Bytes that were read and written already may wait for the garbage collector.
  assert.ok(peak - before < 200, `${Math.round(peak - before)} MiB more`);
  assert.is((await sendText(service, cookie, 9, (50 << 20) + 1)).status, 413);
  assert.is((await service.stop()).code, 0);
});

test.run();
