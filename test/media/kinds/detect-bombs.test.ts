// Small archives that would be a gigabyte if they were unpacked to detect what they are.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Inspected, inspectMedia } from '../../../src/media/kinds/detect.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

async function inspect(name: string, content: Buffer): Promise<Inspected | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bombs-'));
  try {
    writeFileSync(join(folder, 'bytes'), content);
    return await inspectMedia(join(folder, 'bytes'), name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A ZIP archive of one packed entry, which declares this size. */
function packedZip(name: string, packed: Buffer, sizeBytes: number): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(sizeBytes, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), packed]);
}

/** A gigabyte of zeros: the deflated form of a piece can be repeated if it is flushed in full. */
function packedZeros(): Buffer {
  const piece = deflateRawSync(Buffer.alloc(50_000_000), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: 20 }, () => piece), deflateRawSync(Buffer.alloc(0))]);
}

for (const [entry, name, content] of [
  ['[Content_Types].xml', 'a.docx', `<Types><Override ContentType="${WORD}"/></Types>`],
  ['mimetype', 'a.odt', 'application/vnd.oasis.opendocument.text'],
] as const) {
  test(`an archive whose ${entry} is a gigabyte of zeros is detected without unpacking it, whatever it declares`, async () => {
    const zeros = packedZeros();
    const small = packedZip(entry, deflateRawSync(content), content.length);
    assert.is((await inspect(name, small))?.extension, name.slice(2), 'the entry is unpacked to detect its type');
    for (const sizeBytes of [1e9, 1000]) {
      const before = process.memoryUsage.rss();
      let peak = before;
      const looking = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 1);
      const started = performance.now();
      const found = await inspect(name, packedZip(entry, zeros, sizeBytes));
      const tookMs = performance.now() - started;
      clearInterval(looking);
      peak = Math.max(peak, process.memoryUsage.rss());
      assert.ok(found === undefined || found.extension === 'zip', JSON.stringify(found));
      assert.ok(tookMs < 1000, `${Math.round(tookMs)} ms`);
      assert.ok(peak - before < 100 << 20, `${(peak - before) >> 20} MiB`);
    }
  });
}

test.run();
