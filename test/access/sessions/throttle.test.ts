import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createThrottle } from '../../../src/access/sessions/throttle.ts';
import { ServiceError } from '../../../src/lib/errors.ts';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import { refusalOf } from '../world.ts';

const MINUTE_MS = 60_000;

function makeThrottle() {
  let time = Date.parse('2026-01-02T03:04:05.000Z');
  const throttle = createThrottle(() => time);
  return {
    throttle,
    advance: (ms: number) => void (time += ms),
    fail: (account: string, address: string, device?: string) =>
      throttle.attempt({ account, address, device }, async () => false),
    succeed: (account: string, address: string, device?: string) =>
      throttle.attempt({ account, address, device }, async () => true),
  };
}

test('ten failures of an account from an address lock out that pair, even with the right password, and no other', async () => {
  const { fail, succeed } = makeThrottle();
  for (let n = 0; n < 10; n++) assert.is(await fail('ada', '192.0.2.1'), false);
  assert.is(await refusalOf(() => succeed('ada', '192.0.2.1')), 'too_many_requests');
  assert.is(await succeed('ada', '198.51.100.1'), true);
  assert.is(await succeed('bob', '192.0.2.1'), true);
});

test('fifty failures from an address lock out every account from there', async () => {
  const { fail, succeed } = makeThrottle();
  for (let n = 0; n < 50; n++) assert.is(await fail(`user${n}`, '192.0.2.1'), false);
  assert.is(await refusalOf(() => succeed('ada', '192.0.2.1')), 'too_many_requests');
  assert.is(await succeed('ada', '192.0.2.2'), true);
});

test('a hundred failures of an account lock it out from everywhere', async () => {
  const { fail, succeed } = makeThrottle();
  for (let n = 0; n < 100; n++) assert.is(await fail('ada', `192.0.2.${n}`), false);
  assert.is(await refusalOf(() => succeed('ada', '198.51.100.1')), 'too_many_requests');
  assert.is(await succeed('bob', '198.51.100.1'), true);
});

test('addresses of the same 64-bit IPv6 network count as one', async () => {
  const { fail, succeed } = makeThrottle();
  for (let n = 0; n < 10; n++) await fail('ada', `2001:db8:0:1::${n}`);
  assert.is(await refusalOf(() => succeed('ada', '2001:db8:0:1:ffff::1')), 'too_many_requests');
  assert.is(await succeed('ada', '2001:db8:0:2::1'), true);
});

test('a device has its own count, and all devices of an account share another', async () => {
  const { fail, succeed } = makeThrottle();
  for (let n = 0; n < 10; n++) await fail('ada', '192.0.2.1', 'laptop');
  assert.is(await refusalOf(() => succeed('ada', '192.0.2.1', 'laptop')), 'too_many_requests');
  assert.is(await succeed('ada', '192.0.2.1', 'telephone'), true);
  assert.is(await succeed('ada', '192.0.2.1'), true);
  for (let n = 0; n < 90; n++) await fail('ada', '192.0.2.1', `made ${n}`);
  assert.is(await refusalOf(() => succeed('ada', '192.0.2.1', 'telephone')), 'too_many_requests');
  assert.is(await succeed('ada', '192.0.2.1'), true);
});

test('a success clears the count of the pair, but not those of the address and the account', async () => {
  const { fail, succeed } = makeThrottle();
  for (let n = 0; n < 5; n++) {
    for (let m = 0; m < 9; m++) await fail('ada', '192.0.2.1');
    await succeed('ada', '192.0.2.1');
  }
  for (let n = 0; n < 5; n++) await fail('ada', '192.0.2.1');
  assert.is(await refusalOf(() => succeed('ada', '192.0.2.1')), 'too_many_requests');
  for (let n = 0; n < 50; n++) await fail('ada', `192.0.2.${100 + n}`);
  assert.is(await refusalOf(() => succeed('ada', '198.51.100.1')), 'too_many_requests');
});

test('after the time that Retry-After gives, sign-in works again', async () => {
  const { fail, succeed, advance } = makeThrottle();
  for (let n = 0; n < 10; n++) await fail('ada', '192.0.2.1');
  advance(5 * MINUTE_MS);
  const refusal = await succeed('ada', '192.0.2.1').catch((error: unknown) => error);
  assert.ok(refusal instanceof ServiceError);
  assert.is(refusal.headers['Retry-After'], '600');
  advance(600_000 - 1);
  assert.is(await refusalOf(() => succeed('ada', '192.0.2.1')), 'too_many_requests');
  advance(1);
  assert.is(await succeed('ada', '192.0.2.1'), true);
});

test('only ten of fifty simultaneous guesses are checked', async () => {
  const { throttle } = makeThrottle();
  let made = 0;
  const guess = () =>
    throttle.attempt({ account: 'ada', address: '192.0.2.1' }, async () => {
      made += 1;
      await nextTurn();
      return false;
    });
  const codes = await Promise.all(Array.from({ length: 50 }, () => refusalOf(guess)));
  assert.is(made, 10);
  assert.is(codes.filter((code) => code === 'too_many_requests').length, 40);
});

test('fifty simultaneous right passwords all get in', async () => {
  const { throttle } = makeThrottle();
  const results = await Promise.all(
    Array.from({ length: 50 }, () =>
      throttle.attempt({ account: 'ada', address: '192.0.2.1' }, async () => {
        await nextTurn();
        return true;
      }),
    ),
  );
  assert.ok(results.every(Boolean));
});

test('a check that throws does not count', async () => {
  const { throttle, succeed } = makeThrottle();
  for (let n = 0; n < 20; n++) {
    const broken = throttle.attempt({ account: 'ada', address: '192.0.2.1' }, async () => {
      throw new Error('disk');
    });
    assert.is(await broken.catch((error) => error.message), 'disk');
  }
  assert.is(await succeed('ada', '192.0.2.1'), true);
});

test.run();
