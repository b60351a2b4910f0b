// The public routes of forms, over HTTP: what is accepted, what is refused, and that a refusal stores nothing.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, type Reply } from '../support/world.ts';
import { CONTACT, FORM, GOOD, makeForms, PAGE, post, stored, storedCount } from './world.ts';

test('a form can be sent as JSON', async () => {
  await using world = await makeForms();
  const { status, json } = await post(
    world.anonymous,
    { ...GOOD, agree: true, unknown: 'x' },
    { 'user-agent': 'Test' },
  );
  assert.is(status, 200);
  const [submission] = await stored(world);
  assert.equal(json, { ok: true, message: 'Thanks!', id: submission?.id });
  const { ipHash, ...rest } = submission!;
  assert.equal(rest, {
    id: json.id,
    form: 'contact',
    data: { ...GOOD, agree: true, campaign: 'spring' },
    status: 'new',
    userAgent: 'Test',
    createdAt: '2026-01-02T03:04:05.678Z',
  });
  assert.match(ipHash, /^[0-9a-f]{8}$/);
});

test('a form can be sent by an HTML form', async () => {
  await using world = await makeForms();
  const body = 'name=Ada+Lovelace&email=ada%40example.org&agree=on&message=a%0D%0Ab&topic=&campaign=mine&send=Send';
  const { status, json } = await post(world.anonymous, body, FORM);
  assert.is(status, 200);
  assert.is(json.ok, true);
  assert.equal((await stored(world))[0]?.data, {
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    message: 'a\nb',
    agree: true,
    campaign: 'spring',
  });
});

test('a form can be sent as FormData, by a script and by a browser, and takes no files', async () => {
  await using world = await makeForms();
  const send = (change: (data: FormData) => void, headers = {}) => {
    const data = new FormData();
    for (const [name, value] of Object.entries({ ...GOOD, message: 'a\r\nb', agree: 'on' })) data.append(name, value);
    change(data);
    return fetch(`${world.url}/api/forms/contact`, { method: 'POST', body: data, headers });
  };
  assert.is((await send((data) => data.append('cv', new File([], '')))).status, 200);
  assert.equal((await stored(world))[0]?.data, { ...GOOD, message: 'a\nb', agree: true, campaign: 'spring' });
  const page = await send(() => undefined, { accept: 'text/html' });
  assert.match(page.headers.get('content-type') ?? '', /text\/html/);
  const file = await send((data) => data.append('cv', new File(['x'], 'cv.pdf')));
  assert.equal(
    [file.status, ((await file.json()) as { details: object }).details],
    [400, [{ path: 'cv', message: 'is a file, which forms do not take' }]],
  );
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=b']) {
    assert.is((await post(world.anonymous, 'not multipart', { 'content-type': type })).status, 400, type);
  }
  assert.is(await storedCount(world), 2);
});

test('every invalid field is named, and nothing is stored', async () => {
  await using world = await makeForms();
  const { status, json } = await post(world.anonymous, {
    name: '  ',
    email: 'nobody',
    topic: 'other',
    message: 'x'.repeat(101),
    code: 'abcd',
    agree: 'perhaps',
  });
  assert.is(status, 400);
  assert.is(json.code, 'invalid_input');
  assert.equal(json.details.map(({ path }: { path: string }) => path).sort(), [
    'agree',
    'code',
    'email',
    'message',
    'name',
    'topic',
  ]);
  assert.is(await storedCount(world), 0);
});

test('an undefined form is 404, whatever its name', async () => {
  await using world = await makeForms();
  for (const name of ['nothing', 'Contact', '..%2fcontact', '__proto__', 'constructor', '%2e%2e']) {
    assert.is((await world.anonymous.post(`/api/forms/${name}`, GOOD)).status, 404, name);
    assert.is((await world.anonymous.get(`/api/forms/${name}/schema`)).status, 404, name);
  }
});

