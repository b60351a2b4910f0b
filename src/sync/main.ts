// Starts the sync server with the settings of the environment: `npm run sync-server`, and on the machine of the host as
// one file (one-file.ts).
import type { AddressInfo } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { createSyncServer } from './server.ts';
import { MIN_SECRET_LENGTH } from './signature.ts';
import { SYNC_VERSION } from './version.ts';

const DEFAULT_PORT = 8080;
const DEFAULT_ROOT = '/srv';

function report(line: string): void {
  process.stderr.write(`sync-server: ${line}\n`);
}

async function main({ SYNC_SECRET = '', PORT, HOST, SITE_DATA_ROOT }: NodeJS.ProcessEnv): Promise<void> {
  if (SYNC_SECRET.length < MIN_SECRET_LENGTH) {
    throw new Error(`SYNC_SECRET must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  const port = Number(PORT || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT "${PORT}" is not a port`);
  const root = SITE_DATA_ROOT || DEFAULT_ROOT;
  const { http, close } = await createSyncServer({ secret: SYNC_SECRET, root, log: report });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen({ port, ...(HOST ? { host: HOST } : {}) }, resolve);
  });
  const { address, family, port: taken } = http.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  process.stdout.write(`sync-server ${SYNC_VERSION}: http://${host}:${taken} serves "${root}"\n`);
  const end = (): void => {
    close().then(
      () => process.exit(0),
      (error: Error) => fail(error),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
}

function fail(error: Error): void {
  report(error.message);
  process.exit(1);
}

if (isMainThread) main(process.env).catch(fail);
