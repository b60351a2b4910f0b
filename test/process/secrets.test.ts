// What the service logs and leaves on the disk: a log of JSON lines that has every request and no secret, and private
// files that are private.
import { execFileSync } from 'node:child_process';
import { globSync, lstatSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { ADMIN, eventually, type LogLine, makePlace, type Service, setUp } from '../support/process.ts';

/** Each secret contains the mark, which must not appear in any output. */
const MARK = 'MARKED';
const SECRETS = {
  CMS_JWT_SECRET: `${MARK}-jwt-0123456789-0123456789-0123456789`,
  CMS_SERVICE_SECRET: `${MARK}-service-0123456789-0123456789-012345`,
  DEPLOY_NOTIFY_SECRET: `${MARK}-notify-0123456789`,
  RESEND_API_KEY: `${MARK}-resend`,
  SMTP_URL: `smtp://user:${MARK}-smtp@127.0.0.1:1`,
  ANTHROPIC_API_KEY: `${MARK}-anthropic`,
  OPENAI_API_KEY: `${MARK}-openai`,
  GITHUB_TOKEN: `${MARK}-github`,
};
const PASSWORD = `${MARK}-password`;

interface Known {
  cookie: string;
  token: string;
}

/** Requests of every kind, good and bad, with marked secrets in every place that a request has. */
async function sendEverything(service: Service): Promise<Known & { requests: number }> {
  const stranger = service.client();
  let requests = 0;
  const count = async <T>(reply: Promise<T>): Promise<T> => {
    requests++;
    return reply;
  };
  const setup = await count(stranger.post('/api/auth/setup', { ...ADMIN, password: PASSWORD }));
  assert.is(setup.status, 200, setup.text);
  await count(stranger.post('/api/auth/setup', { ...ADMIN, password: PASSWORD }));
  await count(stranger.post('/api/auth/login', { email: ADMIN.email, password: `${MARK}-wrong` }));
  await count(stranger.post('/api/auth/login', { email: `${MARK}-email`, password: PASSWORD }));
  const login = await count(stranger.post('/api/auth/login', { email: ADMIN.email, password: PASSWORD }));
  const cookie = login.cookie!;
  const client = service.client(cookie);
  const made = await count(
    client.post('/api/admin/access-tokens', { name: 'ci', permissions: ['content:read', 'content:write'] }),
  );
  const token = String(made.json.token);
  const bearer = { authorization: `Bearer ${token}` };
  await count(client.get('/api/admin/access-tokens'));
  await count(
    client.post('/api/admin/users', { email: 'grace@example.org', name: 'Grace', role: 'editor', password: PASSWORD }),
  );
  await count(client.post('/api/admin/profile', { currentPassword: `${MARK}-wrong`, newPassword: `${MARK}-new` }));

  const body = { slug: 'one', data: { title: 'One', body: `${MARK}-body` } };
  await count(stranger.post('/api/cms/posts', body, { ...bearer, 'idempotency-key': `${MARK}-key` }));
  await count(stranger.post('/api/cms/posts', body, { ...bearer, 'idempotency-key': `${MARK}-key` }));
  await count(stranger.post('/api/cms/posts', { data: { title: 7, body: `${MARK}-invalid` } }, bearer));
  await count(
    stranger.patch(
      '/api/cms/posts/one',
      { data: { [`${MARK}key`]: `${MARK}-value` } },
      { ...bearer, 'if-match': `"${MARK}"` },
    ),
  );
  await count(stranger.get(`/api/cms/posts?tags=${MARK}-query&status=${MARK}`, bearer));
  await count(stranger.get(`/api/search?q=${MARK}-search`, bearer));
  await count(stranger.get('/api/cms/posts/no-such', bearer));
  await count(stranger.get(`/unknown?token=${MARK}-token`));
  await count(stranger.get('/api/cms/posts', { authorization: `Bearer cms_${MARK}` }));
  await count(stranger.get('/api/cms/posts', { authorization: `Basic ${MARK}` }));
  await count(stranger.get('/api/cms/posts', { cookie: `cms-session=${MARK}.${MARK}.${MARK}` }));
  await count(
    stranger.get('/metrics', { 'x-cms-service-token': SECRETS.CMS_SERVICE_SECRET, 'x-forwarded-for': '10.0.0.1' }),
  );
  await count(stranger.get('/metrics', { 'x-cms-service-token': `${MARK}-wrong`, 'x-forwarded-for': '10.0.0.1' }));
  await count(
    stranger.send('POST', '/api/cms/posts', undefined, {
      ...bearer,
      'content-type': 'application/json',
      'x-request-id': `${MARK} not an id`,
    }),
  );
  await count(client.post('/api/auth/logout'));
  return { cookie, token, requests };
}

/** Bytes that are not HTTP, and a body that is not JSON. */
async function sendRaw(service: Service, cookie: string): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const json = `{"data": {"body": "${MARK}-raw" `;
  for (const text of [
    `NONSENSE ${MARK}\r\n\r\n`,
    `POST /api/cms/posts HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  ]) {
    const socket = connect(Number(port), hostname);
    socket.end(text);
    await new Promise((done) => socket.resume().on('close', done));
  }
}

function checkSilent(name: string, text: string, { cookie, token }: Known): void {
  for (const secret of [MARK, cookie.split('=')[1]!, token, token.slice(4, 40), ADMIN.email]) {
    const at = text.indexOf(secret);
    assert.is(at, -1, `${name} shows ${secret}: …${text.slice(Math.max(0, at - 200), at + 100)}`);
  }
}

const REQUEST_KEYS = [
  'level',
  'time',
  'pid',
  'hostname',
  'requestId',
  'method',
  'route',
  'path',
  'ip',
  'status',
  'ms',
  'principal',
];

test('the process log has one JSON line per request, and no secret, cookie, token, e-mail address, query or body in any line', async () => {
  await using place = makePlace();
  // The most detailed log level, as an operator sets it to look for a cause.
  const service = await place.start({ ...SECRETS, LOG_LEVEL: 'trace' });
  const known = await sendEverything(service);
  const isRequest = ({ msg }: LogLine): boolean => msg === 'request';
  await eventually(() => assert.ok(service.log().filter(isRequest).length >= known.requests), 2000);
  await later(200);
  const lines = service.log().filter(isRequest);
  assert.is(lines.length, known.requests);
  for (const line of lines) {
    for (const key of REQUEST_KEYS) assert.ok(key in line, `${key} in ${JSON.stringify(line)}`);
    assert.not.match(line.route, /\/one|\?/);
  }
  const created = lines.find(
    ({ route, method, status }) => route === '/api/cms/{collection}' && method === 'POST' && status === 200,
  );
  assert.is(created?.principal, 'token');
  assert.is(created?.site, 'default');
  assert.is(new Set(lines.map(({ requestId }) => requestId)).size, lines.length);

  const again = await service.client().post('/api/auth/login', { email: ADMIN.email, password: PASSWORD });
  await sendRaw(service, again.cookie!);
  assert.is((await service.stop()).code, 0);
  checkSilent('stdout', service.stdout, known);
  checkSilent('stderr', service.stderr, known);
  for (const line of service.stdout.trim().split('\n')) assert.is(typeof JSON.parse(line), 'object');
});

test('a refused start repeats no value that may be a secret', async () => {
  await using place = makePlace();
  const starting = place.spawn({
    ...SECRETS,
    CMS_PUBLIC_URL: `ftp://user:${MARK}@cms.example.com`,
    PORT: 'high',
    SMTP_URL: MARK,
    CMS_SERVICE_SECRET: MARK,
  });
  assert.is((await starting.exited).code, 1);
  assert.match(starting.stderr, /PORT.*"high"/);
  assert.is(`${starting.stdout}${starting.stderr}`.includes(MARK), false);
});

