// Asking a scripted provider through the service's own `Ai`, for tests of src/ai.
import { z } from 'zod';
import type { Ai, AiEvent, AiObject, ConverseRequest, ObjectRequest } from '../../../src/ai/ai.ts';
import { createAi } from '../../../src/ai/service.ts';
import type { StepLimits } from '../../../src/ai/step.ts';
import { ServiceError } from '../../../src/lib/errors.ts';
import { fetchHost } from '../host-fetch.ts';
import type { ScriptedProvider } from './provider.ts';

/** The models of a site that uses the provider; busy providers are asked again at once. */
export function aiOf(
  { ai, keys }: ScriptedProvider,
  limits: Partial<StepLimits> = {},
  change: Partial<ScriptedProvider['ai']> = {},
): Ai {
  return createAi({ config: { ai: { ...ai, ...change } }, keys, fetch: fetchHost, limits: { pauseMs: 1, ...limits } });
}

export async function talk(ai: Ai, change: Partial<ConverseRequest> = {}): Promise<AiEvent[]> {
  const events: AiEvent[] = [];
  for await (const event of ai.converse(toRequest(change))) if (event.type !== 'begin') events.push(event);
  return events;
}

export function toRequest(change: Partial<ConverseRequest> = {}): ConverseRequest {
  return {
    payer: 'agent',
    system: 'You write.',
    messages: [{ role: 'user', content: 'the secret prompt' }],
    maxSteps: 12,
    signal: new AbortController().signal,
    ...change,
  };
}

export function textOf(events: readonly AiEvent[]): string {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
}

export const Answer = z.object({ title: z.string().max(20), rank: z.number().optional() });

export function ask(
  ai: Ai,
  change: Partial<ObjectRequest<typeof Answer>> = {},
): Promise<AiObject<z.output<typeof Answer>>> {
  return ai.makeObject({
    payer: 'agent',
    ...{ system: 'You write.', prompt: 'the secret prompt', schema: Answer },
    ...{ signal: new AbortController().signal, ...change },
  });
}

/** The refusal with which the work fails. Any other error, or none, fails the test. */
export async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
