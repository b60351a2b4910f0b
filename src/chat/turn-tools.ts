// The tools of one turn. Once the model has read what others wrote, a call that deletes, publishes or does anything else
// of that kind waits for the person, because the model may only obey what it has read.
import type { AiTool } from '../ai/ai.ts';
import { type CallTool, toAiTools } from '../tools/ai-tools.ts';
import type { HeldCall } from '../tools/held-call.ts';
import type { ToolOutcome, Tools } from '../tools/registry.ts';
import type { ToolCaller } from '../tools/tool.ts';
import { isWaiting, MAX_WAITING, type StoredConfirmation, toConfirmation } from './confirmation.ts';

export interface TurnToolsParts {
  tools: Tools;
  caller: Omit<ToolCaller, 'signal'>;
  /** Whether the conversation has text of others in it already. */
  hasRead: boolean;
  /** What the conversation was asked to confirm before. */
  before: readonly StoredConfirmation[];
  now: () => Date;
  newId(): string;
}

export interface TurnTools {
  list: AiTool[];
  readonly hasRead: boolean;
  /** What was asked since the last call of this. */
  takeAsked(): AskedSince;
}

export interface AskedSince {
  /** Old questions that were asked again included. */
  asked: readonly StoredConfirmation[];
  /** The new ones, which nothing keeps yet. */
  added: readonly StoredConfirmation[];
}

const NEEDS_PERSON =
  'after a tool has returned what others wrote, this needs a person who confirms it, and an access token has none';

export function createTurnTools({ tools, caller, before, now, newId, ...parts }: TurnToolsParts): TurnTools {
  let { hasRead } = parts;
  const asked: StoredConfirmation[] = [];
  let since: StoredConfirmation[] = [];
  let keptCount = 0;

  function ask(held: HeldCall, by: ToolCaller): ToolOutcome {
    if (by.principal.kind !== 'session') {
      const next = 'ask a person to do it in the admin; propose_change queues a change for one';
      return { refusal: { code: 'forbidden', error: NEEDS_PERSON, next } };
    }
    const waiting = [...before, ...asked].filter((one) => isWaiting(one, now()));
    const wanted = JSON.stringify([held.tool, held.input]);
    const same = waiting.find(({ tool, input }) => JSON.stringify([tool, input]) === wanted);
    if (!same && waiting.length >= MAX_WAITING) {
      const error = `${MAX_WAITING} questions wait for the person`;
      return { refusal: { code: 'conflict', error, next: 'ask the person to answer them first' } };
    }
    const confirmation = same ?? toConfirmation(held, newId(), now());
    if (!same) asked.push(confirmation);
    since.push(confirmation);
    const { id, effect, document } = confirmation;
    const next = 'nothing is done: the person is asked; say what waits, and do not call it again';
    return { value: { needs_confirmation: id, effect, document, next } };
  }

  const call: CallTool = async (tool, input, by) => {
    if (hasRead) {
      const outcome = await tools.hold(tool.name, input, by);
      if ('refusal' in outcome) return outcome;
      if (outcome.held) return ask(outcome.held, by);
    }
    // What is public by the time of the write, or changes along with a draft, waits in the queue for a person.
    const outcome = await tools.call(tool.name, input, hasRead ? { ...by, draftsOnly: true } : by);
    if (tool.reads === 'others') hasRead = true;
    return outcome;
  };

  return {
    list: toAiTools(tools, caller, { call }),
    get hasRead() {
      return hasRead;
    },
    takeAsked() {
      const taken = { asked: since, added: asked.slice(keptCount) };
      since = [];
      keptCount = asked.length;
      return taken;
    },
  };
}
