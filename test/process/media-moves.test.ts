// Kills while files move with the documents that use them, and get other bytes: each is at one place, whole, and its
// document names it; and what was answered is so.
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { gif, sha256 } from '../support/upload.ts';

const ROUNDS = 5;
const FILES = 3;

async function send(service: Service, cookie: string, filename: string, bytes: Buffer): Promise<Known> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(bytes)]), filename);
  const reply = await fetch(`${service.url}/api/upload`, { method: 'POST', headers: { cookie }, body });
  assert.is(reply.status, 200);
  return (await reply.json()) as Known;
}

async function replace(service: Service, cookie: string, path: string, bytes: Buffer) {
  const headers = { cookie, 'content-type': 'image/gif' };
  const reply = await fetch(`${service.url}${path}`, { method: 'PUT', headers, body: new Uint8Array(bytes) });
  return { status: reply.status, json: (await reply.json()) as Known, text: '' };
}

interface Known {
  url: string;
  sha256: string;
}

test(`after each of ${ROUNDS} kills every file is at its old or its new place, and its document names that`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  /** As last answered; the next one may have happened too. */
  const answered: Known[] = [];
  const asked: Partial<Known>[] = [];
  for (let file = 0; file < FILES; file++) {
    const json = await send(service, cookie, `f${file}.gif`, gif(file));
    answered.push({ url: json.url, sha256: json.sha256 });
    asked.push({});
    const body = `![x](${json.url})`;
    const made = await service.client(cookie).post('/api/cms/posts', { slug: `p${file}`, data: { title: 'x', body } });
    assert.is(made.status, 200, made.text);
  }
  let number = FILES;

  async function change(client: ReturnType<Service['client']>, file: number): Promise<void> {
    const path = answered[file]!.url.replace('/uploads/', '/api/media/');
    const isMove = random.whole(0, 2) > 0;
    const bytes = gif(number++);
    const folder = `folder-${random.whole(1, 3)}`;
    const name = `f${file}-${number}.gif`;
    asked[file] = isMove ? { url: `/uploads/${folder}/${name}` } : { sha256: sha256(bytes) };
    const reply = isMove
      ? await client.patch(path, { folder, name, updateReferences: true })
      : await replace(service, cookie, path, bytes);
    assert.is(reply.status, 200, reply.text);
    answered[file] = { url: reply.json.url, sha256: reply.json.sha256 };
    asked[file] = {};
  }

  for (let round = 1; round <= ROUNDS; round++) {
    let isStopped = false;
    let changes = 0;
    const clients = Array.from({ length: FILES }, async (_, file) => {
      const client = service.client(cookie);
      for (; !isStopped; changes++) await change(client, file);
    });
    const done = Promise.allSettled(clients);
    await eventually(() => assert.ok(changes > FILES), 30_000);
    await later(random.whole(0, 150));
    isStopped = true;
    await service.kill();
    for (const one of await done)
      if (one.status === 'rejected' && one.reason instanceof assert.Assertion) throw one.reason;

    service = await place.start();
    const client = service.client(cookie);
    const { files } = (await client.get('/api/media')).json;
    assert.is(files.length, FILES);
    for (const [file, known] of answered.entries()) {
      const possible = [known, { ...known, ...asked[file] }];
      const found = possible.find(({ url, sha256: hash }) =>
        files.some((one: Known) => one.url === url && one.sha256 === hash),
      );
      assert.ok(found, JSON.stringify({ possible, files }));
      assert.is((await client.get(found.url)).headers.etag, `"${found.sha256}"`);
      assert.is((await client.get(`/api/cms/posts/p${file}`)).json.data.body, `![x](${found.url})`);
      answered[file] = found;
      asked[file] = {};
    }
  }
  assert.is((await service.stop()).code, 0);
  await git(place.repository, 'fsck', '--strict', '--full');
});

test.run();
