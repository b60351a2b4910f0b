// The client of the sync server (`src/sync/`): finds what changed, sends it and makes it live. Knows nothing of the
// machine that the server runs on.
import { z } from 'zod';
import { createSlots } from '../../lib/queues/slots.ts';
import { HostError } from './host-error.ts';
import type { PublishedFile } from './provider.ts';
import { type SyncDiff, toSyncDiff } from './sync-diff.ts';
import { createSyncRequests, type SyncClientParts } from './sync-request.ts';

export interface SyncHealth {
  /** Compare with `SYNC_VERSION` of `src/sync/version.ts`: a machine with a lower one is updated first. */
  version: number;
}

/** What the live site lacks, and has too much. */
export interface SyncPlan extends SyncDiff {
  /** The live deploy that the files were compared with; null before the first deploy. */
  base: string | null;
}

export interface SyncClient {
  /**
   * Undefined if no sync server answers there (yet): no connection, no answer in 5 s, or one that is not a sync
   * server's. Not signed, never retried.
   */
  findHealth(): Promise<SyncHealth | undefined>;
  /** Asks every second until a server of at least this version answers. @throws HostError `timeout` */
  waitForHealth(options: { version: number; timeoutMs: number }): Promise<SyncHealth>;
  /** Fetches the live site's manifest and compares. Nothing to do if the first three lists are empty. @throws HostError */
  plan(files: readonly PublishedFile[]): Promise<SyncPlan>;
  /**
   * Begins a deploy, or goes on with the one that `context.resume` remembers, and sends what it lacks: removals first,
   * then files, streamed from the disk, eight at once. What is live stays live. Calls `progress`. @throws HostError
   */
  send(plan: SyncPlan): Promise<void>;
  /**
   * Makes what was sent live. Returns its id: the `hostId` for a rollback. Repeating it is harmless. @throws HostError
   */
  commit(): Promise<string>;
  /** To the deploy before the live one if no id is given. Returns the id of what is live now. @throws HostError */
  rollback(deployId?: string): Promise<string>;
  /** Removes what `send` left half done. Best effort: throws nothing. */
  abandon(): Promise<void>;
}

const Health = z.object({ ok: z.literal(true), version: z.number() });
const Manifest = z.object({ deployId: z.string().nullable(), files: z.record(z.string(), z.string()) });
const Begun = z.object({ deployId: z.string(), base: z.string().nullable() });
const Committed = z.object({ deployId: z.string() });
const HalfSent = z.object({ syncDeploy: z.string() });

const AT_ONCE = 8;
/** A machine that restarts forgets what was staged; more than that is another fault. */
const MAX_BEGINS = 3;
const HEALTH_TIMEOUT_MS = 5000;
const HEALTH_PAUSE_MS = 1000;
const ABANDON_TIMEOUT_MS = 10_000;

