// Who may make the first admin of a service that other machines can reach.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ADMIN, makePlace } from '../support/process.ts';

const TOKEN = /^setup token: ([0-9a-f]{32}) /m;

test('a service that listens on more than loopback prints a set-up token next to the ready line, and in no line of its log', async () => {
  await using place = makePlace();
  const service = await place.start({ HOST: '0.0.0.0', LOG_LEVEL: 'trace' });
  const token = TOKEN.exec(service.stdout)?.[1] ?? '';
  assert.match(service.stdout, /listening on http:\/\/0\.0\.0\.0:\d+/);
  const client = service.client();
  assert.equal((await client.get('/api/auth/setup')).json, { hasUsers: false, tokenRequired: true });
  assert.is((await client.post('/api/auth/setup', ADMIN)).status, 403);
  assert.is((await client.post('/api/auth/setup', { ...ADMIN, setupToken: token })).status, 200);
  await service.stop();
  const lines = service.stdout.split('\n').filter((line) => !TOKEN.test(line));
  assert.is(lines.join('\n').includes(token), false);

  const next = await place.start({ HOST: '0.0.0.0' });
  assert.not.match(next.stdout, TOKEN);
  await next.stop();
});

test('CMS_SETUP_TOKEN is required on loopback too, and printed nowhere', async () => {
  await using place = makePlace();
  const setupToken = 'chosen-0123456789-0123456789';
  const service = await place.start({ CMS_SETUP_TOKEN: setupToken });
  const client = service.client();
  assert.is((await client.post('/api/auth/setup', ADMIN)).status, 403);
  assert.is((await client.post('/api/auth/setup', { ...ADMIN, setupToken })).status, 200);
  await service.stop();
  assert.is((service.stdout + service.stderr).includes(setupToken), false);
});

test('on loopback a set-up with the Host of another site is 403', async () => {
  await using place = makePlace();
  const service = await place.start();
  const client = service.client();
  assert.is((await client.send('POST', '/api/auth/setup', ADMIN, { host: 'evil.example' })).status, 403);
  assert.is((await client.post('/api/auth/setup', ADMIN)).status, 200);
  await service.stop();
});

test.run();
