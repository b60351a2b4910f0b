// How many bytes of a connection the peer has not acknowledged. The kernel takes megabytes at once into its buffer and
// then none for a minute, so what it takes says little about a slow peer.
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { isCode } from '../../lib/error-code.ts';

/** Returns undefined if the system does not say. */
export type FindUnacknowledged = (socket: Socket) => number | undefined;

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** Local address and port, remote ones, the state (01 is an open connection), and the queue of what is sent. */
const LINE = /: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) 01 ([0-9A-F]{8}):/g;

/** Reads the kernel's table once, for many connections. */
export async function readUnacknowledged(): Promise<FindUnacknowledged> {
  const queues = new Map<string, number | undefined>();
  for (const table of TABLES) {
    for (const [, local = '', remote = '', queue = ''] of (await readIfThere(table)).matchAll(LINE)) {
      const key = `${local} ${remote}`;
      // Two peers with the same port: nobody knows which is which.
      queues.set(key, queues.has(key) ? undefined : Number.parseInt(queue, 16));
    }
  }
  return ({ localPort = 0, remotePort = 0 }) => queues.get(`${toHex(localPort)} ${toHex(remotePort)}`);
}

function toHex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'latin1');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'EACCES', 'EPERM')) return '';
    throw error;
  }
}
