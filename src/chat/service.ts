// One turn of a chat: the model answers, with the tools that its caller has, and what was said is kept at the end.
import type { Principal } from '../access/principal.ts';
import type { Ai, AiMessage, TokenUse } from '../ai/ai.ts';
import type { Tools } from '../tools/registry.ts';
import type { ToolCaller } from '../tools/tool.ts';
import type { OwnAddresses } from './address.ts';
import { type Confirmation, toOutcomes } from './confirmation.ts';
import type { StoredConversation } from './conversation.ts';
import { type ConversationNews, type Conversations, ownerOf } from './conversations.ts';
import { type AnsweredConfirmation, type ConfirmationAnswer, decide } from './decide.ts';
import { createOwnWords, toSentences } from './own-words.ts';
import { chatPrompt } from './prompt.ts';
import { createSafeText, type SafeText } from './safe-text.ts';
import { createTurnKeeper } from './turn-keeper.ts';
import { createTurnTools } from './turn-tools.ts';

const CUT = {
  length: '\n\n(cut: the limit of tokens is reached)',
  steps: '\n\n(stopped: too many steps)',
};

export interface ChatParts {
  siteName: string;
  ai: Ai;
  tools: Tools;
  conversations: Conversations;
  /** The block of the brand voice, or the empty string. */
  voice(): Promise<string>;
  /** Addresses of the site itself, which answers may contain. */
  ownAddresses(): OwnAddresses;
  now: () => Date;
  newId(): string;
}

export interface ChatTurn {
  /** The conversation so far, or the next message of the one that is kept. */
  messages: readonly AiMessage[];
  /** The kept conversation that it continues. */
  kept: StoredConversation | undefined;
  owner: string;
  /** Read again at each call of a tool. */
  caller: Omit<ToolCaller, 'signal'>;
  signal: AbortSignal;
}

export type ChatEvent =
  | { type: 'begin' }
  | { type: 'text'; text: string }
  | { type: 'tool_call'; id: string; tool: string; input: unknown }
  | { type: 'tool_result'; id: string; tool: string; result: unknown }
  | ({ type: 'confirm' } & Pick<Confirmation, 'id' | 'tool' | 'effect' | 'document'>)
  | { type: 'done'; conversationId: string; usage: TokenUse & { costUsd: number | null } };

type OwnNews = Omit<ConversationNews, 'owner'>;

export interface Chat {
  conversations: Conversations;
  /** Calls the listener with changes of the conversations of `now`; returns the function that stops it. */
  listen(now: () => Principal | undefined, listener: (news: OwnNews) => void): () => void;
  /** @throws ServiceError 503 */
  checkReady(): void;
  /** @throws ServiceError of the model, and the signal's reason; then only what waits for the person is kept */
  turn(turn: ChatTurn): AsyncGenerator<ChatEvent>;
  /** Answers a call that waits for the person. @throws ServiceError 404, 409, 412, and as the tool */
  decide(decision: ConfirmationAnswer): Promise<AnsweredConfirmation>;
}

const MAX_STEPS = 25;

export function createChat(parts: ChatParts): Chat {
  const { ai, conversations, now } = parts;

  async function* turn({ messages: given, kept, owner, caller, signal }: ChatTurn): AsyncGenerator<ChatEvent> {
    // One message goes on with what is kept; several are all of it, as a client that edits the past sends them.
    const continued = given.length === 1 ? kept : undefined;
    const messages = continued ? [...continued.messages, ...given] : given;
    const today = now().toISOString().slice(0, 10);
    const before = kept?.confirmations ?? [];
    const { system, instructions } = chatPrompt({
      ...{ siteName: parts.siteName, today, voice: await parts.voice() },
      outcomes: toOutcomes(before, now()),
    });
    // What a client says that the model has said may be from anywhere.
    const hasRead = kept?.hasRead === true || (!continued && given.some(({ role }) => role === 'assistant'));
    const turnTools = createTurnTools({ ...parts, caller, hasRead, before });
    const keeper = createTurnKeeper(parts, { owner, kept, given });
    const newText = (): SafeText => {
      const [words, links] = [createOwnWords(toSentences(instructions)), createSafeText(parts.ownAddresses())];
      return {
        push: (piece) => links.push(words.push(piece)),
        end: () => links.push(words.end()) + links.end(),
      };
    };
    let text = newText();
    let said = '';
    const saying = function* (piece: string): Generator<ChatEvent> {
      if (piece === '') return;
      said += piece;
      yield { type: 'text', text: piece };
    };
    const payer = { userId: caller.principal.userId };
    const request = { payer, system, messages, tools: turnTools.list, maxSteps: MAX_STEPS, signal };
    for await (const event of ai.converse(request)) {
      switch (event.type) {
        case 'begin':
          yield event;
          break;
        case 'text':
          yield* saying(text.push(event.text));
          break;
        case 'tool_call':
          yield* saying(text.end());
          text = newText();
          // The words before and after a call are not one sentence.
          if (said !== '' && !said.endsWith('\n\n')) yield* saying('\n\n');
          yield { type: 'tool_call', id: event.id, tool: event.tool, input: event.input };
          break;
        case 'tool_result': {
          const { asked, added } = turnTools.takeAsked();
          // Before its id leaves: the person may answer at once, and the turn may come to nothing.
          await keeper.ask(added, turnTools.hasRead);
          yield { type: 'tool_result', id: event.id, tool: event.tool, result: event.result };
          for (const { id, tool, effect, document } of asked) yield { type: 'confirm', id, tool, effect, document };
          break;
        }
        case 'done': {
          yield* saying(text.end());
          signal.throwIfAborted();
          if (event.finish !== 'stop') yield* saying(CUT[event.finish]);
          // A model may call tools and say nothing.
          const answer: AiMessage[] = said.trim() === '' ? [] : [{ role: 'assistant', content: said }];
          const conversationId = await keeper.end(answer, turnTools.hasRead);
          yield { type: 'done', conversationId, usage: { ...event.used, costUsd: ai.costUsd(event.used) } };
        }
      }
    }
  }

  function listen(now: () => Principal | undefined, listener: (news: OwnNews) => void): () => void {
    return conversations.listen(({ owner, ...news }) => {
      const principal = now();
      if (principal && owner === ownerOf(principal)) listener(news);
    });
  }

  return { conversations, listen, checkReady: ai.checkReady, turn, decide: (decision) => decide(parts, decision) };
}
