// What is known of provisionings after a crash: `provisions.json` of the data folder. It has no token and no secret.
import path from 'node:path';
import { z } from 'zod';
import type { InfoLogger } from '../data/info-logger.ts';
import { openPrivateFile, type PrivateFile } from '../data/private-file.ts';
import { hasMade } from './clean-up.ts';
import { PROVISION_STEPS } from './input.ts';
import { urlOf } from './machine.ts';
import { Provision, type ProvisionEvent, progressOf } from './provision.ts';

export const INTERRUPTED =
  'the service was stopped meanwhile: send the same request again, with the token, and it goes on where it was';

const Records = z.object({ version: z.literal(1), provisions: z.array(Provision) });
type Records = z.output<typeof Records>;

/** Those that left nothing behind are forgotten first. */
const MOST_KEPT = 50;

export interface ProvisionRecords {
  list(): readonly Provision[];
  find(id: string): Provision | undefined;
  /** Adds or replaces the one that `decide` returns, in one step. Durable once it resolves. */
  put(decide: (provisions: readonly Provision[]) => Provision): Promise<Provision>;
  update(id: string, change: (provision: Provision) => Provision): Promise<void>;
  remove(id: string): Promise<void>;
}

export function openProvisionRecords(options: {
  dataDir: string;
  logger: InfoLogger;
  lost?: () => string | undefined;
}): ProvisionRecords {
  const { dataDir, logger, lost } = options;
  const empty: Records = { version: 1, provisions: [] };
  const file: PrivateFile<Records> = openPrivateFile({
    path: path.join(dataDir, 'provisions.json'),
    schema: Records,
    empty,
    logger,
    lost,
  });
  const list = (): readonly Provision[] => file.read().provisions;
  const change = (edit: (provisions: readonly Provision[]) => Provision[]): Promise<void> =>
    file.update((records) => [{ ...records, provisions: edit(records.provisions) }, undefined]);
  return {
    list,
    find: (id) => list().find((one) => one.id === id),
    put: (decide) =>
      file.update((records) => {
        const next = decide(records.provisions);
        const others = records.provisions.filter(({ id }) => id !== next.id);
        return [{ ...records, provisions: bounded([...others, next]) }, next];
      }),
    update: (id, edit) => change((provisions) => provisions.map((one) => (one.id === id ? edit(one) : one))),
    remove: (id) => change((provisions) => provisions.filter((one) => one.id !== id)),
  };
}

function bounded(provisions: Provision[]): Provision[] {
  const surplus = provisions.length - MOST_KEPT;
  if (surplus <= 0) return provisions;
  const gone = provisions.filter(({ status, made }) => status !== 'running' && !hasMade(made)).slice(0, surplus);
  return provisions.filter((one) => !gone.includes(one));
}

/** What is told of one that no run of this process knows. The set-up link is told once: its token is not kept. */
export function toPastEvents(provision: Provision): ProvisionEvent[] {
  const { done, status, error } = provision;
  const steps = done.map((step): ProvisionEvent => {
    const progress = progressOf(step, 'done');
    return { event: 'step', data: { step, status: 'done', message: 'done before', progress } };
  });
  if (status === 'done') return [...steps, { event: 'done', data: { url: urlOf(provision), setupUrl: null } }];
  const step = PROVISION_STEPS.find((one) => !done.includes(one)) ?? null;
  const code = status === 'running' ? 'interrupted' : status;
  return [...steps, { event: 'error', data: { step, code, message: error ?? INTERRUPTED } }];
}
