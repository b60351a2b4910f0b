// The body of FormData, compared with the platform's own encoder and parser, and what is refused before it is parsed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseMultipart, readParts } from '../../src/forms/sent-body.ts';
import { makeWorld } from '../support/world.ts';

const TYPE = 'multipart/form-data; boundary=b';
const part = (name: string, value: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const END = '--b--\r\n';

function codeOf(body: string | Buffer, type = TYPE): unknown {
  try {
    parseMultipart(Buffer.from(body as string), type);
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

test('the output of the platform’s own encoder is decoded', async () => {
  const pairs = {
    'a "name"\r\nof it %': 'Ada\r\n--b\r\n',
    æ: '😀\r\n',
    empty: '',
    '': 'x',
    lines: '\r\n\r\n',
    bom: '\ufeffx',
  };
  const data = new FormData();
  for (const [name, value] of Object.entries(pairs)) data.append(name, value);
  const sent = new Response(data);
  const type = sent.headers.get('content-type') ?? '';
  const bytes = Buffer.from(await sent.arrayBuffer());
  assert.equal({ ...parseMultipart(bytes, type).values }, pairs);
  for (let length = 0; length < bytes.length - 4; length++) {
    assert.is(codeOf(bytes.subarray(0, length), type), 'invalid_input', `${length} of ${bytes.length}`);
  }
});

test('a body of another form is refused, and one that says something twice says so', () => {
  const { repeated } = parseMultipart(Buffer.from(part('a', '1') + part('a', '2') + END), TYPE);
  assert.equal([...repeated], ['a']);
  for (const body of [
    '',
    'a=b',
    END.slice(0, 4),
    `--c\r\n${part('a', '1')}${END}`,
    `--b\r\n\r\nx\r\n${END}`,
    `--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n${END}`,
    `--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n${END}`,
    `--bc\r\n${part('a', '1').slice(5)}${END}`,
    part('a', '1', `; x="${'y'.repeat(3000)}"`) + END,
    part('a', '1', '; filename="x"') + END,
  ]) {
    assert.is(codeOf(body), 'invalid_input', body.slice(0, 40));
  }
  assert.is(codeOf(Buffer.from(part('a', '\u00ff') + END, 'latin1')), 'invalid_input');
  assert.is(codeOf(part('a', '1') + END, `multipart/form-data; boundary=${'b'.repeat(71)}`), 'invalid_input');
  assert.is(codeOf(part('a', '1') + END, 'multipart/form-data; boundary="b"'), undefined);
});

test('no part is looked at after the first too many', () => {
  const body = Buffer.from(Array.from({ length: 17_000 }, (_, at) => part(`f${at}`, 'x')).join('') + END);
  let read = 0;
  for (const _ of readParts(body, TYPE)) if (++read > 2) break;
  assert.is(read, 3);
  assert.is(codeOf(body), 'invalid_input');
  const many = Buffer.from(Array.from({ length: 1000 }, (_, at) => part(`f${at}`, 'x')).join('') + END);
  assert.is(Object.keys(parseMultipart(many, TYPE).values).length, 1000);
});

test('an address that has used up its submissions is refused before its body is read', async () => {
  const form = { name: 'contact', fields: [{ name: 'name', type: 'text' as const }], spam: { rateLimit: 1 } };
  await using world = await makeWorld({ config: { collections: [], forms: [form] } });
  const send = (body: string, type: string) =>
    world.anonymous.post('/api/forms/contact', body, { 'content-type': type });
  assert.is((await send('name=x', 'application/x-www-form-urlencoded')).status, 200);
  for (const type of [TYPE, 'application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
    assert.is((await send('%', type)).status, 429, type);
  }
  assert.is((await world.anonymous.post('/api/forms/other', '%', { 'content-type': TYPE })).status, 404);
  // It learns nothing from the honeypot either.
  assert.is((await world.anonymous.post('/api/forms/contact', { name: 'x', _hp_email: 'x@y.z' })).status, 429);
});

test.run();