export function createSyncClient(parts: SyncClientParts): SyncClient {
  const { url, context } = parts;
  const call = createSyncRequests(parts);

  async function fetchManifest(path: string): Promise<{ deployId: string | null; files: Map<string, string> }> {
    const { deployId, files } = parseAnswer(Manifest, await call({ method: 'GET', path }), url);
    return { deployId, files: new Map(Object.entries(files)) };
  }

  async function findHalfSent(): Promise<string | undefined> {
    return HalfSent.safeParse(await context.resume.get()).data?.syncDeploy;
  }

  /** A staged deploy, and what it lacks. */
  async function stage(plan: SyncPlan): Promise<{ id: string; diff: SyncDiff }> {
    const files = [...plan.added, ...plan.changed, ...plan.unchanged];
    const compare = async (id: string) => ({
      id,
      diff: toSyncDiff(files, (await fetchManifest(`deploys/${id}/manifest`)).files),
    });
    const halfSent = await findHalfSent();
    if (halfSent !== undefined) {
      const found = await compare(halfSent).catch((error: unknown) => {
        // Removed after a day, or live or replaced already: an interrupted commit may have arrived.
        if (isReason(error, 'not_found', 'conflict')) return undefined;
        throw error;
      });
      if (found) return found;
    }
    const answer = await call({ method: 'POST', path: 'deploys', isLong: true });
    const { deployId: id, base } = parseAnswer(Begun, answer, url);
    await context.resume.set({ syncDeploy: id });
    // Another deploy may have become live since the plan was made.
    return base === plan.base ? { id, diff: plan } : compare(id);
  }

  async function sendAll(id: string, { added, changed, removed }: SyncDiff): Promise<void> {
    const place = (path: string): string => `deploys/${id}/files?path=${encodeURIComponent(path)}`;
    // A file may take the place of a folder whose files go, and the other way round.
    await atOnce(removed, (path) => call({ method: 'DELETE', path: place(path) }));
    let sent = 0;
    await atOnce([...added, ...changed], async ({ path, file, sha256, sizeBytes }) => {
      await call({ method: 'PUT', path: place(path), body: { file, sha256, sizeBytes } });
      context.progress(++sent);
    });
  }

  async function findHealth(): Promise<SyncHealth | undefined> {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(HEALTH_TIMEOUT_MS)]);
    try {
      const response = await context.fetch(`${url.replace(/\/$/, '')}/_icd/health`, { signal, redirect: 'manual' });
      const { version } = Health.parse(await response.json());
      return { version };
    } catch {
      // Whatever went wrong, there is no sync server that is ready.
      context.signal.throwIfAborted();
      return undefined;
    }
  }

  return {
    findHealth,
    async waitForHealth({ version, timeoutMs }) {
      const until = context.now().getTime() + timeoutMs;
      for (;;) {
        const found = await findHealth();
        if (found && found.version >= version) return found;
        if (context.now().getTime() >= until) {
          const state = found ? `has version ${found.version}, not ${version}` : 'does not answer';
          throw new HostError('timeout', `the sync server at ${url} ${state} after ${timeoutMs / 1000} s`);
        }
        await context.delay(HEALTH_PAUSE_MS, context.signal);
      }
    },
    async plan(files) {
      const { deployId, files: manifest } = await fetchManifest('manifest');
      return { base: deployId, ...toSyncDiff(files, manifest) };
    },
    async send(plan) {
      for (let begins = 1; ; begins++) {
        const { id, diff } = await stage(plan);
        try {
          await sendAll(id, diff);
          return;
        } catch (error) {
          if (!isReason(error, 'not_found', 'conflict') || begins === MAX_BEGINS) throw error;
          context.log(`deploy ${id} cannot be continued; a new one begins: ${(error as Error).message}`);
          await context.resume.set(null);
        }
      }
    },
    async commit() {
      const id = await findHalfSent();
      if (id === undefined) throw new Error('commit comes after send');
      const answer = await call({ method: 'POST', path: `deploys/${id}/commit`, isLong: true });
      return parseAnswer(Committed, answer, url).deployId;
    },
    async rollback(deployId) {
      const body = deployId === undefined ? '' : JSON.stringify({ deployId });
      // Without an id each one goes a step further back.
      const isRepeatable = deployId !== undefined;
      const answer = await call({ method: 'POST', path: 'rollback', body, isRepeatable, isLong: true });
      return parseAnswer(Committed, answer, url).deployId;
    },
    async abandon() {
      try {
        const id = await findHalfSent();
        if (id === undefined) return;
        await context.resume.set(null);
        // After a cancel the deploy's own signal has fired.
        const signal = AbortSignal.timeout(ABANDON_TIMEOUT_MS);
        const callAnyway = createSyncRequests({ ...parts, context: { ...context, signal } });
        await callAnyway({ method: 'DELETE', path: `deploys/${id}` });
      } catch (error) {
        context.log(`a half-sent deploy stays on the sync server for a day: ${(error as Error).message}`);
      }
    },
  };
}

/** The first error ends it; what is under way then is waited for. */
async function atOnce<I>(items: readonly I[], work: (item: I) => Promise<unknown>): Promise<void> {
  const slots = createSlots({ atOnce: AT_ONCE });
  let hasFailed = false;
  const outcomes = await Promise.allSettled(
    items.map((item) =>
      slots.run(async () => {
        if (hasFailed) return;
        try {
          await work(item);
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      }),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

function isReason(error: unknown, ...reasons: readonly HostError['reason'][]): boolean {
  return error instanceof HostError && reasons.includes(error.reason);
}

/** @throws HostError */
function parseAnswer<S extends z.ZodType>(schema: S, answer: unknown, url: string): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new HostError('host_failed', `what answers at ${url} is not a sync server`);
}
