// One conversation: what was said, what is being answered, and how to stop it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { withEvent } from '../../ai/steps.ts';
import type { Schema } from '../../api/answer.ts';
import { ApiError, OfflineError } from '../../api/client.ts';
import { isMissing, isUncertain } from '../../api/failure.ts';
import type { ResourceState } from '../../api/resources.ts';
import { toSentence } from '../../api/sentence.ts';
import type { ServiceEvent } from '../../api/service-event.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import type { ChatMessage, ChatTurn, Confirmation, TokenUsage } from './chat-turn.ts';
import { findKeptTurn, isKept, type LostTurn } from './kept-turn.ts';
import { withKept } from './with-kept.ts';

export interface ChatOnScreen {
  /** What the person was asked to confirm, as the service keeps it. */
  confirmations: readonly Confirmation[];
  /** Reads the conversation again. */
  look(): Promise<void>;
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
  /** What was said in it before this page. */
  before: readonly ChatMessage[];
  /** What it was asked to confirm. */
  asked: readonly Confirmation[];
  /** Called with its id once the service has kept a question with its answer. */
  onKept(id: string, question: string): void;
  /** Called when a tool is used for an answer, which may come to nothing. */
  onActed(): void;
}

export function useChat({ id, url, before, asked, onKept, onActed }: ChatParts): ChatOnScreen {
  const { postForEvents, request, resources } = useAdmin();
  const [turns, setTurns] = useState<readonly ChatTurn[]>([]);
  const [confirmations, setConfirmations] = useState(asked);
  const { running, hasActed } = useRunning();
  const conversation = useRef(id);
  /** The last turn, if its answer was lost on the way. */
  const lost = useRef<LostTurn>(undefined);
  /** Another tab went on with it while an answer came here. */
  const isBehind = useRef(false);
  const questionsBefore = before.filter(({ role }) => role === 'user').length;
  useLive(['conversation', 'hello'], () => void look());

  const change = (part: (turn: ChatTurn) => Partial<ChatTurn>): void => {
    setTurns((all) => all.map((turn, at) => (at === all.length - 1 ? { ...turn, ...part(turn) } : turn)));
  };

  async function ask(question: string): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    hasActed.current = false;
    lost.current = undefined;
    const turn: LostTurn = {
      ...{ conversation: conversation.current, question, known: idsOf(resources.get<Listed>(url).state.peek()) },
      questions: questionsBefore + turns.filter(({ state }) => state === 'done').length,
    };
    try {
      const body = {
        messages: [{ role: 'user', content: question }],
        ...(conversation.current === undefined ? {} : { conversationId: conversation.current }),
      };
      const end = await readToEnd(postForEvents('/api/cms/chat', body, controller.signal), (event) => {
        if (event.event === 'tool_call') {
          hasActed.current = true;
          onActed();
        }
        // The question is read, with all that it is about, once the conversation is kept.
        if (event.event === 'confirm') isBehind.current = true;
        change(({ parts }) => ({ parts: withEvent(parts, event) }));
      });
      if (end.conversationId === undefined) {
        change(() => ({ state: 'failed', reason: toSentence(new Error(end.message)) }));
      } else {
        conversation.current = end.conversationId;
        change(() => ({ state: 'done', usage: end.usage }));
        onKept(end.conversationId, question);
      }
    } catch (error) {
      if (controller.signal.aborted) change(() => ({ state: 'stopped' }));
      else {
        const isGone = isMissing(error) && conversation.current !== undefined;
        if (isUncertain(error)) lost.current = turn;
        // Sent again, it begins a new one.
        if (isGone) conversation.current = undefined;
        change(() => ({ state: 'failed', reason: isGone ? t('chat.gone') : toSentence(error) }));
      }
    } finally {
      running.current = undefined;
      if (isBehind.current) void look();
    }
  }

  /** Shows how another tab went on with it; while an answer comes here, afterwards. */
  async function look(): Promise<void> {
    isBehind.current = running.current !== undefined;
    if (conversation.current === undefined) return;
    try {
      const at = `${url}/${encodeURIComponent(conversation.current)}`;
      const { data } = await request<Schema<'Conversation'>>('GET', at);
      setConfirmations(data.confirmations);
      if (running.current) return;
      const isFound = lost.current !== undefined && isKept(lost.current, data.messages);
      const question = lost.current?.question ?? '';
      // What was lost here is shown as it was kept.
      setTurns((shown) => withKept(isFound ? shown.slice(0, -1) : shown, data.messages.slice(before.length)));
      if (!isFound) return;
      lost.current = undefined;
      onKept(conversation.current, question);
    } catch (error) {
      // Without an answer, or if it is deleted, what is shown stays; the next message says which.
      if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
    }
  }

  async function sendAgain(): Promise<void> {
    const { question = '', state } = turns.at(-1) ?? {};
    if (state === 'working') return;
    const looked = lost.current;
    if (looked === undefined) return send(question, turns.slice(0, -1));
    change(() => ({ state: 'working', reason: undefined }));
    try {
      const kept = await findKeptTurn(request, url, looked);
      // It was found already, when the service said that it has something new.
      if (lost.current !== looked) return;
      if (!kept) return send(question, turns.slice(0, -1));
      lost.current = undefined;
      conversation.current = kept.conversation;
      change(() => ({ state: 'done', parts: [{ kind: 'text', text: kept.answer }] }));
      onKept(kept.conversation, question);
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
    confirmations,
    look,
    turns,
    isBusy: turns.at(-1)?.state === 'working',
    send: (text) => send(text),
    sendAgain,
    stop: () => running.current?.abort(),
  };
}

interface Listed {
  conversations: readonly { id: string }[];
}

function idsOf(state: ResourceState<Listed>): ReadonlySet<string> {
  return new Set(state.kind === 'ready' ? state.data.conversations.map(({ id }) => id) : []);
}

/** How an answer ends: kept in a conversation, or with why it came to nothing. */
interface AnswerEnd {
  message?: string;
  conversationId?: string;
  usage?: TokenUsage;
}

/** @throws OfflineError if it ends without an end */
async function readToEnd(
  events: AsyncIterable<ServiceEvent>,
  onStep: (event: ServiceEvent) => void,
): Promise<AnswerEnd> {
  let end: AnswerEnd | undefined;
  for await (const event of events) {
    const data = event.data as AnswerEnd;
    if (event.event === 'error' || (event.event === 'done' && data.conversationId !== undefined)) end = data;
    else onStep(event);
  }
  if (!end) throw new OfflineError(undefined);
  return end;
}

/** The request whose answer is coming, and whether tools were used for it. */
function useRunning() {
  const { messages } = useAdmin();
  const running = useRef<AbortController>(undefined);
  const hasActed = useRef(false);
  // Hanging up stops the model; that it may have written something already is seen nowhere else.
  useEffect(
    () => () => {
      if (running.current && hasActed.current) messages.notify(t('chat.left'));
      running.current?.abort();
    },
    [],
  );
  return { running, hasActed };
}