test('a body that is neither JSON nor of a form is 415, and the refusal says what is accepted', async () => {
  await using world = await makeForms();
  const latin1 = `${FORM['content-type']}; charset=latin1`;
  for (const type of ['multipart/mixed; boundary=x', 'text/plain', 'application/xml', '', latin1]) {
    const { status, json } = await post(world.anonymous, 'name=Ada', { 'content-type': type });
    assert.is(status, 415, type);
    assert.match(json.error, 'application/x-www-form-urlencoded');
  }
});

test('a filled honeypot gets the answer of a success and stores nothing', async () => {
  await using world = await makeForms({ spam: { rateLimit: 2 } });
  const real = await post(world.anonymous, GOOD);
  const caught = [
    await post(world.anonymous, { ...GOOD, _hp_email: 'x@y.z' }),
    await post(world.anonymous, { _hp_email: ' ' }),
    await post(world.anonymous, { ...GOOD, _hp_email: false }),
    await post(world.anonymous, 'name=a&_hp_email=b', FORM),
    await post(world.anonymous, 'name=a&_hp_email=&_hp_email=b', FORM),
  ];
  const without = ({ headers }: Reply) => Object.keys(headers).filter((name) => name !== 'set-cookie');
  const shape = (text: string) => text.replace(/"[0-9A-Z]{26}"/, '"id"');
  for (const reply of caught) {
    assert.is(reply.status, 200);
    assert.is(shape(reply.text), shape(real.text));
    assert.equal(without(reply), without(real));
    assert.is(await world.site().forms.submissions.find('contact', reply.json.id), undefined);
  }
  assert.is(new Set([real, ...caught].map(({ json }) => json.id)).size, 6);
  assert.is(await storedCount(world), 1);
});

test('an empty honeypot does not count as filled, and a form may have none', async () => {
  await using world = await makeForms();
  assert.is((await post(world.anonymous, { ...GOOD, _hp_email: '' })).status, 200);
  assert.is((await post(world.anonymous, 'name=a&email=a%40b.c&_hp_email=', FORM)).status, 200);
  assert.is(await storedCount(world), 2);
  await world.restart({ config: { collections: [], forms: [{ ...CONTACT, spam: { honeypot: false } }] } });
  assert.is((await post(world.anonymous, { ...GOOD, _hp_email: 'x' })).status, 200);
  assert.is(await storedCount(world), 3);
});

test('an address may send as many as the form allows in an hour', async () => {
  await using world = await makeForms();
  for (let i = 0; i < 5; i++) assert.is((await post(world.anonymous, GOOD)).status, 200);
  world.advance(20 * 60_000);
  const refused = await post(world.anonymous, GOOD);
  assert.is(refused.status, 429);
  assert.is(refused.json.code, 'too_many_requests');
  assert.is(refused.headers['retry-after'], '2400');
  world.advance(40 * 60_000);
  assert.is((await post(world.anonymous, GOOD)).status, 200);
  assert.is(await storedCount(world), 6);
});

test('invalid and honeypot posts do not count towards the limit', async () => {
  await using world = await makeForms({ spam: { rateLimit: 1 } });
  for (let i = 0; i < 10; i++) {
    assert.is((await post(world.anonymous, { name: 'x' })).status, 400);
    assert.is((await post(world.anonymous, { ...GOOD, _hp_email: 'x' })).status, 200);
    assert.is((await post(world.anonymous, { ...GOOD, code: 'no' })).status, 400);
  }
  assert.is((await post(world.anonymous, GOOD)).status, 200);
  assert.is((await post(world.anonymous, GOOD)).status, 429);
});

test('of twenty posts at once, exactly as many are accepted as the form allows', async () => {
  await using world = await makeForms();
  assert.is((await post(world.anonymous, {})).status, 400);
  const replies = await Promise.all(Array.from({ length: 20 }, () => post(world.anonymous, { ...GOOD, code: 'abc' })));
  const statuses = replies.map(({ status }) => status).sort();
  assert.equal(statuses, [...Array(5).fill(200), ...Array(15).fill(429)]);
  const ids = replies.filter(({ status }) => status === 200).map(({ json }) => json.id);
  assert.equal(ids.sort(), (await stored(world)).map(({ id }) => id).sort());
});

