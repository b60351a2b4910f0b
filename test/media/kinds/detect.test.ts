import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Inspected, inspectMedia } from '../../../src/media/kinds/detect.ts';
import { createRandom } from '../../support/random.ts';

/** What is detected for these bytes under this name. */
async function inspect(name: string, content: Buffer | string): Promise<Inspected | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-detect-'));
  try {
    writeFileSync(join(folder, 'bytes'), content);
    return await inspectMedia(join(folder, 'bytes'), name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function typeOf(name: string, content: Buffer | string): Promise<string | undefined> {
  const found = await inspect(name, content);
  return found && `${found.type} ${found.contentType} ${found.extension}`;
}

const red = () => sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } });
const hex = (digits: string, rest = 64): Buffer =>
  Buffer.concat([Buffer.from(digits.replaceAll(' ', ''), 'hex'), Buffer.alloc(rest)]);

/** As much of a ZIP archive as detection needs: one stored entry after another. */
function zip(entries: Record<string, string>): Buffer {
  return Buffer.concat(
    Object.entries(entries).flatMap(([name, content]) => {
      const head = Buffer.alloc(30);
      head.writeUInt32LE(0x04034b50, 0);
      head.writeUInt16LE(20, 4);
      head.writeUInt32LE(content.length, 18);
      head.writeUInt32LE(content.length, 22);
      head.writeUInt16LE(name.length, 26);
      return [head, Buffer.from(name), Buffer.from(content)];
    }),
  );
}

function contentTypes(part: string): Record<string, string> {
  const type = `application/vnd.openxmlformats-officedocument.${part}.main+xml`;
  return { '[Content_Types].xml': `<Types><Override ContentType="${type}"/></Types>` };
}

function tar(name: string): Buffer {
  const head = Buffer.alloc(1024);
  head.write(`${name}\0`, 0);
  head.write('0000644\0', 100);
  head.write('00000000000\0', 124);
  head.write('ustar\x0000', 257);
  head.write('        ', 148);
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return head;
}

/** An old Office file, or an installer, with these streams. */
function compound(streams: string[], rootClass = ''): Buffer {
  const file = Buffer.alloc(512 * 4);
  file.write('d0cf11e0a1b11ae1', 0, 'hex');
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  ['Root Entry', ...streams].forEach((name, i) => {
    file.write(`${name}\0`, 1024 + i * 128, 'utf16le');
  });
  file.write(rootClass, 1024 + 80, 'hex');
  return file;
}

const JSON_TYPE = 'document application/json json';
const TEXT = 'document text/plain; charset=utf-8';

test('images are detected by their content, whatever they are called, and measured', async () => {
  const formats: ['png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'tiff', string, string][] = [
    ['png', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['gif', 'image/gif', 'gif'],
    ['webp', 'image/webp', 'webp'],
    ['avif', 'image/avif', 'avif'],
    ['tiff', 'image/tiff', 'tif'],
  ];
  for (const [format, contentType, extension] of formats) {
    const bytes = await red().toFormat(format).toBuffer();
    assert.equal(await inspect('notes.txt', bytes), { type: 'image', contentType, extension, width: 30, height: 20 });
  }
});

test('a photo that lies on its side is measured as it is displayed', async () => {
  const found = await inspect('a.jpeg', await red().withMetadata({ orientation: 6 }).jpeg().toBuffer());
  assert.equal(found, { type: 'image', contentType: 'image/jpeg', extension: 'jpeg', width: 20, height: 30 });
});

test('icons and bitmaps are measured too', async () => {
  const icon = await inspect('favicon.ico', hex('0000 0100 0100 10 20 00 00 0100 2000'));
  assert.equal(icon, { type: 'image', contentType: 'image/x-icon', extension: 'ico', width: 16, height: 32 });
  const bitmap = await inspect('a.bmp', hex('424d 00000000 00000000 36000000 28000000 07000000 f6ffffff'));
  assert.equal(bitmap, { type: 'image', contentType: 'image/bmp', extension: 'bmp', width: 7, height: 10 });
});

test('an image of a hundred thousand by a hundred thousand pixels is measured without being unpacked', async () => {
  const header = Buffer.alloc(25);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(13, 0);
  header.writeUInt32BE(100_000, 8);
  header.writeUInt32BE(100_000, 12);
  header.writeUInt8(8, 16);
  const data = deflateSync(Buffer.alloc(1 << 20));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    header,
    length,
    Buffer.from('IDAT'),
    data,
    Buffer.alloc(4),
  ]);
  const before = process.memoryUsage.rss();
  const found = await inspect('bomb.png', png);
  assert.equal(found, { type: 'image', contentType: 'image/png', extension: 'png', width: 100_000, height: 100_000 });
  assert.ok(process.memoryUsage.rss() - before < 100 << 20);
});

