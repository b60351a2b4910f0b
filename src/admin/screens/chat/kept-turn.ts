// A turn whose answer was lost on the way may be kept by the service all the same: it is not asked a second time.
import type { Schema } from '../../api/answer.ts';
import type { Client } from '../../api/client.ts';
import type { ChatMessage } from './chat-turn.ts';

export interface LostTurn {
  /** Undefined if it would have begun a new conversation. */
  conversation: string | undefined;
  question: string;
  /** How many questions the conversation had before. */
  questions: number;
  /** Conversations that there were before. */
  known: ReadonlySet<string>;
}

export interface KeptTurn {
  conversation: string;
  answer: string;
}

/** @throws as the requests */
export async function findKeptTurn(request: Client, url: string, lost: LostTurn): Promise<KeptTurn | undefined> {
  const id = lost.conversation ?? (await findNew(request, url, lost.known));
  if (id === undefined) return undefined;
  const { data } = await request<Schema<'Conversation'>>('GET', `${url}/${encodeURIComponent(id)}`);
  if (!isKept(lost, data.messages)) return undefined;
  const last = data.messages.at(-1);
  return { conversation: id, answer: last?.role === 'assistant' ? last.content : '' };
}

/** Whether the turn is the last one of the whole conversation. */
export function isKept({ question, questions }: LostTurn, messages: readonly ChatMessage[]): boolean {
  const asked = messages.filter(({ role }) => role === 'user');
  return asked.length > questions && asked.at(-1)?.content === question;
}

async function findNew(request: Client, url: string, known: ReadonlySet<string>): Promise<string | undefined> {
  const { data } = await request<{ conversations: readonly { id: string }[] }>('GET', url);
  return data.conversations.find(({ id }) => !known.has(id))?.id;
}
