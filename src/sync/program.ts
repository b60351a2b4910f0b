// The sync server as a program, with the settings of the environment. It runs as the one file that one-file.ts makes of
// it: on the machine of the host, and by main.ts here.
import type { AddressInfo } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { createSyncServer } from './server.ts';
import { parseSyncSettings } from './sync-settings.ts';
import { SYNC_VERSION } from './version.ts';

function report(line: string): void {
  process.stderr.write(`sync-server: ${line}\n`);
}

async function main(): Promise<void> {
  const { secret, port, host, root } = parseSyncSettings(process.env);
  const { http, close } = await createSyncServer({ secret, root, log: report });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  const { address, family, port: taken } = http.address() as AddressInfo;
  const place = family === 'IPv6' ? `[${address}]` : address;
  process.stdout.write(`sync-server ${SYNC_VERSION}: http://${place}:${taken} serves "${root}"\n`);
  const end = (): void => void close().then(() => process.exit(0), fail);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
}

function fail(error: Error): void {
  report(error.message);
  process.exit(1);
}

if (isMainThread) main().catch(fail);