test('an image whose header is broken is an image of unknown size', async () => {
  assert.equal(await inspect('a.png', hex('89504e470d0a1a0a')), {
    type: 'image',
    contentType: 'image/png',
    extension: 'png',
  });
});

test('audio is detected by its content', async () => {
  const found = {
    'a.mp3': hex('fffb9064', 600),
    'b.mp3': hex('494433 0300 00 00000000'),
    'c.wav': Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(32)]),
    'd.flac': Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(40)]),
    'e.m4a': Buffer.concat([hex('00000020', 0), Buffer.from('ftypM4A '), Buffer.alloc(40)]),
    'f.ogg': Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('\x01vorbis'), Buffer.alloc(40)]),
    'g.aac': hex('fff15080 0000fc', 64),
  };
  const types = await Promise.all(Object.entries(found).map(([name, bytes]) => typeOf(name, bytes)));
  assert.equal(types, [
    'audio audio/mpeg mp3',
    'audio audio/mpeg mp3',
    'audio audio/wav wav',
    'audio audio/flac flac',
    'audio audio/mp4 m4a',
    'audio audio/ogg ogg',
    'audio audio/aac aac',
  ]);
});

test('PDF, office files, archives and video are documents', async () => {
  const office = 'application/vnd.openxmlformats-officedocument';
  const found: [string, Buffer | string, string][] = [
    ['a.pdf', '%PDF-1.4\n1 0 obj\n', 'application/pdf pdf'],
    ['b.pdf', hex('255044462d312e370a25e2e3cfd3'), 'application/pdf pdf'],
    ['c.docx', zip(contentTypes('wordprocessingml.document')), `${office}.wordprocessingml.document docx`],
    ['d.xlsx', zip(contentTypes('spreadsheetml.sheet')), `${office}.spreadsheetml.sheet xlsx`],
    ['e.pptx', zip(contentTypes('presentationml.presentation')), `${office}.presentationml.presentation pptx`],
    [
      'f.odt',
      zip({ mimetype: 'application/vnd.oasis.opendocument.text' }),
      'application/vnd.oasis.opendocument.text odt',
    ],
    ['g.doc', compound(['WordDocument']), 'application/msword doc'],
    ['h.xls', compound(['Workbook']), 'application/vnd.ms-excel xls'],
    ['i.zip', zip({ 'a.txt': 'a' }), 'application/zip zip'],
    ['j.tar', tar('a.txt'), 'application/x-tar tar'],
    ['k.gz', gzipSync('text'), 'application/gzip gz'],
    ['l.tgz', gzipSync(tar('a.txt')), 'application/gzip tgz'],
    ['m.7z', hex('377abcaf271c'), 'application/x-7z-compressed 7z'],
    ['n.mp4', Buffer.concat([hex('00000020', 0), Buffer.from('ftypisom'), Buffer.alloc(40)]), 'video/mp4 mp4'],
    ['o.rtf', '{\\rtf1\\ansi text}', 'application/rtf rtf'],
  ];
  for (const [name, bytes, expected] of found) assert.is(await typeOf(name, bytes), `document ${expected}`, name);
});

test('the kind of a text follows its name, unless its beginning says otherwise', async () => {
  assert.is(await typeOf('notes.txt', 'some words\n'), `${TEXT} txt`);
  assert.is(await typeOf('notes', 'some words\n'), `${TEXT} txt`);
  assert.is(await typeOf('table.csv', 'a;b\n1;2\n'), 'document text/csv; charset=utf-8 csv');
  assert.is(await typeOf('README.md', '# Title\n'), 'document text/markdown; charset=utf-8 md');
  assert.is(await typeOf('data.json', '{"a": 1}'), JSON_TYPE);
  assert.is(await typeOf('data.json', 'no JSON'), `${TEXT} txt`);
  assert.is(await typeOf('feed.xml', '<?xml version="1.0"?><feed/>'), 'document application/xml; charset=utf-8 xml');
  assert.is(await typeOf('style.css', 'body { color: red }'), `${TEXT} css`);
  assert.is(await typeOf('photo.jpg', 'no photo'), `${TEXT} txt`);
});

