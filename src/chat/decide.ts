// The person's answer to a call that waits. It is done once, as the person, with the rights and the document of that
// moment: a call whose document has changed since is refused.
import type { Actor } from '../access/principal.ts';
import { notFound, ServiceError } from '../lib/errors.ts';
import { bounded } from '../tools/ai-tools.ts';
import type { ToolRefusal } from '../tools/next-step.ts';
import type { Tools } from '../tools/registry.ts';
import type { ToolCaller } from '../tools/tool.ts';
import { type Confirmation, checkWaiting, decided, type StoredConfirmation, toShown } from './confirmation.ts';
import type { Conversations } from './conversations.ts';

export interface DecideParts {
  tools: Tools;
  conversations: Conversations;
  now: () => Date;
}

export interface ConfirmationAnswer {
  id: string;
  isConfirmed: boolean;
  owner: string;
  /** The person, with the actor of what models write for them. */
  caller: ToolCaller;
  /** The actor of what the person does. */
  person: Actor;
}

export interface AnsweredConfirmation {
  confirmation: Confirmation;
  /** What the tool returned; undefined if the person refused. */
  result?: Record<string, unknown>;
}

/** Their text is a model's, and stays marked as such: locked fields are left alone. */
const WRITTEN_BY_MODEL = new Set(['update', 'upload']);

/** @throws ServiceError 404, 409 if it was answered or has expired, 412 if what it is about has changed, and as the tool */
export async function decide(parts: DecideParts, decision: ConfirmationAnswer): Promise<AnsweredConfirmation> {
  const { conversations, now } = parts;
  const { id, isConfirmed, owner } = decision;
  const { conversationId } = await conversations.findConfirmation(owner, id);
  const at = { conversationId, id };
  // Durable before it begins: a second answer, also one after a crash, finds it answered.
  const taken = await conversations.changeConfirmation(owner, at, (one) => {
    checkWaiting(one, now());
    return isConfirmed ? { ...one, state: 'running' } : decided(one, 'refused', now());
  });
  if (!taken) throw notFound(`confirmation "${id}"`);
  if (!isConfirmed) return { confirmation: toShown(taken, now()) };
  try {
    const result = await carryOut(parts, taken, decision);
    const done = decided(taken, 'done', now());
    await conversations.changeConfirmation(owner, at, () => done);
    return { confirmation: toShown(done, now()), result: bounded(result) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await conversations.changeConfirmation(owner, at, (one) =>
      one.state === 'running' ? decided(one, 'failed', now(), error) : one,
    );
    throw error;
  }
}

async function carryOut(
  { tools }: DecideParts,
  { tool, effect, input, version }: StoredConfirmation,
  { caller, person }: ConfirmationAnswer,
): Promise<Record<string, unknown>> {
  const by: ToolCaller = {
    ...caller,
    actor: WRITTEN_BY_MODEL.has(effect) ? { ...caller.actor, isDecided: true } : person,
  };
  const found = await tools.hold(tool, input, by);
  if ('refusal' in found) throw toError(found.refusal);
  if (found.held && found.held.version !== version) {
    throw new ServiceError(
      'precondition_failed',
      'what it is about has changed since it was asked; ask again in the chat',
    );
  }
  const outcome = await tools.call(tool, input, by);
  if ('refusal' in outcome) throw toError(outcome.refusal);
  return outcome.value;
}

function toError({ code, error, details }: ToolRefusal): ServiceError {
  return new ServiceError(code, error, details ? { details } : {});
}