test('a restart or a removed submission does not reset the limit', async () => {
  await using world = await makeForms({ spam: { rateLimit: 2 } });
  const { json } = await post(world.anonymous, GOOD);
  world.advance(60_000);
  await world.restart();
  assert.is((await post(world.anonymous, GOOD)).status, 200);
  await world.site().forms.submissions.remove('contact', json.id);
  assert.is((await post(world.anonymous, GOOD)).status, 429);
  await world.restart();
  assert.is((await post(world.anonymous, GOOD)).status, 429);
  world.advance(59 * 60_000);
  assert.is((await post(world.anonymous, GOOD)).status, 200);
  assert.is((await post(world.anonymous, GOOD)).status, 429);
});

test('each form has its own limit', async () => {
  const forms = [
    { ...CONTACT, notifications: {}, spam: { rateLimit: 1 } },
    { ...CONTACT, notifications: {}, name: 'other', spam: { rateLimit: 1 } },
  ];
  await using world = await makeWorld({ config: { collections: [], forms } });
  assert.is((await post(world.anonymous, GOOD)).status, 200);
  assert.is((await world.anonymous.post('/api/forms/other', GOOD)).status, 200);
  assert.is((await post(world.anonymous, GOOD)).status, 429);
});

test('X-Forwarded-For does not change the address, unless a proxy is trusted', async () => {
  await using world = await makeForms({ spam: { rateLimit: 1 } });
  const from = (address: string) =>
    post(world.anonymous, GOOD, { 'x-forwarded-for': address, forwarded: `for=${address}` });
  assert.is((await from('192.0.2.1')).status, 200);
  assert.is((await from('192.0.2.2')).status, 429);
  await using behind = await makeForms({ spam: { rateLimit: 1 } }, { env: { CMS_TRUST_PROXY: '1' } });
  const through = (address: string) => post(behind.anonymous, GOOD, { 'x-forwarded-for': address });
  assert.is((await through('192.0.2.1')).status, 200);
  assert.is((await through('192.0.2.2')).status, 200);
  assert.is((await through('198.51.100.9, 192.0.2.2')).status, 429);
  // A 64-bit network belongs to one customer.
  assert.is((await through('2001:db8:1:2::1')).status, 200);
  assert.is((await through('2001:db8:1:2:ffff::9')).status, 429);
  assert.is((await through('2001:db8:1:3::1')).status, 200);
});

test('the address is stored as a hash that differs between sites, and is in no log', async () => {
  const config = { collections: [], forms: [{ ...CONTACT, notifications: {} }] };
  await using world = await makeWorld({ config, sites: { second: config }, env: { CMS_TRUST_PROXY: '1' } });
  const headers = { 'x-forwarded-for': '192.0.2.77' };
  for (const site of ['default', 'second']) {
    assert.is((await world.anonymous.post(`/api/forms/contact?site=${site}`, GOOD, headers)).status, 200);
  }
  const [[first], [second]] = [await stored(world, 'default'), await stored(world, 'second')];
  assert.is.not(first?.ipHash, second?.ipHash);
  assert.is((await stored(world, 'default')).length, 1);
  assert.not.match(JSON.stringify(world.logged), '192.0.2.77');
  assert.not.match(JSON.stringify([first, second]), '192.0.2.77');
});

test('forms of the same name on two sites have nothing to do with each other', async () => {
  const form = (successMessage: string) => ({ ...CONTACT, notifications: {}, successMessage, spam: { rateLimit: 1 } });
  await using world = await makeWorld({
    config: { collections: [], forms: [form('First')] },
    sites: { second: { collections: [], forms: [form('Second')] }, third: { collections: [] } },
  });
  const to = (site: string) => world.anonymous.post(`/api/forms/contact?site=${site}`, GOOD);
  assert.is((await to('default')).json.message, 'First');
  assert.is((await to('default')).status, 429);
  const second = await to('second');
  assert.is(second.json.message, 'Second');
  assert.is(await world.site('default').forms.submissions.find('contact', second.json.id), undefined);
  assert.is((await to('third')).status, 404);
  assert.is((await to('fourth')).status, 404);
  for (const site of ['default', 'second']) assert.is((await stored(world, site)).length, 1);
});