test('text that begins like a binary format is text', async () => {
  for (const text of ['BMW and other cars', 'ID3 is a format', 'GIF89a/*', 'MZ', 'II*', 'FORM follows function']) {
    assert.is(await typeOf('a.txt', text), `${TEXT} txt`, text);
  }
});

test('text may be UTF-8, UTF-16 with its mark, or an old code page if its name is that of a text', async () => {
  const umlauts = 'Grüße\n'.repeat(30_000);
  assert.is(await typeOf('a.txt', umlauts), `${TEXT} txt`);
  assert.is(await typeOf('a.txt', Buffer.from(`\ufeff${umlauts}`)), `${TEXT} txt`);
  const utf16 = Buffer.from(`\ufeff${umlauts}`, 'utf16le');
  assert.is(await typeOf('a.csv', utf16), 'document text/csv; charset=utf-16le csv');
  assert.is(await typeOf('a.csv', Buffer.from(utf16).swap16()), 'document text/csv; charset=utf-16be csv');
  assert.is(await typeOf('a.csv', Buffer.from(umlauts, 'latin1')), 'document text/csv; charset=windows-1252 csv');
  assert.is(await typeOf('a.dat', Buffer.from(umlauts, 'latin1')), undefined);
  assert.is(await typeOf('a.txt', Buffer.from('a\0b')), undefined);
  assert.is(await typeOf('a.txt', Buffer.concat([Buffer.from('a'.repeat(100_000)), hex('00')])), undefined);
});

