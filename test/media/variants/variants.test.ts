import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Download, download } from '../../support/download.ts';
import { upload } from '../../support/upload.ts';
import { CONFIG, makeWorld, type World } from '../../support/world.ts';

/** Red on the left, blue on the right. */
function picture(width: number, height: number): Sharp {
  const half = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: 'blue' } };
  return sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    { input: half, left: Math.floor(width / 2), top: 0 },
  ]);
}

async function put(world: World, name: string, content: Buffer | string): Promise<string> {
  const { status, json, text } = await upload(world.admin, name, content);
  assert.is(status, 200, text);
  return json.url;
}

async function measured({ bytes }: Download): Promise<string> {
  const { format, width, height } = await sharp(bytes).metadata();
  return `${format} ${width}x${height}`;
}

function cacheFolder(world: World, site = 'default'): string {
  return join(world.dataDir, 'sites', site, 'index/variants');
}

function cached(world: World, site?: string): string[] {
  return existsSync(cacheFolder(world, site)) ? readdirSync(cacheFolder(world, site)) : [];
}

/** A PNG of this size with next to no content. */
function bomb(side: number): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(name, 4, 'latin1');
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(name), data])));
    return Buffer.concat([head, data, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc(side * (Math.ceil(side / 8) + 1)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('an image is made smaller, with every fit and in every format', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'a.png', await picture(400, 200).png().toBuffer());
  const variants: [string, string][] = [
    ['w=100', 'png 100x50'],
    ['h=100', 'png 200x100'],
    ['w=100&h=100', 'png 100x100'],
    ['w=100&h=100&fit=cover', 'png 100x100'],
    ['w=100&h=100&fit=contain', 'png 100x100'],
    ['w=100&h=100&fit=fill', 'png 100x100'],
    ['w=100&h=100&fit=inside', 'png 100x50'],
    ['w=100&h=100&fit=outside', 'png 200x100'],
    ['w=100&format=jpeg', 'jpeg 100x50'],
    ['w=100&format=jpg', 'jpeg 100x50'],
    ['w=100&format=webp', 'webp 100x50'],
    ['w=100&format=avif', 'heif 100x50'],
    ['format=webp', 'webp 400x200'],
    ['format=webp&q=10', 'webp 400x200'],
    ['w=4096', 'png 400x200'],
    ['w=1&h=1', 'png 1x1'],
  ];
  for (const [query, expected] of variants) {
    const got = await download(world, `${url}?${query}`);
    assert.is(got.status, 200, `${query} ${got.bytes.subarray(0, 200)}`);
    assert.is(await measured(got), expected, query);
    const type = expected.split(' ')[0]!.replace('heif', 'avif');
    assert.is(got.headers['content-type'], `image/${type}`);
    assert.is(got.headers['cache-control'], 'public, max-age=604800, stale-while-revalidate=604800');
    assert.is(got.headers['x-content-type-options'], 'nosniff');
  }
});

test('a side that is not given follows from the other one', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'a.jpg', await picture(400, 300).jpeg().toBuffer());
  for (const [query, wanted] of [
    ['h=30', 'jpeg 40x30'],
    ['h=30&format=webp', 'webp 40x30'],
    ['w=80', 'jpeg 80x60'],
    ['w=40', 'jpeg 40x30'],
  ]) {
    assert.is(await measured(await download(world, `${url}?${query}`)), wanted, query);
  }
});

test('a variant has its own entity tag, and is served in ranges', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'a.png', await picture(40, 20).png().toBuffer());
  const [whole, small, smaller] = [
    await download(world, url),
    await download(world, `${url}?w=20`),
    await download(world, `${url}?w=10`),
  ];
  assert.is(new Set([whole, small, smaller].map(({ headers }) => headers.etag)).size, 3);
  const etag = small.headers.etag!;
  assert.is((await download(world, `${url}?w=20`, { 'if-none-match': etag })).status, 304);
  assert.is((await download(world, `${url}?w=10`, { 'if-none-match': etag })).status, 200);
  assert.equal((await download(world, `${url}?w=20`, { range: 'bytes=1-3' })).bytes, small.bytes.subarray(1, 4));
});

test('invalid variants, and variants of files that are not images, are refused', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'a.png', await picture(40, 20).png().toBuffer());
  const bad = [
    'w=0',
    'w=4097',
    'w=-1',
    'w=1.5',
    'w=1e2',
    'w=',
    'w=a',
    'h=0',
    'q=0',
    'q=101',
    'fit=none',
    'format=gif',
    'w=1&w=2',
    'width=5',
  ];
  for (const query of bad) assert.is((await download(world, `${url}?${query}`)).status, 400, query);
  assert.is((await download(world, `${url}?w=5&_x=y`)).status, 200);
  const text = await put(world, 'a.txt', 'text');
  const refused = await download(world, `${text}?w=100`);
  assert.is(refused.status, 415);
  assert.is(JSON.parse(refused.bytes.toString()).code, 'unsupported_media_type');
  assert.is((await download(world, '/uploads/images/none.png?w=5')).status, 404);
  assert.is((await download(world, '/uploads/images/none.png?w=0')).status, 404);
});

