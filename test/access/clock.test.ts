// A clock that is set while the service runs: it neither prolongs a lockout nor allows more guesses.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, PASSWORD } from '../support/world.ts';

const DAY_MS = 24 * 3600_000;

for (const days of [-1, 365]) {
  test(`failed sign-ins lock out for fifteen minutes, even if the clock is set by ${days} days`, async () => {
    await using world = await makeWorld();
    await world.user('editor');
    const signIn = (password: string) =>
      world.anonymous.post('/api/auth/login', { email: 'nobody@example.com', password });
    for (let n = 0; n < 10; n++) assert.is((await signIn(`wrong ${n} ${PASSWORD}`)).status, 401);
    world.setClock(days * DAY_MS);
    assert.is((await signIn(PASSWORD)).status, 429);
    world.advance(14 * 60_000);
    assert.is((await signIn(PASSWORD)).status, 429);
    world.advance(61_000);
    assert.is((await signIn(PASSWORD)).status, 401);
  });
}

test.run();
