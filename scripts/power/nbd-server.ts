// A device over the NBD protocol, as far as Linux, libnbd and QEMU need it: fixed newstyle negotiation, one export,
// reads, writes, flushes, FUA, trims and zeros, simple replies (github.com/NetworkBlockDevice/nbd, doc/proto.md). After
// a cut every request fails, as on a disk that lost its power.
import { createServer, type Socket } from 'node:net';
import type { Device } from './device.ts';

const NBD_MAGIC = 0x4e42444d41474943n;
const OPTION_MAGIC = 0x49484156454f5054n;
const REPLY_MAGIC = 0x3e889045565a9n;
const REQUEST_MAGIC = 0x25609513;
const SIMPLE_REPLY_MAGIC = 0x67446698;

const FLAG_FIXED_NEWSTYLE = 1;
const FLAG_NO_ZEROES = 2;

const OPTION = { exportName: 1, abort: 2, list: 3, info: 6, go: 7 };
const REPLY = { ack: 1, server: 2, info: 3, unsupported: 0x80000001 };
const INFO_EXPORT = 0;

/** has flags, flush, FUA, trim, write zeroes. */
const TRANSMISSION_FLAGS = 1 | (1 << 2) | (1 << 3) | (1 << 5) | (1 << 6);
const COMMAND = { read: 0, write: 1, disconnect: 2, flush: 3, trim: 4, writeZeroes: 6 };
const COMMAND_FLAG_FUA = 1;
const EIO = 5;
const EINVAL = 22;
const ENOSPC = 28;
/** The most that one request may move. */
const MOST_BYTES = 32 << 20;

export interface NbdServer {
  /** From now on every request fails, and nothing more is written. */
  cutPower(): void;
  close(): Promise<void>;
}

/** Listens on a Unix socket. */
export async function serveDevice(device: Device, socketPath: string): Promise<NbdServer> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The client may break off at any time.
    socket.on('error', () => socket.destroy());
    converse(socket, device, () => isCut).catch(() => socket.destroy());
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(socketPath, done);
  });
  return {
    cutPower: () => void (isCut = true),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

async function converse(socket: Socket, device: Device, isCut: () => boolean): Promise<void> {
  const read = createReader(socket);
  if (await negotiate(socket, read, device)) await transmit(socket, read, device, isCut);
  socket.end();
}

type Read = (length: number) => Promise<Buffer>;

/** Rejects when the client has left. */
function createReader(socket: Socket): Read {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);
  return async (length) => {
    const parts = [rest];
    let have = rest.length;
    while (have < length) {
      const { value, done } = await chunks.next();
      if (done) throw new Error('the client has left');
      parts.push(value);
      have += value.length;
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts);
    rest = all.subarray(length);
    return all.subarray(0, length);
  };
}

/** True when the export was chosen and data may flow. */
async function negotiate(socket: Socket, read: Read, device: Device): Promise<boolean> {
  const greeting = Buffer.alloc(18);
  greeting.writeBigUInt64BE(NBD_MAGIC, 0);
  greeting.writeBigUInt64BE(OPTION_MAGIC, 8);
  greeting.writeUInt16BE(FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES, 16);
  socket.write(greeting);
  const clientFlags = (await read(4)).readUInt32BE(0);
  for (;;) {
    const head = await read(16);
    if (head.readBigUInt64BE(0) !== OPTION_MAGIC) throw new Error('not an NBD option');
    const option = head.readUInt32BE(8);
    const data = await read(head.readUInt32BE(12));
    if (option === OPTION.exportName) {
      const answer = Buffer.alloc(clientFlags & FLAG_NO_ZEROES ? 10 : 134);
      answer.writeBigUInt64BE(BigInt(device.sizeBytes), 0);
      answer.writeUInt16BE(TRANSMISSION_FLAGS, 8);
      socket.write(answer);
      return true;
    }
    if (option === OPTION.info || option === OPTION.go) {
      const info = Buffer.alloc(12);
      info.writeUInt16BE(INFO_EXPORT, 0);
      info.writeBigUInt64BE(BigInt(device.sizeBytes), 2);
      info.writeUInt16BE(TRANSMISSION_FLAGS, 10);
      socket.write(toReply(option, REPLY.info, info));
      socket.write(toReply(option, REPLY.ack));
      if (option === OPTION.go) return true;
    } else if (option === OPTION.list) {
      // There is one export, and its name is empty.
      socket.write(toReply(option, REPLY.server, Buffer.alloc(4)));
      socket.write(toReply(option, REPLY.ack));
    } else if (option === OPTION.abort) {
      socket.write(toReply(option, REPLY.ack));
      return false;
    } else socket.write(toReply(option, REPLY.unsupported, data.subarray(0, 0)));
  }
}

function toReply(option: number, type: number, data: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(20);
  head.writeBigUInt64BE(REPLY_MAGIC, 0);
  head.writeUInt32BE(option, 8);
  head.writeUInt32BE(type, 12);
  head.writeUInt32BE(data.length, 16);
  return Buffer.concat([head, data]);
}

async function transmit(socket: Socket, read: Read, device: Device, isCut: () => boolean): Promise<void> {
  for (;;) {
    const head = await read(28);
    if (head.readUInt32BE(0) !== REQUEST_MAGIC) throw new Error('not an NBD request');
    const [flags, command] = [head.readUInt16BE(4), head.readUInt16BE(6)];
    const position = Number(head.readBigUInt64BE(16));
    const length = head.readUInt32BE(24);
    if (command === COMMAND.disconnect) return;
    const payload = command === COMMAND.write ? await read(length) : undefined;
    const { error, data } = isCut()
      ? { error: EIO, data: undefined }
      : execute(device, { command, flags, position, length, payload });
    const answer = Buffer.alloc(16);
    answer.writeUInt32BE(SIMPLE_REPLY_MAGIC, 0);
    answer.writeUInt32BE(error, 4);
    head.copy(answer, 8, 8, 16);
    socket.write(answer);
    if (data && error === 0) socket.write(data);
  }
}

interface Request {
  command: number;
  flags: number;
  position: number;
  length: number;
  payload: Buffer | undefined;
}

function execute(
  device: Device,
  { command, flags, position, length, payload }: Request,
): { error: number; data?: Buffer } {
  const isBeyond = position + length > device.sizeBytes;
  if (command === COMMAND.read) {
    if (isBeyond || length > MOST_BYTES) return { error: EINVAL };
    return { error: 0, data: device.read(position, length) };
  }
  if (command === COMMAND.flush) device.flush();
  else if (isBeyond) return { error: ENOSPC };
  else if (command === COMMAND.write) device.write(position, payload!, { isDurable: (flags & COMMAND_FLAG_FUA) !== 0 });
  // A disk may show anything where it was trimmed; this one shows zeros.
  else if (command === COMMAND.trim || command === COMMAND.writeZeroes) device.clear(position, length);
  else return { error: EINVAL };
  return { error: 0 };
}