test('the schema has what a page needs, and not who is notified', async () => {
  await using world = await makeForms({
    notifications: CONTACT.notifications,
    spam: { turnstile: { siteKey: 'key', secretEnv: 'HUSH' } },
  });
  const { status, json, text } = await world.anonymous.get('/api/forms/contact/schema');
  assert.is(status, 200);
  assert.not.match(text, /owner@|hooks\.|HUSH|rateLimit/);
  assert.equal(
    { ...json, fields: json.fields.slice(0, 1) },
    {
      name: 'contact',
      label: 'Contact us',
      fields: [{ name: 'name', label: 'Your name', type: 'text', required: true }],
      successMessage: 'Thanks!',
      honeypot: true,
      turnstile: { siteKey: 'key' },
    },
  );
  assert.is(json.fields[1].label, 'email');
  assert.equal(json.fields[4].validation, { pattern: '[a-z]{3}' });
});

test('pages of the preview site and of local development may read the answers, others may not', async () => {
  await using world = await makeForms({ spam: { rateLimit: 100 } });
  await world.admin.post('/api/admin/site-config', { previewSiteUrl: 'https://preview.example.com/some/path' });
  const allowed = [
    'https://preview.example.com',
    'http://localhost:3000',
    'http://127.0.0.1:3009',
    'http://localhost:3011',
  ];
  const refused = [
    'https://evil.example',
    'http://preview.example.com',
    'http://localhost:3001',
    'https://preview.example.com.evil.example',
    'null',
  ];
  for (const origin of [...allowed, ...refused]) {
    const expected = allowed.includes(origin) ? origin : undefined;
    const asking = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const preflight = await world.anonymous.request('OPTIONS', '/api/forms/contact', undefined, asking);
    assert.is(preflight.headers['access-control-allow-origin'], expected, origin);
    if (expected) {
      assert.match(String(preflight.headers['access-control-allow-methods']), 'POST');
      assert.match(String(preflight.headers['access-control-allow-headers']), 'content-type');
    }
    const schema = await world.anonymous.get('/api/forms/contact/schema', { origin });
    assert.is(schema.headers['access-control-allow-origin'], expected);
    assert.match(String(schema.headers.vary), 'Origin');
    assert.is((await post(world.anonymous, {}, { origin })).headers['access-control-allow-origin'], expected);
    // A browser sends the form of any page; CORS only decides who may read the answer.
    assert.is((await post(world.anonymous, 'name=a&email=a%40b.c', { ...FORM, origin })).status, 200);
  }
  assert.is(await storedCount(world), allowed.length + refused.length);
});

test('in production, local pages may not read the answers', async () => {
  await using world = await makeForms({}, { env: { NODE_ENV: 'production', CMS_JWT_SECRET: 'x'.repeat(32) } });
  const { headers } = await world.anonymous.get('/api/forms/contact/schema', { origin: 'http://localhost:3000' });
  assert.is(headers['access-control-allow-origin'], undefined);
});

test('a post of an HTML form is answered with pages', async () => {
  await using world = await makeForms({ spam: { rateLimit: 2 } });
  const refused = await post(world.anonymous, 'name=%3Cb%3EAda&email=no', PAGE);
  assert.is(refused.status, 400);
  assert.match(String(refused.headers['content-type']), 'text/html');
  assert.match(refused.text, '&lt;b&gt;Ada');
  assert.match(refused.text, 'must be an e-mail address');
  const accepted = await post(world.anonymous, 'name=Ada&email=a%40b.c', PAGE);
  assert.is(accepted.status, 200);
  assert.match(accepted.text, 'Thanks!');
  const caught = await post(world.anonymous, 'name=Ada&_hp_email=x', PAGE);
  assert.is(caught.status, 200);
  assert.is(caught.text, accepted.text);
  await post(world.anonymous, 'name=Ada&email=a%40b.c', PAGE);
  assert.is((await post(world.anonymous, 'name=Ada&email=a%40b.c', PAGE)).status, 429);
  assert.is(await storedCount(world), 2);
  assert.is((await world.anonymous.post('/api/forms/none', 'a=b', PAGE)).status, 404);
});