test('auto is WebP for clients that accept it, and varies by Accept', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'a.png', await picture(40, 20).png().toBuffer());
  const webp = await download(world, `${url}?format=auto`, { accept: 'image/avif,image/webp,*/*' });
  const other = await download(world, `${url}?format=auto`, { accept: '*/*' });
  assert.is(await measured(webp), 'webp 40x20');
  assert.is(await measured(other), 'png 40x20');
  for (const { headers } of [webp, other]) assert.match(headers.vary ?? '', /\bAccept\b(?!-)/);
});

test('a photo is rotated as the camera says, and no variant has the place where it was taken', async () => {
  await using world = await makeWorld();
  const photo = await picture(40, 20)
    .withExif({
      IFD0: { Copyright: 'photographer', Make: 'camera' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 3230/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 4366/100',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const read = await sharp(photo).metadata();
  assert.is(read.orientation, 6);
  assert.ok(read.exif?.includes('photographer'));
  const url = await put(world, 'photo.jpg', photo);
  assert.equal((await download(world, url)).bytes, photo);
  for (const format of ['jpeg', 'png', 'webp', 'avif']) {
    const got = await download(world, `${url}?w=10&format=${format}`);
    const { width, height, orientation, exif, xmp, iptc } = await sharp(got.bytes).metadata();
    assert.equal({ width, height }, { width: 10, height: 20 }, format);
    assert.equal(
      { orientation, exif, xmp, iptc },
      { orientation: undefined, exif: undefined, xmp: undefined, iptc: undefined },
    );
    assert.not.ok(got.bytes.includes('photographer'));
    // Red was on the left and is at the top now.
    const { data } = await sharp(got.bytes)
      .extract({ left: 5, top: 2, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.ok(data[0]! > 200 && data[2]! < 60, `${format} ${[...data]}`);
  }
});

test('transparency is white in a JPEG and stays transparent elsewhere', async () => {
  await using world = await makeWorld();
  const clear = await sharp({
    create: { width: 20, height: 10, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
  const url = await put(world, 'clear.png', clear);
  const jpeg = await sharp((await download(world, `${url}?format=jpeg`)).bytes)
    .raw()
    .toBuffer();
  assert.ok(jpeg.every((value) => value > 250));
  const { hasAlpha } = await sharp((await download(world, `${url}?w=10&format=webp`)).bytes).metadata();
  assert.ok(hasAlpha);
});

test('an animation stays animated as WebP, and is a still image in other formats', async () => {
  await using world = await makeWorld();
  const frames = await Promise.all(
    ['red', 'lime', 'blue'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const url = await put(
    world,
    'a.gif',
    await sharp(frames, { join: { animated: true } })
      .gif({ delay: [50, 50, 50] })
      .toBuffer(),
  );
  const moving = await sharp((await download(world, `${url}?w=10`)).bytes).metadata();
  assert.equal(
    { format: moving.format, pages: moving.pages, width: moving.width },
    { format: 'webp', pages: 3, width: 10 },
  );
  const still = await sharp((await download(world, `${url}?w=10&format=png`)).bytes).metadata();
  assert.equal(
    { format: still.format, pages: still.pages, height: still.height },
    { format: 'png', pages: undefined, height: 5 },
  );
});

test('a drawing stays an SVG unless a format is requested, and is drawn sharp at any size', async () => {
  await using world = await makeWorld();
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="10" height="10" fill="#f00"/></svg>';
  const url = await put(world, 'a.svg', drawing);
  const same = await download(world, `${url}?w=100`);
  assert.is(same.headers['content-type'], 'image/svg+xml');
  assert.is(await measured(await download(world, `${url}?format=png`)), 'png 20x10');
  const large = await download(world, `${url}?w=2000&format=png`);
  assert.is(await measured(large), 'png 2000x1000');
  const icon = await put(world, 'icon.svg', drawing.replace('0 0 20 10', '0 0 51500 51500'));
  assert.is(await measured(await download(world, `${icon}?w=64&format=png`)), 'png 64x64');
  // An enlarged edge would have colours in between.
  const row = await sharp(large.bytes).extract({ left: 990, top: 500, width: 20, height: 1 }).raw().toBuffer();
  const alphas = Array.from({ length: 20 }, (_, i) => row[i * 4 + 3]!);
  assert.ok(alphas.filter((alpha) => alpha > 0 && alpha < 255).length <= 1, alphas.join());
});

test('a drawing that becomes pixels reads no file of the server', async () => {
  await using world = await makeWorld();
  const secret = join(world.dataDir, 'secret.png');
  writeFileSync(secret, await picture(20, 10).png().toBuffer());
  for (const address of [secret, `file://${secret}`, 'secret.png']) {
    const url = await put(
      world,
      'a.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><image href="${address}" width="20" height="10"/>
       <style>rect { fill: url("${address}") }</style><rect width="20" height="10" fill="none"/></svg>`,
    );
    const { status, bytes } = await download(world, `${url}?format=png`);
    assert.is(status, 200);
    const pixels = await sharp(bytes).ensureAlpha().raw().toBuffer();
    assert.ok(
      pixels.every((value, i) => i % 4 !== 3 || value === 0 || pixels[i - 3] === 0),
      address,
    );
    assert.not.ok(
      pixels.some((value, i) => i % 4 === 0 && value > 200),
      address,
    );
  }
});

test('an image that cannot be read is refused every time, and leaves nothing in the cache', async () => {
  await using world = await makeWorld();
  const jpeg = await picture(400, 300).jpeg().toBuffer();
  const cut = await put(world, 'cut.jpg', jpeg.subarray(0, jpeg.length / 2));
  const junk = await put(world, 'junk.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(99)]));
  const icon = await put(
    world,
    'a.ico',
    Buffer.concat([Buffer.from('00000100010010100000010020000000', 'hex'), Buffer.alloc(99)]),
  );
  for (const url of [cut, cut, junk, junk, icon]) {
    const { status, headers } = await download(world, `${url}?w=10`);
    assert.is(status, 415, url);
    assert.is(headers['cache-control'], 'no-store');
  }
  assert.is((await download(world, cut)).status, 200);
  assert.equal(cached(world), []);
  assert.not.ok(world.logged.some(({ level }) => Number(level) >= 50));
});

test('a small file of billions of pixels is stored, and takes neither memory nor time', async () => {
  await using world = await makeWorld();
  const file = bomb(20_000);
  const { status, json } = await upload(world.admin, 'bomb.png', file);
  assert.is(status, 200);
  assert.equal([json.width, json.height], [20_000, 20_000]);
  const before = process.memoryUsage.rss();
  const started = performance.now();
  assert.is((await download(world, `${json.url}?w=10`)).status, 415);
  assert.ok(performance.now() - started < 10_000);
  assert.ok(process.memoryUsage.rss() - before < 100 << 20);
});

test('a variant that fifty clients request at once is made once, and is there after a restart', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'a.jpg', await picture(1500, 1000).jpeg().toBuffer());
  const all = await Promise.all(Array.from({ length: 50 }, () => download(world, `${url}?w=300`)));
  for (const { status, bytes } of all) {
    assert.is(status, 200);
    assert.equal(bytes, all[0]!.bytes);
  }
  const [name, ...others] = cached(world);
  assert.equal(others, []);
  const madeAt = statSync(join(cacheFolder(world), name!)).mtimeMs;
  await world.restart();
  assert.equal((await download(world, `${url}?w=300`)).bytes, all[0]!.bytes);
  assert.is(statSync(join(cacheFolder(world), name!)).mtimeMs, madeAt);
  rmSync(join(world.dataDir, 'sites/default/index/variants'), { recursive: true });
  await world.restart();
  assert.equal((await download(world, `${url}?w=300`)).bytes, all[0]!.bytes);
});

test('a client that requests every size gets 429, and files are served meanwhile', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'a.jpg', await picture(1500, 1000).jpeg().toBuffer());
  const replies: Download[] = [];
  const hostile = Array.from({ length: 400 }, async (_, i) => {
    replies.push(await download(world, `${url}?w=${i + 1}&format=avif`));
  });
  // Settled first, so that a failure below is the one reported.
  const all = Promise.allSettled(hostile);
  const { status } = await download(world, url);
  const madeBefore = replies.filter((reply) => reply.status === 200).length;
  await all;
  assert.is(status, 200);
  const made = replies.filter((reply) => reply.status === 200).length;
  const refused = replies.filter((reply) => reply.status === 429);
  assert.is(made + refused.length, 400);
  assert.ok(refused.length > 0 && madeBefore < made, `${made} made, ${madeBefore} before the file was read`);
  for (const { headers } of refused) assert.ok(Number(headers['retry-after']) > 0);
});

test('variants are made each time if the cache cannot be used', async () => {
  await using world = await makeWorld();
  const url = await put(world, 'a.png', await picture(40, 20).png().toBuffer());
  const drawing = await put(world, 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  mkdirSync(join(world.dataDir, 'sites/default/index'), { recursive: true });
  writeFileSync(cacheFolder(world), 'in the way');
  assert.is(await measured(await download(world, `${url}?w=10`)), 'png 10x5');
  assert.is((await download(world, drawing)).status, 200);
});

test('each site has its own variants', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  const file = await picture(40, 20).png().toBuffer();
  const { json } = await upload(world.admin, 'a.png', file, { query: '?site=other' });
  assert.is(await measured(await download(world, `${json.url}&w=10`)), 'png 10x5');
  assert.is(cached(world, 'other').length, 1);
  assert.is(cached(world, 'default').length, 0);
  assert.is((await download(world, '/uploads/images/a.png?site=default&w=10')).status, 404);
});

test.run();
