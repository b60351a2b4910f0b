import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addressKey } from '../../src/lib/address-key.ts';

test('one customer’s IPv6 addresses count as one, and a mapped IPv4 address as itself', () => {
  assert.is(addressKey('2001:db8:1:2:3:4:5:6'), addressKey('2001:DB8:0001:2::9'));
  assert.is.not(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
  assert.is(addressKey('::ffff:192.0.2.7'), '192.0.2.7');
  assert.is(addressKey('::1'), addressKey('::2'));
});

test.run();