test('HTML forms are redirected to `successRedirect`, even with a filled honeypot, and scripts are not', async () => {
  await using world = await makeForms({ successRedirect: '/thanks' });
  for (const body of ['name=Ada&email=a%40b.c', 'name=Ada&_hp_email=x']) {
    const { status, headers } = await post(world.anonymous, body, PAGE);
    assert.is(status, 303);
    assert.is(headers.location, '/thanks');
  }
  assert.is((await post(world.anonymous, 'name=Ada&email=a%40b.c', FORM)).status, 200);
  assert.is((await post(world.anonymous, GOOD, { accept: 'text/html' })).json.ok, true);
});

test('hostile bodies are refused with a sentence', async () => {
  await using world = await makeForms({ spam: { rateLimit: 1000 } });
  const many = Array.from({ length: 10_000 }, (_, i) => `k${i}=v`).join('&');
  const cases: [string, string | Buffer, Record<string, string>, number][] = [
    ['a field of 1 MiB', `{"name":"${'x'.repeat(1 << 20)}"}`, {}, 413],
    ['10,000 keys of a form', many, FORM, 400],
    ['a key twice', 'name=a&name=b&email=a%40b.c', FORM, 400],
    ['bytes that are not UTF-8', Buffer.from('name=\xff\xfe&email=a%40b.c', 'latin1'), FORM, 400],
    ['an escape that is not UTF-8', 'name=%ff&email=a%40b.c', FORM, 400],
    ['an invalid escape', 'name=%zz&email=a%40b.c', FORM, 400],
    ['a lone surrogate', '{"name":"\\ud800","email":"a@b.c"}', {}, 400],
    ['NUL in JSON', '{"name":"a\\u0000b","email":"a@b.c"}', {}, 400],
    ['NUL in a form', 'name=a%00b&email=a%40b.c', FORM, 400],
    ['__proto__ in JSON', '{"__proto__":{"name":"x"},"name":"a","email":"a@b.c"}', {}, 400],
    ['values that are objects', '{"name":{"a":1},"email":["a@b.c"]}', {}, 400],
    ['an array', '[]', {}, 400],
    ['nothing', '', FORM, 400],
    ['no JSON', '{', {}, 400],
    ['too deep', `{"name":${'['.repeat(100)}${']'.repeat(100)}}`, {}, 400],
  ];
  for (const [what, body, headers, expected] of cases) {
    const { status, json } = await post(world.anonymous, body, headers);
    assert.is(status, expected, what);
    assert.ok(json.error.length > 0);
  }
  assert.is(await storedCount(world), 0);
  // Harmless: fields that the definition lacks are dropped.
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]));
  assert.is((await post(world.anonymous, { ...keys, ...GOOD })).status, 200);
  assert.is(
    (await post(world.anonymous, '__proto__=x&constructor=y&toString=z&name=a&email=a%40b.c', FORM)).status,
    200,
  );
  for (const { data } of await stored(world)) assert.equal(Object.keys(data), ['name', 'email', 'agree', 'campaign']);
});

test('escapes cannot make a submission larger than the limit of a body', async () => {
  await using world = await makeForms({ fields: [{ name: 'text', type: 'textarea' }] });
  assert.is((await post(world.anonymous, `text=${'\x01'.repeat(200_000)}`, FORM)).status, 413);
  assert.is((await post(world.anonymous, `text=${'x'.repeat(1_000_000)}`, FORM)).status, 200);
});

test('submissions stay when the configuration no longer has their form', async () => {
  await using world = await makeForms();
  const { json } = await post(world.anonymous, GOOD);
  await world.restart({ config: { collections: [], forms: [] } });
  assert.is((await post(world.anonymous, GOOD)).status, 404);
  assert.is((await world.site().forms.submissions.find('contact', json.id))?.data.name, 'Ada');
});

test.run();
