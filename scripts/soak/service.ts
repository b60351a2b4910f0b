// The service under the soak test, through all its lives: clients wait until it serves, and every time at which it did
// not is recorded.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInOrder } from '../../src/lib/queues/in-order.ts';
import type { Exit, LogLine, Place, Service, Starting } from '../../test/support/process.ts';
import type { Random } from '../../test/support/random.ts';

export interface Outage {
  fromMs: number;
  toMs: number;
}

export interface Lives {
  readonly kills: number;
  readonly stops: number;
  /** Resolves with the base address once it serves. */
  serving(): Promise<string>;
  readonly isServing: boolean;
  /** The address in the present life, or in the last one. */
  readonly url: string;
  /** Since when it has been serving unhindered; infinite while it is not. */
  readonly clearSinceMs: number;
  /** The id of the present process, or of the last one. */
  readonly pid: number;
  /**
   * Runs something that hinders it: meanwhile git need not keep up. `isOutage`: writes may be refused meanwhile, too.
   */
  hinder<T>(run: () => Promise<T>, options?: { isOutage?: boolean }): Promise<T>;
  /** Runs without kills. */
  steadily<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Runs while another process may make this one end with 75; the argument returns whether it did. If so, a process is
   * started afterwards.
   */
  contest(run: (hasLeft: () => boolean) => Promise<void>): Promise<void>;
  /** The variables that each process is started with. */
  readonly variables: Record<string, string>;
  /** Records a time at which writes may be refused whatever the service does. */
  noteOutage(outage: Outage): void;
  /** Returns the outages since the last call. */
  drainOutages(): Outage[];
  /** Kills it, sometimes also in the starts that follow, and starts it again. */
  kill(random: Random): Promise<void>;
  /** Ends it as an operator does, and starts it again. */
  restart(): Promise<void>;
  /** What it logged as a warning or worse since the last call, except requests. */
  drainWarnings(): LogLine[];
  /** Throws if it ended by itself. */
  check(): void;
}

/** The token for the heartbeat and similar requests. */
export const SERVICE_SECRET = 'the-secret-of-the-soak-long-enough-to-be-one';

/** All clients have one address. */
const ENV = { LOG_LEVEL: 'warn', CMS_RATE_LIMIT: '0', CMS_SERVICE_SECRET: SERVICE_SECRET };
/** A start opens its log around then. */
const START_MS = 700;
const MOST_KILLS_IN_A_START = 3;
/** Another process has the data folder. */
export const EX_TEMPFAIL = 75;

/**
 * `env`: the variables that the faults need. One function, because whether it serves, is hindered, contested or fallen
 * is one state, which every way to end and to start it changes.
 */
export async function bringUp(place: Place, env: Record<string, string> = {}): Promise<Lives> {
  const variables = { ...ENV, ...env };
  let kills = 0;
  let stops = 0;
  let outages: Outage[] = [];
  let downSinceMs = performance.now();
  let upSinceMs = 0;
  let hindrances = 0;
  /** Kills, and work that a kill must not disturb, run in turn. */
  const inTurn = createInOrder();
  let hinderedUntilMs = 0;
  let isServing = false;
  let isContested = false;
  let fallen: string | undefined;
  let service!: Service;
  let warned: Service[] = [];
  let up = Promise.withResolvers<string>();

  async function start(): Promise<void> {
    const starting = place.spawn(variables);
    service = await starting.ready;
    warned.push(service);
    const started = service;
    void started.exited.then(({ code, signal }) => {
      if (isContested && code === EX_TEMPFAIL && service === started) goDown();
      else if (isServing && service === started) fallen = `ended by itself: ${signal ?? code}\n${starting.stderr}`;
    });
    upSinceMs = performance.now();
    outages.push({ fromMs: downSinceMs, toMs: upSinceMs });
    isServing = true;
    up.resolve(service.url);
  }

  /** From here on clients wait. */
  function goDown(): void {
    isServing = false;
    downSinceMs = performance.now();
    up = Promise.withResolvers();
  }

  async function killStart(starting: Starting, afterMs: number): Promise<void> {
    await Promise.race([starting.ready.catch(() => undefined), pause(afterMs)]);
    await starting.kill();
    kills++;
  }

  await start();
  return {
    variables,
    steadily: (run) => inTurn(run),
    contest: (run) =>
      inTurn(async () => {
        isContested = true;
        await run(() => !isServing);
        if (!isServing) await start();
        isContested = false;
      }),
    get kills() {
      return kills;
    },
    get stops() {
      return stops;
    },
    get isServing() {
      return isServing;
    },
    get url() {
      return service.url;
    },
    get pid() {
      return service.pid;
    },
    get clearSinceMs() {
      return isServing && hindrances === 0 ? Math.max(upSinceMs, hinderedUntilMs) : Number.POSITIVE_INFINITY;
    },
    async hinder(run, { isOutage = false } = {}) {
      const fromMs = performance.now();
      hindrances++;
      try {
        return await run();
      } finally {
        hindrances--;
        hinderedUntilMs = performance.now();
        if (isOutage) outages.push({ fromMs, toMs: hinderedUntilMs });
      }
    },
    serving: () => up.promise,
    noteOutage: (outage) => void outages.push(outage),
    drainOutages() {
      const drained = outages;
      outages = [];
      return drained;
    },
    kill: (random) =>
      inTurn(async () => {
        goDown();
        await service.kill();
        kills++;
        const again = random.next() < 0.35 ? random.whole(1, MOST_KILLS_IN_A_START) : 0;
        for (let n = 0; n < again; n++) await killStart(place.spawn(variables), random.whole(50, START_MS));
        // Views may be deleted at any time.
        if (random.next() < 0.1) {
          rmSync(join(place.dataDir, 'sites', 'default', 'index'), { recursive: true, force: true });
        }
        await start();
      }),
    restart: () =>
      inTurn(async () => {
        goDown();
        const exit: Exit = await service.stop();
        if (exit.code !== 0) fallen = `was asked to end and ended with ${exit.signal ?? exit.code}`;
        stops++;
        await start();
      }),
    drainWarnings() {
      const lines = warned.flatMap((life) => life.log());
      warned = [service];
      return lines.filter(({ level, msg }) => level >= 40 && msg !== 'request');
    },
    check() {
      if (fallen) throw new Error(`the service ${fallen}`);
    },
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
