// Uploads that no well-behaved client sends.
import { existsSync, readdirSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { nameProblem } from '../../src/store/intake/intake-names.ts';
import { eventually } from '../support/process.ts';
import { BOUNDARY, gif, MULTIPART, multipart, sha256, upload } from '../support/upload.ts';
import { makeWorld, type World } from '../support/world.ts';

function leftovers(world: World): string[] {
  const incoming = join(world.dataDir, 'sites/default/media/incoming');
  return existsSync(incoming) ? readdirSync(incoming) : [];
}

/** Asserts that `work` leaves nothing behind. */
async function leavesNothing(world: World, work: () => Promise<unknown>): Promise<void> {
  const { events } = await world.appended(work);
  assert.equal(events, []);
  await eventually(() => assert.equal(leftovers(world), []), 5000);
  assert.is([...world.site().media.files()].length, 0);
}

test('whatever a file is called, it gets a name that every file system accepts, in its own folder', async () => {
  await using world = await makeWorld();
  const names = [
    '../../../etc/passwd.gif',
    '..\\..\\boot.gif',
    '..%2f..%2fx.gif',
    'a\u0000b.gif',
    'CON.gif',
    'nul',
    'com1.txt.gif',
    '.git',
    '.meta.gif',
    '🙂🙃.gif',
    'Ünïcödé ñame\u202egpj.gif',
    '   .gif',
    'tab\there.gif',
    'x'.repeat(300),
    `${'é'.repeat(200)}.gif`,
    '-rf.gif',
    '',
    '.',
    '..',
    '/',
    '<script>alert(1)</script>.gif',
  ];
  for (const [i, name] of names.entries()) {
    const { status, json, text } = await upload(world.admin, name, gif(i));
    assert.is(status, 200, `${JSON.stringify(name)}: ${text}`);
    assert.match(json.filename, /^[a-z0-9_-]+\.gif$/, JSON.stringify(name));
    assert.is(json.url, `/uploads/images/${json.filename}`);
    assert.is(nameProblem(json.filename), undefined, json.filename);
    assert.is(nameProblem(`${json.filename}.json`), undefined, json.filename);
    assert.is(json.sha256, sha256(gif(i)));
  }
  assert.equal(world.site().warnings.size, 0);
});

test('a folder is one or more plain segments, and nothing else', async () => {
  await using world = await makeWorld();
  await leavesNothing(world, async () => {
    const folders = [
      '..',
      '../x',
      'a/../b',
      '/images',
      'images/',
      'a//b',
      'Images',
      'a b',
      'a.b',
      '.meta',
      '.git',
      '',
      'ä',
      'a\\b',
      'a\u0000',
      'a%2fb',
      'con',
      'x/nul',
      'x'.repeat(300),
      Array.from({ length: 20 }, () => 'a').join('/'),
    ];
    for (const folder of folders) {
      const { status, json } = await upload(world.admin, 'a.gif', gif(), { folder });
      assert.is(status, 400, JSON.stringify(folder));
      assert.is(json.code, 'invalid_input');
      assert.is(json.details[0].path, 'folder');
    }
  });
});

test('files whose content is of no accepted type are refused, whatever they claim to be', async () => {
  await using world = await makeWorld();
  await leavesNothing(world, async () => {
    const elf = Buffer.concat([Buffer.from('7f454c46020101000000000000000000', 'hex'), Buffer.alloc(200)]);
    const noise = Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 73 + 19) % 256));
    for (const [name, content] of [
      ['picture.png', elf],
      ['picture.gif', noise],
    ] as const) {
      const { status, json } = await upload(world.admin, name, content);
      assert.is(status, 415, name);
      assert.is(json.code, 'unsupported_media_type');
    }
  });
});

