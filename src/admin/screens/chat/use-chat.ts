// One conversation: what was said, what is being answered, and how to stop it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type AnswerPart, withEvent } from '../../ai/steps.ts';
import { ApiError, OfflineError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { findKeptTurn, type LostTurn } from './kept-turn.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
}

/** A question of this page, with its answer as far as it has come. */
export interface ChatTurn {
  question: string;
  parts: readonly AnswerPart[];
  state: 'working' | 'done' | 'stopped' | 'failed';
  /** Why it failed. */
  reason: string | undefined;
  usage: TokenUsage | undefined;
}

export interface ChatOnScreen {
  /** Turns of this page, after what was kept before. */
  turns: readonly ChatTurn[];
  isBusy: boolean;
  send(text: string): Promise<void>;
  /** Sends the last question again, in the place of a turn that came to nothing. */
  sendAgain(): Promise<void>;
  stop(): void;
}

export interface ChatParts {
  /** Undefined for a new one. */
  id: string | undefined;
  /** Address of all conversations. */
  url: string;
  /** How many questions it had before this page. */
  questions: number;
  /** Called with its id once it has one. */
  onKept(id: string): void;
}

export function useChat({ id, url, questions, onKept }: ChatParts): ChatOnScreen {
  const { postForEvents, request, resources } = useAdmin();
  const [turns, setTurns] = useState<readonly ChatTurn[]>([]);
  const running = useRef<AbortController>(undefined);
  const conversation = useRef(id);
  /** The last turn, if its answer was lost on the way. */
  const lost = useRef<LostTurn>(undefined);
  // Hanging up stops the model.
  useEffect(() => () => running.current?.abort(), []);

  const change = (part: (turn: ChatTurn) => Partial<ChatTurn>): void => {
    setTurns((all) => all.map((turn, at) => (at === all.length - 1 ? { ...turn, ...part(turn) } : turn)));
  };

  async function ask(question: string): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    lost.current = undefined;
    const turn: LostTurn = {
      ...{ conversation: conversation.current, question, known: knownIds() },
      questions: questions + turns.filter(({ state }) => state === 'done').length,
    };
    try {
      const body = {
        messages: [{ role: 'user', content: question }],
        ...(conversation.current === undefined ? {} : { conversationId: conversation.current }),
      };
      let isEnded = false;
      for await (const event of postForEvents('/api/cms/chat', body, controller.signal)) {
        const { message, conversationId, usage } = event.data as {
          message?: string;
          conversationId?: string;
          usage?: TokenUsage;
        };
        if (event.event === 'error') {
          isEnded = true;
          change(() => ({ state: 'failed', reason: toSentence(new Error(message)) }));
        } else if (event.event === 'done' && conversationId !== undefined) {
          isEnded = true;
          conversation.current = conversationId;
          change(() => ({ state: 'done', usage }));
          onKept(conversationId);
        } else change(({ parts }) => ({ parts: withEvent(parts, event) }));
      }
      if (!isEnded) throw new OfflineError(undefined);
    } catch (error) {
      if (controller.signal.aborted) change(() => ({ state: 'stopped' }));
      else {
        const isGone = error instanceof ApiError && error.status === 404 && conversation.current !== undefined;
        if (error instanceof OfflineError) lost.current = turn;
        // Sent again, it begins a new one.
        if (isGone) conversation.current = undefined;
        change(() => ({ state: 'failed', reason: isGone ? t('chat.gone') : toSentence(error) }));
      }
    } finally {
      running.current = undefined;
    }
  }

  function knownIds(): ReadonlySet<string> {
    const state = resources.get<{ conversations: readonly { id: string }[] }>(url).state.peek();
    return new Set(state.kind === 'ready' ? state.data.conversations.map((one) => one.id) : []);
  }

  async function sendAgain(): Promise<void> {
    const { question = '', state } = turns.at(-1) ?? {};
    if (state === 'working') return;
    if (lost.current === undefined) return send(question, turns.slice(0, -1));
    change(() => ({ state: 'working', reason: undefined }));
    try {
      const kept = await findKeptTurn(request, url, lost.current);
      if (!kept) return send(question, turns.slice(0, -1));
      lost.current = undefined;
      conversation.current = kept.conversation;
      change(() => ({ state: 'done', parts: [{ kind: 'text', text: kept.answer }] }));
      onKept(kept.conversation);
    } catch (error) {
      change(() => ({ state: 'failed', reason: toSentence(error) }));
    }
  }

  function send(question: string, before: readonly ChatTurn[] = turns): Promise<void> {
    if (running.current) return Promise.resolve();
    setTurns([...before, { question, parts: [], state: 'working', reason: undefined, usage: undefined }]);
    return ask(question);
  }

  return {
    turns,
    isBusy: turns.at(-1)?.state === 'working',
    send: (text) => send(text),
    sendAgain,
    stop: () => running.current?.abort(),
  };
}
