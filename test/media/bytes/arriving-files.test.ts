// The file of an upload on a disk that fails: no form counts as written if it is not.
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import Koa from 'koa';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createArrivingFiles, type OpenFile } from '../../../src/media/bytes/arriving-files.ts';
import { receiveUpload, type Upload } from '../../../src/media/routes-upload.ts';
import { BOUNDARY, MULTIPART, multipart, sha256 } from '../../support/upload.ts';

interface Received {
  result: Upload | Error;
  /** Each file that was opened. */
  opened: Writable[];
}

/** Receives a body into files that `open` opens. */
async function receive(body: Buffer, open: OpenFile): Promise<Received> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-arriving-'));
  const opened: Writable[] = [];
  let result: Upload | Error | undefined;
  const app = new Koa();
  app.use(async (ctx) => {
    const opening: OpenFile = (path) => {
      const stream = open(path);
      opened.push(stream);
      return stream;
    };
    result = await receiveUpload({ ctx }, folder, opening).catch((error: Error) => error);
    assert.ok(
      opened.every(({ closed }) => closed),
      'a file is open when the result is known',
    );
    if (!(result instanceof Error)) assert.is(sha256(readFileSync(result.file.path)), result.file.sha256);
    ctx.status = 204;
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sent = { method: 'POST', headers: MULTIPART, body: new Uint8Array(body) };
    assert.is((await fetch(`http://127.0.0.1:${port}/`, sent)).status, 204);
    return { result: result!, opened };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

const failure = (code: string): Error => Object.assign(new Error(`${code}: a broken disk`), { code });

/** Accepts `afterBytes` bytes and then fails, at the latest when it is closed. */
function failingFile(code: string, afterBytes: number, isLate: boolean): Writable {
  let left = afterBytes;
  const later = (done: () => void): void => void (isLate ? setImmediate(done) : process.nextTick(done));
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      later(() => done(left < 0 ? failure(code) : null));
    },
    final: (done) => later(() => done(failure(code))),
  });
}

test('a failed write is reported, at the first byte or the last, soon or late, whatever the size', async () => {
  for (const sizeBytes of [1, 5, 5000, 36_000, 300_000]) {
    const body = multipart([{ name: 'file', filename: 'a.txt', content: 'a'.repeat(sizeBytes) }]);
    for (const code of ['EIO', 'ENOSPC', 'EDQUOT']) {
      for (const afterBytes of [0, 4096, Infinity]) {
        for (const isLate of [false, true]) {
          const { result } = await receive(body, () => failingFile(code, afterBytes, isLate));
          const what = `${code} after ${afterBytes} of ${sizeBytes} bytes: ${JSON.stringify(result)}`;
          assert.instance(result, Error, what);
          const { code: reported, cause } = result as Error & { code: string };
          if (code === 'EIO') assert.is(reported, 'EIO', what);
          else assert.equal([reported, (cause as { code: string }).code], ['storage_full', code], what);
        }
      }
    }
  }
});

test('a file that cannot even be opened is reported', async () => {
  const body = multipart([{ name: 'file', filename: 'a.txt', content: 'a' }]);
  const { result } = await receive(body, (path) => createWriteStream(join(path, 'nowhere')));
  assert.is((result as NodeJS.ErrnoException).code, 'ENOENT');
});

test('a form with a second file, and one that is cut off, leave no file open', async () => {
  const file = { name: 'file', filename: 'a.txt', content: 'a'.repeat(300_000) };
  const open: OpenFile = (path) => createWriteStream(path, { flags: 'wx' });
  const two = await receive(multipart([file, file]), open);
  assert.match((two.result as Error).message, /more than one file/);
  assert.is(two.opened.length, 2);
  const cut = await receive(multipart([file]).subarray(0, -BOUNDARY.length - 10), open);
  assert.match((cut.result as Error).message, /cut off/);
  assert.is(cut.opened.length, 1);
});

test('a part that begins after the end makes no file', async () => {
  const opened: string[] = [];
  const arriving = createArrivingFiles((path) => {
    opened.push(path);
    return createWriteStream('/dev/null');
  });
  arriving.begin('early').end();
  assert.is(await arriving.end(), undefined);
  assert.ok(arriving.begin('late').destroyed);
  assert.equal(opened, ['early']);
});

test.run();