test('a malformed form, one without a file and one with two are refused', async () => {
  await using world = await makeWorld();
  await leavesNothing(world, async () => {
    const file = { name: 'file', filename: 'a.gif', content: gif() };
    const whole = multipart([file]);
    const cases: [string, Buffer, Record<string, string>, number][] = [
      ['no file', multipart([{ name: 'folder', content: 'images' }]), MULTIPART, 400],
      ['a field in its place', multipart([{ name: 'file', content: 'text' }]), MULTIPART, 400],
      ['two files', multipart([file, { ...file, content: gif(2) }]), MULTIPART, 400],
      ['another file', multipart([{ ...file, name: 'other' }]), MULTIPART, 400],
      ['an empty file', multipart([{ ...file, content: '' }]), MULTIPART, 400],
      [
        'two folders',
        multipart([{ name: 'folder', content: 'a' }, { name: 'folder', content: 'b' }, file]),
        MULTIPART,
        400,
      ],
      ['a long field', multipart([{ name: 'folder', content: 'a'.repeat(100_000) }, file]), MULTIPART, 400],
      [
        'many fields',
        multipart([...Array.from({ length: 50 }, (_, i) => ({ name: `f${i}`, content: '' })), file]),
        MULTIPART,
        400,
      ],
      ['a cut form', whole.subarray(0, -20), MULTIPART, 400],
      ['no boundary', whole, { 'content-type': 'multipart/form-data' }, 400],
      ['another boundary', whole, { 'content-type': 'multipart/form-data; boundary=other' }, 400],
      ['nothing', Buffer.alloc(0), MULTIPART, 400],
      ['a compressed form', gzipSync(whole), { ...MULTIPART, 'content-encoding': 'gzip' }, 415],
      ['a form said to be', whole, { ...MULTIPART, 'content-encoding': 'br' }, 415],
      ['JSON', Buffer.from('{}'), { 'content-type': 'application/json' }, 415],
      ['no type', whole, { 'content-type': '' }, 415],
      [
        'an encoding',
        Buffer.from(
          whole.toString('latin1').replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: gzip\r\n\r\n'),
          'latin1',
        ),
        MULTIPART,
        400,
      ],
      ['noise', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 31) % 251)), MULTIPART, 400],
    ];
    for (const [what, body, headers, status] of cases) {
      const reply = await world.admin.post('/api/upload', body, headers);
      assert.is(reply.status, status, `${what}: ${reply.text}`);
      assert.is(typeof reply.json.error, 'string', what);
    }
  });
});

test('a refused form gets a message that says why', async () => {
  await using world = await makeWorld();
  const file = { name: 'file', filename: 'a.gif', content: gif() };
  const whole = multipart([file]);
  const cases: [Buffer, Record<string, string>, RegExp][] = [
    [multipart([file, file]), MULTIPART, /^the form has more than one file$/],
    [
      multipart([{ name: 'folder', content: 'a'.repeat(100_000) }]),
      MULTIPART,
      /^the form has fields of more than 65536/,
    ],
    [
      multipart(Array.from({ length: 50 }, (_, i) => ({ name: `f${i}`, content: '' }))),
      MULTIPART,
      /more than 10 fields$/,
    ],
    [whole.subarray(0, -20), MULTIPART, /^the form is cut off, or not valid multipart/],
    [whole, { 'content-type': 'multipart/form-data' }, /^the form is cut off, or not valid multipart/],
    [gzipSync(whole), { ...MULTIPART, 'content-encoding': 'gzip' }, /without a Content-Encoding$/],
  ];
  for (const [body, headers, sentence] of cases) {
    const { json } = await world.admin.post('/api/upload', body, headers);
    assert.match(json.error, sentence);
    assert.not.match(json.error, /options\.|MultipartParser/);
  }
  const plain = await world.admin.post('/api/upload', whole, { ...MULTIPART, 'content-encoding': 'Identity' });
  assert.is(plain.status, 200, plain.text);
});

