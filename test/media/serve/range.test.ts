import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { holdsIfRange, parseRange } from '../../../src/media/serve/range.ts';

test('a range counts from the start of the file, to its end, or back from its end', () => {
  assert.equal(parseRange('bytes=0-9', 100), { start: 0, end: 9 });
  assert.equal(parseRange('bytes=90-', 100), { start: 90, end: 99 });
  assert.equal(parseRange('bytes=90-1000', 100), { start: 90, end: 99 });
  assert.equal(parseRange('bytes=-10', 100), { start: 90, end: 99 });
  assert.equal(parseRange('bytes=-1000', 100), { start: 0, end: 99 });
  assert.equal(parseRange('Bytes = 0 - 0', 100), { start: 0, end: 0 });
});

test('a range that begins after the end is refused', () => {
  for (const header of ['bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
    assert.is(parseRange(header, 100), 'none', header);
  }
  assert.is(parseRange('bytes=0-', 0), 'none');
  assert.is(parseRange('bytes=-1', 0), 'none');
});

test('an invalid range, several at once and another unit ask for the whole file', () => {
  for (const header of ['', 'bytes', 'bytes=', 'bytes=-', 'bytes=5-1', 'bytes=a-b', 'bytes=0-1,5-6', 'lines=0-1']) {
    assert.is(parseRange(header, 100), undefined, header);
  }
});

test('If-Range holds only for the exact strong entity tag', () => {
  assert.ok(holdsIfRange('', '"a"'));
  assert.ok(holdsIfRange('"a"', '"a"'));
  for (const header of ['"b"', 'W/"a"', 'Wed, 21 Oct 2015 07:28:00 GMT']) assert.not(holdsIfRange(header, '"a"'));
});

test.run();
