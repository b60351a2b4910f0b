// Runs the hostile build in a process of its own, so that its environment has secrets as a service's has, as root or as
// another user, and prints what the build reached.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openBuilds } from '../../../src/build/service.ts';
import { makeBuildWorld, readJson } from '../command/world.ts';
import { HOSTILE_COMMAND, type HostileOrder, type HostileReport } from './hostile.ts';

export interface AttackOrder {
  searchPath: string;
  isUnconfined?: boolean;
  wantsNetwork?: boolean;
  /** True if others than admins of all sites have a word in the site. */
  isTenant?: boolean;
  targets?: string[];
  names?: string[];
}

export interface AttackResult {
  /** Undefined if the build was refused or failed. */
  report?: HostileReport;
  /** Why it failed. */
  refusal?: { code: string | undefined; message: string };
  dataDir: string;
  /** The server that listened on loopback. */
  loopback: string;
  /** How many connections that server had. */
  connections: number;
  log: string;
  warnings: string[];
  /** Ids of processes that the build left. */
  left: number[];
  /** True if the folder of the build is gone. */
  isClean: boolean;
}

export async function attack(order: AttackOrder): Promise<AttackResult> {
  const marker = `98765.${process.pid}`;
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined).end('here\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const loopback = `127.0.0.1:${(server.address() as { port: number }).port}`;
  await using it = await makeBuildWorld(
    { command: HOSTILE_COMMAND },
    {
      parts: {
        variables: { PATH: order.searchPath },
        findOutsider: () => (order.isTenant ? 'a tenant may change it' : undefined),
      },
      sandbox: { isUnconfined: order.isUnconfined === true, wantsNetwork: order.wantsNetwork === true },
    },
  );
  const orders: HostileOrder = {
    ...{ dataDir: it.world.dataDir, marker, names: order.names ?? [] },
    targets: [loopback, ...(order.targets ?? [])],
  };
  const { config } = it.parts;
  const build = { ...config.build!, env: { ORDER: JSON.stringify(orders) } };
  const builds = await openBuilds({ ...it.parts, config: { ...config, build } });
  let log = '';
  await it.publish('hello');
  const result: AttackResult = {
    ...{ dataDir: it.world.dataDir, loopback, connections: 0, log: '', warnings: [], left: [], isClean: false },
  };
  try {
    const { signal } = new AbortController();
    const site = await builds.build({ isPreview: false, signal, log: (text) => void (log += text) });
    result.report = readJson(join(site.folder, 'report.json')) as unknown as HostileReport;
    const kept = readdirSync(join(it.folder, 'default'));
    result.isClean = kept.length === 1 && kept[0]!.endsWith('.site');
  } catch (error) {
    result.refusal = { code: (error as { code?: string }).code, message: (error as Error).message };
  }
  server.close();
  await builds.close();
  return { ...result, connections, log, warnings: it.parts.sandbox.warnings(), left: findProcesses(marker) };
}

/** Ids of this machine's processes that sleep for so long. */
export function findProcesses(seconds: string): number[] {
  return readdirSync('/proc').flatMap((id) => {
    if (!/^[0-9]+$/.test(id)) return [];
    try {
      const line = readFileSync(`/proc/${id}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return line.startsWith(`sleep ${seconds}`) ? [Number(id)] : [];
    } catch {
      // It has ended since.
      return [];
    }
  });
}

if (import.meta.main) process.stdout.write(JSON.stringify(await attack(JSON.parse(process.argv[2]!))));
