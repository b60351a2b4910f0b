import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FLUSH, toPacket } from '../../../src/git/pkt-line.ts';
import { readPushRequest } from '../../../src/git/push/request.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const ZERO = '0'.repeat(40);

/** Splits the bytes into chunks, as a network does. */
async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const read = (bytes: Buffer | string, pieceBytes = 1 << 20) =>
  readPushRequest(inPieces(Buffer.from(bytes), pieceBytes));

async function refused(bytes: Buffer | string): Promise<string> {
  try {
    await read(bytes);
  } catch (error) {
    return String((error as { code?: string }).code);
  }
  return 'accepted';
}

test('commands, capabilities and pack are parsed, whatever chunks they arrive in', async () => {
  const bytes = Buffer.concat([
    toPacket(`${A} ${B} refs/heads/main\0 report-status side-band-64k agent=git/2\n`),
    toPacket(`shallow ${A}\n`),
    toPacket(`${ZERO} ${B} refs/tags/v1`),
    toPacket(`${A} ${ZERO} refs/heads/old\n`),
    FLUSH,
    Buffer.from('PACK and more'),
  ]);
  for (const pieceBytes of [1, 3, 50, 1000]) {
    const { commands, capabilities, pack } = await read(bytes, pieceBytes);
    assert.equal(commands, [
      { ref: 'refs/heads/main', from: A, to: B },
      { ref: 'refs/tags/v1', from: null, to: B },
      { ref: 'refs/heads/old', from: A, to: null },
    ]);
    assert.equal([...capabilities], ['report-status', 'side-band-64k', 'agent=git/2']);
    const chunks: Buffer[] = [];
    for await (const chunk of pack) chunks.push(chunk);
    assert.is(Buffer.concat(chunks).toString(), 'PACK and more');
  }
});

test('a request without a command is valid', async () => {
  assert.equal((await read('0000')).commands, []);
});

test('a request that is not a push is refused', async () => {
  const line = `${A} ${B} refs/heads/main\n`;
  for (const bytes of [
    '',
    '00',
    'xxxx',
    '0001',
    '0003',
    'fff1',
    'GET / HTTP/1.1',
    toPacket(line), // no flush
    '0050cut short',
    Buffer.concat([toPacket(line.replace(A, 'A'.repeat(40))), FLUSH]),
    Buffer.concat([toPacket(`${A} ${B} HEAD\n`), FLUSH]),
    Buffer.concat([toPacket(`${A} ${B} refs/heads/a b\n`), FLUSH]),
    Buffer.concat([toPacket(`${A} ${B} refs/heads/a\x1b[31m\n`), FLUSH]),
    Buffer.concat([toPacket(`${A} ${B} refs/heads/main\nmore\n`), FLUSH]),
    Buffer.concat([toPacket('push-cert\0report-status\n'), FLUSH]),
    Buffer.concat([toPacket(''), FLUSH]),
  ]) {
    assert.is(await refused(bytes), 'invalid_input', String(bytes));
  }
});

test('refs above a limit are refused with the reason, and the request is read no further', async () => {
  const first = toPacket(`${A} ${B} refs/heads/main\0report-status side-band-64k\n`);
  const name = (chars: number): string => `refs/heads/${'x'.repeat(chars - 11)}`;
  for (const [lines, reason, count] of [
    [(n: number) => toPacket(`${A} ${B} refs/heads/b${n}\n`), /at most 1000 refs/, 1000],
    [() => toPacket(`${A} ${B} ${name(1025)}\n`), /at most 1024 bytes/, 1],
    [() => toPacket(`${A} ${B} ${name(17_500)}\n`), /at most 1024 bytes/, 1],
    [() => toPacket(`shallow ${A}\n`), /at most 1 MiB/, 1],
    [() => toPacket(`${A} ${B} refs/heads/b\0${'y'.repeat(60_000)}\n`), /at most 1 MiB/, 18],
  ] as const) {
    let read = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield first;
      for (read = 0; read < 50_000; read++) yield lines(read);
      throw new Error('read on');
    }
    const { refused, commands, capabilities } = await readPushRequest(endless());
    assert.match(String(refused), reason);
    assert.is(commands.length, count);
    assert.ok(capabilities.has('side-band-64k'));
  }
});

test('a push with the maximum number of refs, or with names of the maximum length, is accepted', async () => {
  const lines = Array.from({ length: 1000 }, (_, n) => toPacket(`${A} ${B} refs/heads/b${n}\n`));
  assert.is((await read(Buffer.concat([...lines, FLUSH]))).commands.length, 1000);
  const long = `refs/heads/${'x'.repeat(1013)}`;
  assert.is((await read(Buffer.concat([toPacket(`${A} ${B} ${long}\n`), FLUSH]))).commands[0]?.ref, long);
});

test('reading commands takes time in proportion to their bytes, whatever chunks they arrive in', async () => {
  const line = toPacket(`${A} ${B} refs/heads/b\0${'y'.repeat(60_000)}\n`);
  const bytes = Buffer.concat([...Array.from({ length: 16 }, () => line), FLUSH]);
  const started = performance.now();
  assert.is((await read(bytes, 16)).commands.length, 16);
  assert.ok(performance.now() - started < 3000);
});

test.run();
