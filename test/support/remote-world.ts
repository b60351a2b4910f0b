// A store with a remote: a git host, and a clock that stands still between the remote's timers.
import fs from 'node:fs';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/store/disk/disk.ts';
import type { Oid } from '../../src/store/git/objects.ts';
import { createRemoteEnd, type RemoteEnd, type RemoteEndOptions } from '../../src/store/remote/end.ts';
import { createRemote, type Remote, type RemoteParts } from '../../src/store/remote/remote.ts';
import type { Store, StoreOptions } from '../../src/store/store.ts';
import { type GitServer, type GitServerOptions, startGitServer } from './git-server.ts';
import { eventually } from './process.ts';
import { commitBeside, makeStoreWorld, type StoreWorld, write } from './store-world.ts';

export interface RemoteWorld extends AsyncDisposable {
  host: GitServer;
  local: StoreWorld;
  store: Store;
  remote: Remote;
  /** The clock, which stands still. */
  clock: { nowMs: number };
  /** The work that waits to run, and when it runs. */
  timers: { atMs: number; run: () => void }[];
  /** Moves the clock from timer to timer. */
  advance(ms: number): Promise<void>;
  warnings: string[];
  end: RemoteEnd;
  /** Opens the store and the remote again, as a start does. */
  reopen(parts?: Partial<RemoteParts>): void;
  /** An external commit at the host, on top of its branch unless its parents are named; `null` removes a file. */
  pushes(files: Record<string, string | null>, parents?: Oid[]): Oid;
  head(): Promise<Oid>;
  show(file: string): Promise<string>;
}

export interface RemoteWorldOptions {
  host?: GitServerOptions;
  store?: Partial<StoreOptions>;
  parts?: Partial<RemoteParts>;
  end?: Partial<RemoteEndOptions>;
}

export async function makeRemoteWorld(options: RemoteWorldOptions = {}): Promise<RemoteWorld> {
  const host = await startGitServer(options.host);
  const local = makeStoreWorld();
  const clock = { nowMs: Date.UTC(2026, 0, 2, 3, 4, 5) };
  const timers: RemoteWorld['timers'] = [];
  const warnings: string[] = [];

  function open(parts: Partial<RemoteParts> = {}): void {
    world.store = local.open({ onCommit: () => world.remote?.noteChange(), ...options.store });
    world.end = createRemoteEnd({ repository: local.repository, url: host.url, branch: 'main', ...options.end });
    timers.length = 0;
    world.remote = createRemote({
      url: host.url,
      branch: 'main',
      push: true,
      end: world.end,
      disk: nodeDisk,
      work: world.store.work,
      repository: local.repository,
      log: world.store.log,
      now: () => new Date(clock.nowMs),
      warn: (message) => void warnings.push(message),
      after(ms, run) {
        const timer = { atMs: clock.nowMs + ms, run };
        timers.push(timer);
        return () => {
          const at = timers.indexOf(timer);
          if (at >= 0) timers.splice(at, 1);
        };
      },
      ...options.parts,
      ...parts,
    });
  }

  const world: RemoteWorld = Object.assign({} as Pick<RemoteWorld, 'store' | 'remote' | 'end'>, {
    host,
    local,
    clock,
    timers,
    warnings,
    reopen: open,
    async advance(ms: number) {
      const untilMs = clock.nowMs + ms;
      for (;;) {
        const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0];
        if (!next || next.atMs > untilMs) break;
        timers.splice(timers.indexOf(next), 1);
        clock.nowMs = Math.max(clock.nowMs, next.atMs);
        next.run();
        await world.remote.idle();
      }
      clock.nowMs = untilMs;
    },
    pushes: (files: Record<string, string | null>, parents?: Oid[]) =>
      commitBeside(host.repository, files, parents ? { parents } : {}),
    head: async () => (await host.git('rev-parse', 'main')).trim(),
    show: (file: string) => host.git('show', `main:${file}`),
    async [Symbol.asyncDispose]() {
      await world.remote.close();
      await local[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  });
  open();
  return world;
}

/** Our branch and the host's have one commit in common, with two files. */
export async function makeShared(options: RemoteWorldOptions = {}): Promise<RemoteWorld> {
  const world = await makeRemoteWorld(options);
  await write(world.store, { 'content/posts/a.json': 'a1', 'content/posts/b.json': 'b1' });
  await world.remote.sync();
  return world;
}

export async function failureOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('it did not fail');
}

/** The error of a sync that fails. */
export async function refusalOf(world: RemoteWorld): Promise<string> {
  try {
    await world.remote.sync();
  } catch (error) {
    assert.is((error as { code: string }).code, 'upstream_failed', (error as Error).message);
    return (error as Error).message;
  }
  throw new Error('the sync did not fail');
}

/** Nothing of the failure stays: the next sync pushes everything. */
export async function assertWellAgain(world: RemoteWorld): Promise<void> {
  world.host.mood = () => 'pass';
  await write(world.store, { 'content/posts/b.json': 'b' });
  await world.remote.sync();
  assert.is(await world.head(), world.store.log.status().head);
  assert.is(world.remote.status().lastError, null);
  // The store guards its own packs for moments, too.
  await eventually(() => {
    const { repository } = world.local;
    const names = [...fs.readdirSync(repository), ...fs.readdirSync(path.join(repository, 'objects', 'pack'))];
    assert.equal(
      names.filter((name) => /^colophon_new_(push|.*_remote)$|\.keep$/.test(name)),
      [],
    );
  }, 5000);
}