test('a file without a content type is a file, and a field with one is a field', async () => {
  await using world = await makeWorld();
  const body = Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="folder"\r\nContent-Type: text/plain\r\n\r\nscans\r\n`,
    ),
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\n`),
    gif(),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const { status, json, text } = await world.admin.post('/api/upload', body, MULTIPART);
  assert.is(status, 200, text);
  assert.is(json.url, '/uploads/scans/a.gif');
  assert.is(json.sha256, sha256(gif()));
});

const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`;

/** An upload by hand. */
function begin(world: World, headers: Record<string, string | number>): ClientRequest {
  return request({
    host: '127.0.0.1',
    port: world.port,
    method: 'POST',
    path: '/api/upload',
    headers: { ...world.admin.headers, ...MULTIPART, ...headers },
  });
}

function answerOf(req: ClientRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    req.on('response', (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    });
    req.on('error', reject);
  });
}

test('an upload of 2 GB is refused before any of it is read', async () => {
  await using world = await makeWorld();
  await leavesNothing(world, async () => {
    const req = begin(world, { 'content-length': 2 * 1024 ** 3 });
    const answered = answerOf(req);
    req.write(HEAD);
    assert.is(await answered, 413);
    req.destroy();
  });
});

test('an upload of undeclared length is refused once it is too long', async () => {
  await using world = await makeWorld();
  await leavesNothing(world, async () => {
    for (const head of [HEAD, `--${BOUNDARY}\r\nX-Header: `]) {
      const req = begin(world, { 'transfer-encoding': 'chunked' });
      let isAnswered = false;
      const answered = answerOf(req).finally(() => (isAnswered = true));
      answered.catch(() => undefined); // checked below
      const chunk = Buffer.alloc(1 << 20, 'a');
      req.write(head);
      for (let sent = 0; sent < 70 && !isAnswered; sent++) {
        if (!req.write(chunk)) await Promise.race([new Promise((drained) => req.once('drain', drained)), answered]);
        await nextTurn();
      }
      assert.is(await answered, 413, head);
      req.destroy();
    }
  });
});

test('an upload that breaks off leaves nothing', async () => {
  await using world = await makeWorld();
  await leavesNothing(world, async () => {
    for (const sent of [HEAD.slice(0, 30), HEAD, HEAD + 'a'.repeat(200_000)]) {
      const req = begin(world, { 'content-length': 1_000_000 });
      const answered = answerOf(req);
      req.write(sent);
      await eventually(() => assert.ok(leftovers(world).length > 0), 5000);
      req.destroy();
      await answered.catch(() => undefined); // the connection is gone
      await eventually(() => assert.equal(leftovers(world), []), 5000);
    }
  });
  assert.is((await upload(world.admin, 'a.gif', gif())).status, 200);
});

test('paths that lead elsewhere reach no media', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif());
  for (const path of [
    'images/..%2f..%2fsecret',
    '..%2f..%2fusers.json/x',
    'images/%2e%2e/a.gif',
    'images%2fa.gif',
    'images/a.gif%00',
    'images/.meta/a.gif.json',
    'content/posts/a.json',
    'images//a.gif',
    'images/A.GIF',
  ]) {
    assert.is((await world.admin.delete(`/api/media/${path}`)).status, 404, path);
    assert.is((await world.admin.patch(`/api/media/${path}`, { alt: 'x' })).status, 404, path);
  }
  assert.is([...world.site().media.files()].length, 1);
});

test('invalid alt text and tags are refused', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif());
  for (const body of [
    { alt: 5 },
    { alt: 'x'.repeat(10_000) },
    { tags: 'rain' },
    { tags: [''] },
    { tags: [1] },
    { tags: Array.from({ length: 1000 }, (_, i) => `t${i}`) },
    { alt: '\ud800' },
    { alt: 'a\0b' },
    { tags: ['rain', '\0'] },
    [],
  ]) {
    const { result, events } = await world.appended(() => world.admin.patch('/api/media/images/a.gif', body));
    assert.is(result.status, 400, JSON.stringify(body));
    assert.equal(events, []);
  }
});

test.run();
