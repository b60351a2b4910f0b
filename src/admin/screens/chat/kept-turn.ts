// A turn whose answer was lost on the way may be kept by the service all the same: it is not asked a second time.
import type { Schema } from '../../api/answer.ts';
import type { Client } from '../../api/client.ts';

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
  const asked = data.messages.filter(({ role }) => role === 'user');
  if (asked.length <= lost.questions || asked.at(-1)?.content !== lost.question) return undefined;
  const last = data.messages.at(-1);
  return { conversation: id, answer: last?.role === 'assistant' ? last.content : '' };
}

async function findNew(request: Client, url: string, known: ReadonlySet<string>): Promise<string | undefined> {
  const { data } = await request<{ conversations: readonly { id: string }[] }>('GET', url);
  return data.conversations.find(({ id }) => !known.has(id))?.id;
}
