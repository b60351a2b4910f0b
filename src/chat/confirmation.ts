// A call of a tool that waits for the person, as the conversation keeps it. Pure.
import { z } from 'zod';
import { anyObject } from '../lib/any-object.ts';
import { conflict, type ServiceError } from '../lib/errors.ts';
import type { HeldCall } from '../tools/held-call.ts';

const STATES = ['waiting', 'running', 'done', 'failed', 'refused', 'expired'] as const;

export const Confirmation = z
  .object({
    id: z.string(),
    tool: z.string(),
    effect: z.string().meta({ description: 'such as `delete` or `publish`' }),
    document: z
      .object({ collection: z.string(), slug: z.string().nullable(), title: z.string() })
      .nullable()
      .meta({ description: 'null for a deploy and an upload' }),
    input: anyObject()
      .nullable()
      .meta({ description: 'what the tool is called with, while it waits; without the bytes of a file' }),
    state: z.enum(STATES),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
    problem: z.object({ code: z.string(), error: z.string() }).nullable().meta({ description: 'why it failed' }),
  })
  .meta({ id: 'ChatConfirmation' });
export type Confirmation = z.output<typeof Confirmation>;

/** With what carrying it out needs. */
export const StoredConfirmation = Confirmation.extend({ version: z.string().nullable() });
export type StoredConfirmation = z.output<typeof StoredConfirmation>;

/** Long enough to look at the document, and too short to be found weeks later and confirmed for another one. */
export const WAITS_MS = 60 * 60_000;
/** A model in a loop must not bury the question that matters. */
export const MAX_WAITING = 20;
const MAX_KEPT = 100;
const MAX_LISTED = 20;

export function toConfirmation({ effect, ...held }: HeldCall, id: string, now: Date): StoredConfirmation {
  return {
    ...{ id, ...held, effect, state: 'waiting' },
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + WAITS_MS).toISOString(),
    ...{ decidedAt: null, problem: null },
  };
}

export function isWaiting({ state, expiresAt }: StoredConfirmation, now: Date): boolean {
  return state === 'waiting' && Date.parse(expiresAt) > now.getTime();
}

export function toShown({ version: _, ...stored }: StoredConfirmation, now: Date): Confirmation {
  const state = stored.state === 'waiting' && Date.parse(stored.expiresAt) <= now.getTime() ? 'expired' : stored.state;
  const { base64, ...rest } = stored.input ?? {};
  const input = state !== 'waiting' ? null : base64 === undefined ? stored.input : { ...rest, base64: '…' };
  return { ...stored, state, input };
}

/** @throws ServiceError 409 if it cannot be answered any more */
export function checkWaiting(one: StoredConfirmation, now: Date): void {
  if (one.state !== 'waiting') throw conflict(`confirmation "${one.id}" was answered before; nothing is done again`);
  if (!isWaiting(one, now)) throw conflict(`confirmation "${one.id}" has expired; ask for it again in the chat`);
}

/** Answered: what it would have been called with is not kept. */
export function decided(
  one: StoredConfirmation,
  state: 'done' | 'failed' | 'refused',
  now: Date,
  problem?: Pick<ServiceError, 'code' | 'message'>,
): StoredConfirmation {
  return {
    ...{ ...one, state, input: null, decidedAt: now.toISOString() },
    problem: problem ? { code: problem.code, error: problem.message } : null,
  };
}

/** The newest ones, and every one that waits. */
export function bounded(all: readonly StoredConfirmation[], now: Date): StoredConfirmation[] {
  return all.filter((one, at) => isWaiting(one, now) || at >= all.length - MAX_KEPT);
}

const OUTCOMES = {
  waiting: 'not answered yet',
  running: 'confirmed; how it ended is not known',
  done: 'confirmed, and done',
  failed: 'confirmed, but it could not be done',
  refused: 'refused: do not do it',
  expired: 'not answered in time',
} as const;

/** For the prompt of the next turn; without the title, which others wrote. */
export function toOutcomes(all: readonly StoredConfirmation[], now: Date): string {
  if (all.length === 0) return '';
  const lines = all.slice(-MAX_LISTED).map((one) => {
    const { tool, document, state, problem } = toShown(one, now);
    const about = document ? ` ${document.collection}${document.slug === null ? '' : `/${document.slug}`}` : '';
    return `- ${tool}${about}: ${OUTCOMES[state]}${problem ? ` (${problem.code})` : ''}`;
  });
  return ['What the person was asked to confirm in this conversation:', ...lines].join('\n');
}