test('a file that a browser, a system or a web server would run is refused, by content and by name', async () => {
  const refused: [string, Buffer | string][] = [
    ['a.txt', '<!doctype html><script>alert(1)</script>'],
    ['a.txt', '  \n<!-- a comment --><HTML><body>'],
    ['a.md', '<script>alert(1)</script>'],
    ['a.txt', '<iframe src="x">'],
    ['a.xml', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['a.html', 'plain words'],
    ['a.HTM', 'plain words'],
    ['a.js', 'alert(1)'],
    ['a.mjs', 'alert(1)'],
    ['a.php', '<?php phpinfo();'],
    ['a.bat', 'echo 1'],
    ['a.exe', hex('4d5a9000')],
    ['a.txt', hex('4d5a9000')],
    ['a.png', hex('7f454c46 0201')],
    ['a.swf', Buffer.concat([Buffer.from('CWS'), Buffer.alloc(40)])],
    ['a.wasm', hex('0061736d 01000000')],
    ['a.jar', zip({ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0' })],
    ['a.msi', compound(['Property'], '84100c0000000000c000000000000046')],
    ['a.doc', compound(['WordDocument'], '84100c0000000000c000000000000046')],
    ['a.woff2', hex('774f4632')],
    ['a.bin', hex('00010203')],
    ['a.txt', '\x7fELF'],
    ['a.txt', ''],
  ];
  for (const [name, bytes] of refused) assert.is(await typeOf(name, bytes), undefined, `${name} ${bytes.slice(0, 20)}`);
});

test('a file of an accepted kind is accepted under any name, and gets an extension that fits', async () => {
  const png = await red().png().toBuffer();
  for (const name of [
    'logo-example.com',
    'photo.inf',
    'a.url',
    'a.php',
    'a.html',
    'a.exe',
    'a.scr',
    '.htaccess',
    'CON',
  ]) {
    assert.is(await typeOf(name, png), 'image image/png png', name);
  }
  assert.is(await typeOf('paper-example.com', '%PDF-1.4\n'), 'document application/pdf pdf');
  assert.is(await typeOf('archive.js', zip({ 'a.txt': 'a' })), 'document application/zip zip');
  assert.is(await typeOf('notes-example.com', 'plain words'), `${TEXT} txt`);
});

test('a file that is two kinds at once is of the kind that it begins with', async () => {
  const page = '<script>alert(1)</script>';
  const jpeg = await red().jpeg().toBuffer();
  assert.is(await typeOf('a.zip', Buffer.concat([jpeg, zip({ 'a.txt': 'a' })])), 'image image/jpeg jpg');
  const polyglot = Buffer.concat([hex('4749463839612f2a'), Buffer.from('*/=1;alert(1)')]);
  for (const name of ['a.gif', 'a.js']) assert.is(await typeOf(name, polyglot), 'image image/gif gif');
  assert.is(await typeOf('a.pdf', `${page}\n%PDF-1.4\n`), undefined);
  const video = Buffer.concat([hex('00000020', 0), Buffer.from('ftypisom'), Buffer.from(page), Buffer.alloc(40)]);
  assert.is(await typeOf('a.html', video), 'document video/mp4 mp4');
  assert.is(await typeOf('a.mp4', video), 'document video/mp4 mp4');
});

test('a drawing is detected by its root, and measured by the size that it declares', async () => {
  const svg = (attributes: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`;
  const measured: [string, string][] = [
    ['viewBox="0 0 800 500"', '800x500'],
    ['width="40" height="30px"', '40x30'],
    ['width="1in" height="96"', '96x96'],
    ['width="100" viewBox="0 0 20 10"', '100x50'],
    ['width="100%" height="100%" viewBox="0,0,20,10"', '20x10'],
    ['data-width="7"', 'undefinedxundefined'],
  ];
  for (const [attributes, size] of measured) {
    const found = await inspect('a.svg', svg(attributes));
    assert.is(found?.type, 'svg');
    assert.is(`${found?.width}x${found?.height}`, size, attributes);
  }
  const prolog = `\ufeff<?xml version="1.0"?>\n<!-- it's > one -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x" [
    <!ENTITY ns "http://www.w3.org/2000/svg"> <!-- ] --> ]>\n`;
  assert.is(await typeOf('a.html', `${prolog}<svg:svg xmlns:svg="x"/>`), 'svg image/svg+xml svg');
  assert.is(await typeOf('a.svg', Buffer.from(`\ufeff${svg('')}`, 'utf16le')), 'svg image/svg+xml svg');
  const latin = `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('aria-label="Grüße"')}`;
  assert.is(await typeOf('a.svg', Buffer.from(latin, 'latin1')), 'svg image/svg+xml svg');
});

test('a page with a drawing in it is a page, and a drawing that cannot be served is refused', async () => {
  assert.is(await typeOf('a.svg', '<html><body><svg xmlns="x"/></body></html>'), undefined);
  assert.is(await typeOf('a.svg', '<!doctype html><svg/>'), undefined);
  assert.is(await typeOf('a.svg', `<svg>${'<g>'.repeat(100_000)}`), undefined);
});

test('text that is made to keep detection busy does not', async () => {
  const busy = [
    ' '.repeat(65_000),
    `<!DOCTYPE svg [${'<!-- a -->'.repeat(6000)}`,
    '<!--'.repeat(16_000),
    `<svg ${' '.repeat(65_000)}`,
    '<?'.repeat(30_000),
    `<svg${' a="b"'.repeat(10_000)}`,
  ];
  for (const text of busy) {
    const started = performance.now();
    await inspect('a.svg', text);
    const took = performance.now() - started;
    assert.ok(took < 3000, `${took} ms for ${text.slice(0, 20)}`);
  }
});

test('detection ends with an answer for any bytes', async () => {
  const random = createRandom(2026);
  const heads = [
    '89504e470d0a1a0a',
    'ffd8ffe0',
    '474946383961',
    '52494646',
    '504b0304',
    '1a45dfa3',
    '4949 2a00',
    '494433',
  ];
  const images = await Promise.all(
    (['png', 'jpeg', 'gif', 'webp', 'avif', 'tiff'] as const).map((format) => red().toFormat(format).toBuffer()),
  );
  const folder = mkdtempSync(join(tmpdir(), 'colophon-detect-'));
  try {
    for (let round = 0; round < 400; round++) {
      const noise = Buffer.from(Array.from({ length: random.whole(0, 600) }, () => random.whole(0, 255)));
      const image = Buffer.from(images[round % images.length]!);
      for (let hit = random.whole(1, 20); hit > 0; hit--)
        image[random.whole(0, image.length - 1)] = random.whole(0, 255);
      const made = Buffer.concat([hex(heads[round % heads.length]!, 0), noise]);
      writeFileSync(join(folder, 'bytes'), round % 2 === 0 ? image.subarray(0, random.whole(1, image.length)) : made);
      const found = await inspectMedia(join(folder, 'bytes'), 'a.bin');
      assert.ok(found === undefined || found.extension.length > 0);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('only a small part of a huge file is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-detect-'));
  try {
    const file = join(folder, 'huge');
    writeFileSync(file, hex('377abcaf271c'));
    truncateSync(file, 8 * 2 ** 30);
    assert.is((await inspectMedia(file, 'a.7z'))?.extension, '7z');
    writeFileSync(file, 'text');
    truncateSync(file, 8 * 2 ** 30);
    assert.is(await inspectMedia(file, 'a.txt'), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
