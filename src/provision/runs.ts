// The provisionings of this process: each runs on by itself, followed or not. The token lives here and nowhere else.
import { randomBytes } from 'node:crypto';
import type { InfoLogger } from '../data/info-logger.ts';
import type { FlyApi } from '../deploy/fly/fly-api.ts';
import { HostError } from '../deploy/providers/host-error.ts';
import type { GivenKeys, ProvisionStep } from './input.ts';
import { urlOf } from './machine.ts';
import { isOver, NOTHING_MADE, type Provision, type ProvisionEvent, progressOf } from './provision.ts';
import { INTERRUPTED, type ProvisionRecords } from './records.ts';
import { runSteps } from './steps.ts';

export interface ProvisionRunsParts {
  records: ProvisionRecords;
  connect(token: string, signal: AbortSignal): FlyApi;
  logger: InfoLogger;
}

export interface ProvisionRuns {
  begin(provision: Provision, given: GivenSecrets): void;
  has(id: string): boolean;
  /** Whether its token is still in memory. */
  hasToken(id: string): boolean;
  /** Undefined if this process did not run it. Past events first; ends with the run or the signal. */
  follow(id: string): ((signal: AbortSignal) => AsyncGenerator<ProvisionEvent>) | undefined;
  /** Ends it if it runs. Returns its token, if that is still kept. */
  stop(id: string): Promise<string>;
  forget(id: string): void;
  /** Ends all: they are interrupted. */
  close(): Promise<void>;
}

export interface GivenSecrets {
  token: string;
  /** Keys of AI services that the new service gets, by variable: those that the caller sent, and no others. */
  aiKeys: GivenKeys;
  /** Why who began it may no longer do so; undefined while they may. */
  whyEnded(): string | undefined;
}

interface ProvisionRun {
  token: string;
  /** Secrets of AI services, which no message repeats. */
  keys: readonly string[];
  events: ProvisionEvent[];
  step: ProvisionStep | null;
  stop: AbortController;
  /** Called after each event. */
  listeners: Set<() => void>;
  ended: Promise<void>;
}

/** How often it is looked at if the credentials that began it are still valid. */
const LOOK_AGAIN_MS = 500;
/** How long after its end one may be undone without the token being sent again. */
const KEEP_TOKEN_MS = 60 * 60_000;

export function createProvisionRuns({ records, connect, logger }: ProvisionRunsParts): ProvisionRuns {
  const runs = new Map<string, ProvisionRun>();
  let isClosed = false;

  async function execute(provision: Provision, run: ProvisionRun, aiKeys: GivenKeys): Promise<void> {
    const { id } = provision;
    const setupToken = randomBytes(24).toString('base64url');
    await runSteps({
      ...{ provision, setupToken, aiKeys },
      api: connect(run.token, run.stop.signal),
      made: () => records.find(id)?.made ?? NOTHING_MADE,
      note: (change) => records.update(id, (one) => ({ ...one, made: change(one.made) })),
      async report(step, status, message) {
        run.step = step;
        run.stop.signal.throwIfAborted();
        if (status === 'done') await records.update(id, (one) => ({ ...one, done: [...one.done, step] }));
        emit(run, { event: 'step', data: { step, status, message, progress: progressOf(step, status) } });
      },
    });
    await records.update(id, (one) => ({ ...one, status: 'done', error: null }));
    const url = urlOf(provision);
    const query = new URLSearchParams({ token: setupToken, email: provision.adminEmail });
    emit(run, { event: 'done', data: { url, setupUrl: `${url}/admin/setup?${query}` } });
  }

  async function fail({ id }: Provision, run: ProvisionRun, error: unknown): Promise<void> {
    const { status, code, message } = run.stop.signal.aborted
      ? isClosed
        ? ({ status: 'interrupted', code: 'interrupted', message: INTERRUPTED } as const)
        : ({ status: 'stopped', code: 'stopped', message: toStopText(run.stop.signal.reason) } as const)
      : ({ status: 'failed', ...describe(error, [run.token, ...run.keys]) } as const);
    if (code === 'internal') logger.info({ err: error, provision: id }, 'a provisioning failed');
    await records.update(id, (one) => ({ ...one, status, error: message }));
    if (run.step && status === 'failed') {
      const progress = progressOf(run.step, 'failed');
      emit(run, { event: 'step', data: { step: run.step, status: 'failed', message, progress } });
    }
    emit(run, { event: 'error', data: { step: run.step, code, message } });
  }

  return {
    begin(provision, { token, aiKeys, whyEnded }) {
      const stop = new AbortController();
      const keys = Object.values(aiKeys);
      const run: ProvisionRun = {
        token,
        keys,
        events: [],
        step: null,
        stop,
        listeners: new Set(),
        ended: Promise.resolve(),
      };
      runs.set(provision.id, run);
      const forget = (): void => void Object.assign(run, { token: '', keys: [] });
      const watch = setInterval(() => {
        const reason = whyEnded();
        if (reason !== undefined) stop.abort(new CredentialsEnded(reason));
      }, LOOK_AGAIN_MS).unref();
      run.ended = execute(provision, run, aiKeys)
        .catch((error: unknown) => fail(provision, run, error))
        .catch((error: unknown) => {
          // The disk failed: those who follow still learn that it ended.
          logger.info({ err: error, provision: provision.id }, 'the record of a provisioning could not be written');
          const message = 'its record cannot be written: look at the log of the service';
          emit(run, { event: 'error', data: { step: run.step, code: 'internal', message } });
        })
        .then(() => {
          clearInterval(watch);
          if (stop.signal.reason instanceof CredentialsEnded) forget();
          else setTimeout(forget, KEEP_TOKEN_MS).unref();
        });
    },
    has: (id) => runs.has(id),
    hasToken: (id) => (runs.get(id)?.token ?? '') !== '',
    follow(id) {
      const run = runs.get(id);
      return run && ((signal) => followRun(run, signal));
    },
    async stop(id) {
      const run = runs.get(id);
      run?.stop.abort();
      await run?.ended;
      return run?.token ?? '';
    },
    forget: (id) => void runs.delete(id),
    async close() {
      isClosed = true;
      for (const { stop } of runs.values()) stop.abort();
      await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
}

/** The reason of a stop with the credentials that began it. */
class CredentialsEnded extends Error {}

function toStopText(reason: unknown): string {
  if (!(reason instanceof CredentialsEnded)) return 'it was stopped';
  return `it was stopped with the credentials that began it: ${reason.message}`;
}

function emit(run: ProvisionRun, event: ProvisionEvent): void {
  run.events.push(event);
  for (const listener of [...run.listeners]) listener();
}

async function* followRun(run: ProvisionRun, signal: AbortSignal): AsyncGenerator<ProvisionEvent> {
  let wake: () => void = () => undefined;
  const listener = (): void => wake();
  run.listeners.add(listener);
  signal.addEventListener('abort', listener);
  try {
    for (let at = 0; !signal.aborted; ) {
      const event = run.events[at];
      if (event === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      at++;
      yield event;
      if (isOver(event)) return;
    }
  } finally {
    run.listeners.delete(listener);
    signal.removeEventListener('abort', listener);
  }
}

function describe(error: unknown, secrets: readonly string[]): { code: string; message: string } {
  if (error instanceof HostError) {
    const known = secrets.filter((secret) => secret !== '');
    return {
      code: error.reason,
      message: known.reduce((text, secret) => text.replaceAll(secret, '***'), error.message),
    };
  }
  return { code: 'internal', message: 'the service failed; its log says why' };
}
