import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createHeaderWatch } from '../../src/media/part-headers.ts';

const TYPE = 'multipart/form-data; boundary=xyz';
const part = (header: string, body: string): string => `--xyz\r\n${header}\r\n\r\n${body}\r\n`;

/** Whether the watch reports long headers for a body in chunks of this size. */
function isLong(body: string, sizeBytes: number, type = TYPE): boolean {
  const bytes = Buffer.from(body, 'latin1');
  const watch = createHeaderWatch(type);
  for (let at = 0; at < bytes.length; at += sizeBytes) if (watch(bytes.subarray(at, at + sizeBytes))) return true;
  return false;
}

const NAMED = 'Content-Disposition: form-data; name="file"; filename="a.png"';

test('headers of usual length pass, whatever the parts are and however they arrive', () => {
  const noise = '\r\n\r\n--xy\r\n--x'.repeat(2_000);
  const body = `${part(NAMED, noise)}${part(NAMED, '')}${part(`${NAMED}\r\nContent-Type: text/plain`, 'x')}--xyz--\r\n`;
  for (const size of [1, 2, 3, 7, 64, 1 << 20]) {
    assert.not(isLong(body, size), `${size}`);
    assert.not(isLong(body, size, 'multipart/form-data; boundary="xyz"'), `${size}`);
  }
});

test('headers of more than 8 KiB are detected in any part, and before they end', () => {
  const long = `${NAMED.slice(0, -1)}${'filename="'.repeat(900)}"`;
  for (const size of [1, 5, 1000, 1 << 20]) {
    assert.ok(isLong(part(long, 'x'), size), `first, ${size}`);
    assert.ok(isLong(part(NAMED, 'x') + part(NAMED, '') + part(long, ''), size), `third, ${size}`);
    assert.ok(isLong(`--xyz\r\n${long}`, size), `without an end, ${size}`);
  }
});

test.run();