test('LOG_LEVEL=silent leaves only the line that other programs wait for', async () => {
  await using place = makePlace();
  const service = await place.start({ LOG_LEVEL: 'silent' });
  await setUp(service);
  await service.stop();
  assert.match(service.stdout, /^[^\n]*listening on http:\/\/127\.0\.0\.1:\d+[^\n]*\n$/);
  assert.is(service.stderr, '');
});

test('private files are for their owner only, whatever the umask, and hold no password or token', async () => {
  await using place = makePlace();
  const umask = process.umask(0);
  let service: Service;
  try {
    service = await place.start();
  } finally {
    process.umask(umask);
  }
  const known = await sendEverything(service);
  await service.stop();
  const files = globSync('**/*', { cwd: place.dataDir }).filter((name) =>
    lstatSync(join(place.dataDir, name)).isFile(),
  );
  for (const name of ['users.json', 'access-tokens.json', 'sessions.json', 'secret'])
    assert.ok(files.includes(name), name);
  for (const name of files) {
    const { mode } = lstatSync(join(place.dataDir, name));
    if (!name.includes('/') && !name.startsWith('lock.'))
      assert.is(mode & 0o777, 0o600, `${name}: ${mode.toString(8)}`);
    const text = readFileSync(join(place.dataDir, name), 'latin1');
    assert.not.match(text, PASSWORD, name);
    assert.not.match(text, known.token, name);
    assert.not.match(text, known.cookie.split('=')[1]!, name);
  }
  assert.is(lstatSync(place.dataDir).mode & 0o077, 0, 'only its owner may enter the data folder');
});

test('no secret is in git', async () => {
  await using place = makePlace();
  const service = await place.start(SECRETS);
  const { cookie, token } = await sendEverything(service);
  await service.stop();
  const objects = await git(place.repository, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)');
  const everything = execFileSync('git', ['cat-file', '--batch'], {
    cwd: place.repository,
    input: objects,
    encoding: 'utf8',
  });
  assert.match(everything, 'posts/one: create');
  for (const secret of [PASSWORD, token, cookie.split('=')[1]!, `${MARK}-key`, ...Object.values(SECRETS)]) {
    assert.is(everything.includes(secret), false, secret);
  }
  assert.is((await git(place.repository, 'for-each-ref', '--format=%(refname)')).trim(), 'refs/heads/main');
});

test.run();
