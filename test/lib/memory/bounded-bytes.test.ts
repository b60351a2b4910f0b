import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createBoundedBytes } from '../../../src/lib/memory/bounded-bytes.ts';

test('the bytes that were unused longest make room', () => {
  const bytes = createBoundedBytes({ eachBytes: 4, allBytes: 8 });
  bytes.keep('a', Buffer.alloc(4, 'a'));
  bytes.keep('b', Buffer.alloc(4, 'b'));
  assert.is(bytes.find('a')?.length, 4);
  bytes.keep('c', Buffer.alloc(2, 'c'));
  assert.is(bytes.find('b'), undefined);
  assert.is(String(bytes.find('a')), 'aaaa');
  assert.is(String(bytes.find('c')), 'cc');
});

test('bytes that are too large are not kept, and bytes that are set again count once', () => {
  const bytes = createBoundedBytes({ eachBytes: 4, allBytes: 8 });
  bytes.keep('a', Buffer.alloc(5));
  assert.is(bytes.find('a'), undefined);
  for (let i = 0; i < 3; i++) bytes.keep('b', Buffer.alloc(4));
  bytes.keep('c', Buffer.alloc(4));
  assert.ok(bytes.find('b') && bytes.find('c'));
});

test.run();
