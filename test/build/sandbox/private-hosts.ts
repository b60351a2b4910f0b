// A small network of its own for one process: this machine, a neighbour with private addresses and a public one, and name
// servers. Started by `unshare --mount --net` as root; nothing leaves it. Prints what builds with a network reached.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AttackResult } from './attack.ts';
import { startAttack } from './attacker.ts';

export interface NetworkResult {
  /** What this machine itself reaches: all of it. */
  control: string[];
  root: AttackResult;
  plain: AttackResult;
}

/** Addresses of the neighbour. */
const PRIVATE = ['10.77.0.2', '100.64.3.3', '169.254.169.254', '172.20.1.1', '192.168.5.5'];
const PUBLIC = '45.33.9.9';
/** Addresses of this machine. */
const OWN = ['10.77.0.1', '45.33.1.1'];
export const NAME = 'public.example';
const PORT = 8080;
export const PUBLIC_TARGET = `${PUBLIC}:${PORT}`;
const TARGETS = [...PRIVATE, PUBLIC, ...OWN].map((address) => `${address}:${PORT}`);
/** The gateway and the name server that a build sees. */
const OF_SANDBOX = ['198.18.0.1', '198.18.0.53'].map((address) => `${address}:${PORT}`);

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Answers each question for an IPv4 address with the public one. */
function serveNames(address: string): void {
  const server = createSocket('udp4', (question, from) => {
    const end = question.indexOf(0, 12) + 5;
    const isAddress = question.readUInt16BE(end - 4) === 1;
    const head = [question[0]!, question[1]!, 0x81, 0x80, 0, 1, 0, isAddress ? 1 : 0, 0, 0, 0, 0];
    const answer = isAddress ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...PUBLIC.split('.').map(Number)] : [];
    const whole = Buffer.concat([Buffer.from(head), question.subarray(12, end), Buffer.from(answer)]);
    server.send(whole, from.port, from.address);
  });
  server.bind(53, address);
}

async function serve(address: string): Promise<void> {
  const server = createServer((socket) => void socket.on('error', () => undefined).end('here\n'));
  await once(server.listen(PORT, address), 'listening');
}

async function reaches(target: string): Promise<boolean> {
  const [host, port] = target.split(':');
  const socket = connect({ host: host!, port: Number(port), timeout: 2000 });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2000) });
    return true;
  } catch {
    // The caller reports which.
    return false;
  } finally {
    socket.destroy();
  }
}

/** In a network namespace of its own; ends with its standard input. */
async function beNeighbour(): Promise<void> {
  process.stdout.write('is there\n');
  for await (const _ of createInterface({ input: process.stdin })) {
    for (const address of PRIVATE.slice(1)) run('ip', 'address', 'add', `${address}/32`, 'dev', 'there');
    run('ip', 'address', 'add', `${PUBLIC}/32`, 'dev', 'there');
    run('ip', 'address', 'add', `${PRIVATE[0]}/24`, 'dev', 'there');
    run('ip', 'link', 'set', 'there', 'up');
    run('ip', 'route', 'add', 'default', 'via', OWN[0]!);
    for (const address of [...PRIVATE, PUBLIC]) await serve(address);
    serveNames(PRIVATE[0]!);
    process.stdout.write('serves\n');
  }
  process.exit();
}

async function makeNetwork(): Promise<ChildProcess> {
  const args = ['--net', process.execPath, import.meta.filename, 'neighbour'];
  const neighbour = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: neighbour.stdout });
  await once(lines, 'line');
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'link', 'add', 'here', 'type', 'veth', 'peer', 'name', 'there');
  run('ip', 'link', 'set', 'there', 'netns', String(neighbour.pid));
  run('ip', 'address', 'add', `${OWN[0]}/24`, 'dev', 'here');
  run('ip', 'address', 'add', `${OWN[1]}/32`, 'dev', 'here');
  run('ip', 'link', 'set', 'here', 'up');
  run('ip', 'route', 'add', 'default', 'via', PRIVATE[0]!);
  neighbour.stdin.write('go\n');
  await once(lines, 'line');
  return neighbour;
}

async function main(resolver: 'loopback' | 'private'): Promise<NetworkResult> {
  // As udev makes it on most machines; some virtual machines leave it to root.
  run('mount', '-t', 'tmpfs', 'colophon-test', '/dev/net');
  run('mknod', '-m', '666', '/dev/net/tun', 'c', '10', '200');
  const folder = mkdtempSync(join(tmpdir(), 'colophon-resolv-'));
  const file = join(folder, 'resolv.conf');
  writeFileSync(file, `nameserver ${resolver === 'loopback' ? '127.0.0.1' : PRIVATE[0]}\n`);
  run('mount', '--bind', file, '/etc/resolv.conf');
  const neighbour = await makeNetwork();
  if (resolver === 'loopback') serveNames('127.0.0.1');
  for (const address of [...OWN, '127.0.0.1']) await serve(address);
  const control: string[] = [];
  for (const target of [...TARGETS, `127.0.0.1:${PORT}`]) if (await reaches(target)) control.push(target);
  const targets = [...TARGETS, ...OF_SANDBOX, `127.0.0.1:${PORT}`];
  const order = { wantsNetwork: true, isTenant: true, targets, names: [NAME] };
  const root = await startAttack({ user: 'root', order });
  const plain = await startAttack({ user: 'plain', order });
  neighbour.stdin!.end();
  rmSync(folder, { recursive: true });
  return { control, root, plain };
}

if (import.meta.main) {
  const kind = process.argv[2]!;
  if (kind === 'neighbour') await beNeighbour();
  else process.stdout.write(JSON.stringify(await main(kind as 'loopback' | 'private')), () => process.exit());
}
