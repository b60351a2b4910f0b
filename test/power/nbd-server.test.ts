// The NBD protocol, byte by byte, as doc/proto.md of the NetworkBlockDevice project specifies it.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDevice, type Device } from '../../scripts/power/device.ts';
import { type NbdServer, serveDevice } from '../../scripts/power/nbd-server.ts';

const SIZE = 1 << 20;
const NO_ZEROES = 3;

interface Client {
  read(length: number): Promise<Buffer>;
  send(...parts: (Buffer | string | [bits: 16 | 32 | 64, value: number | bigint])[]): void;
  /** A request and its answer. */
  ask(
    command: number,
    position: number,
    length: number,
    more?: { flags?: number; payload?: Buffer },
  ): Promise<{ error: number; data: Buffer }>;
  /** Resolves when the server has closed the connection. */
  ended: Promise<void>;
}

interface World extends AsyncDisposable {
  device: Device;
  server: NbdServer;
  connect(): Promise<Client>;
  /** A client that has negotiated and may send requests. */
  choose(): Promise<Client>;
}

async function makeWorld(): Promise<World> {
  const folder = mkdtempSync(path.join(tmpdir(), 'nbd-'));
  const socketPath = path.join(folder, 'socket');
  const device = createDevice(SIZE);
  const server = await serveDevice(device, socketPath);
  const world: World = {
    device,
    server,
    async connect() {
      const socket = connect(socketPath);
      let have: Buffer = Buffer.alloc(0);
      let wake = (): void => undefined;
      socket.on('data', (bytes: Buffer) => {
        have = Buffer.concat([have, bytes]);
        wake();
      });
      const ended = new Promise<void>((done) => socket.once('close', () => done()));
      const client: Client = {
        ended,
        async read(length) {
          while (have.length < length) await new Promise<void>((resume) => (wake = resume));
          const bytes = have.subarray(0, length);
          have = have.subarray(length);
          return bytes;
        },
        send(...parts) {
          const bytes = parts.map((part) => {
            if (typeof part === 'string') return Buffer.from(part);
            if (Buffer.isBuffer(part)) return part;
            const made = Buffer.alloc(8);
            made.writeBigUInt64BE(BigInt(part[1]));
            return made.subarray(8 - part[0] / 8);
          });
          socket.write(Buffer.concat(bytes));
        },
        async ask(command, position, length, { flags = 0, payload = Buffer.alloc(0) } = {}) {
          client.send([32, 0x25609513], [16, flags], [16, command], [64, 42n], [64, position], [32, length], payload);
          const head = await client.read(16);
          assert.is(head.readUInt32BE(0), 0x67446698);
          assert.is(head.readBigUInt64BE(8), 42n);
          const error = head.readUInt32BE(4);
          return { error, data: command === 0 && error === 0 ? await client.read(length) : Buffer.alloc(0) };
        },
      };
      const greeting = await client.read(18);
      assert.is(greeting.toString('latin1', 0, 16), 'NBDMAGICIHAVEOPT');
      assert.is(greeting.readUInt16BE(16), NO_ZEROES);
      return client;
    },
    async choose() {
      const client = await world.connect();
      client.send([32, NO_ZEROES], 'IHAVEOPT', [32, 1], [32, 0]);
      assert.is((await client.read(10)).readBigUInt64BE(0), BigInt(SIZE));
      return client;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
  return world;
}

test('a client that asks for the export by name gets its size and its features', async () => {
  await using world = await makeWorld();
  const client = await world.connect();
  client.send([32, 1], 'IHAVEOPT', [32, 1], [32, 0]);
  const answer = await client.read(134);
  assert.is(answer.readBigUInt64BE(0), BigInt(SIZE));
  // Has flags, flush, FUA, trim, write zeroes.
  assert.is(answer.readUInt16BE(8), 0b1101101);
});

test('a client that asks for information, for a list or for an unknown option is answered and may continue', async () => {
  await using world = await makeWorld();
  const client = await world.connect();
  const reply = async (): Promise<{ option: number; type: number; data: Buffer }> => {
    const head = await client.read(20);
    assert.is(head.readBigUInt64BE(0), 0x3e889045565a9n);
    return {
      option: head.readUInt32BE(8),
      type: head.readUInt32BE(12),
      data: await client.read(head.readUInt32BE(16)),
    };
  };
  client.send([32, NO_ZEROES], 'IHAVEOPT', [32, 8], [32, 0]);
  assert.is((await reply()).type, 0x80000001);
  client.send('IHAVEOPT', [32, 3], [32, 0]);
  assert.equal([(await reply()).type, (await reply()).type], [2, 1]);
  const request = Buffer.concat([Buffer.alloc(4), Buffer.alloc(2)]);
  client.send('IHAVEOPT', [32, 7], [32, request.length], request);
  const info = await reply();
  assert.equal([info.option, info.type, info.data.readBigUInt64BE(2)], [7, 3, BigInt(SIZE)]);
  assert.is((await reply()).type, 1);
  assert.equal(await client.ask(0, 0, 4), { error: 0, data: Buffer.alloc(4) });
});

test('a client may leave during the negotiation, and after it', async () => {
  await using world = await makeWorld();
  const [first, second] = [await world.connect(), await world.choose()];
  first.send([32, NO_ZEROES], 'IHAVEOPT', [32, 2], [32, 0]);
  await first.ended;
  second.send([32, 0x25609513], [16, 0], [16, 2], [64, 1], [64, 0], [32, 0]);
  await second.ended;
});

test('writes are read back, and are durable once flushed, or with FUA', async () => {
  await using world = await makeWorld();
  const client = await world.choose();
  const payload = Buffer.alloc(512, 5);
  assert.is((await client.ask(1, 1024, 512, { payload })).error, 0);
  assert.equal((await client.ask(0, 1024, 512)).data, payload);
  assert.is(world.device.loose, 1);
  assert.is((await client.ask(1, 8192, 512, { payload, flags: 1 })).error, 0);
  assert.is(world.device.loose, 1);
  assert.is((await client.ask(3, 0, 0)).error, 0);
  assert.is(world.device.loose, 0);
  assert.is((await client.ask(4, 1024, 256)).error, 0);
  assert.is((await client.ask(6, 1400, 100)).error, 0);
  const { data } = await client.ask(0, 1024, 512);
  assert.equal([data[0], data[256], data[376], data[500]], [0, 5, 0, 5]);
});

test('a request beyond the end, or an unknown one, is refused, and the next request is answered', async () => {
  await using world = await makeWorld();
  const client = await world.choose();
  assert.is((await client.ask(0, SIZE - 1, 2)).error, 22);
  assert.is((await client.ask(1, SIZE, 4, { payload: Buffer.alloc(4) })).error, 28);
  assert.is((await client.ask(99, 0, 0)).error, 22);
  assert.is((await client.ask(0, SIZE - 1, 1)).error, 0);
});

test('without power every request fails, and nothing is written', async () => {
  await using world = await makeWorld();
  const client = await world.choose();
  world.server.cutPower();
  for (const command of [0, 3]) assert.is((await client.ask(command, 0, 0)).error, 5);
  assert.is((await client.ask(1, 0, 4, { payload: Buffer.alloc(4, 1) })).error, 5);
  assert.is(world.device.loose, 0);
});

test.run();
