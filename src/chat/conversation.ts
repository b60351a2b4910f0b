// What is kept of a conversation: what was said, by whom it is owned, and nothing that tools returned.
import { z } from 'zod';

/** One answer more than the messages that a request may have. */
const Message = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });

export const Conversation = z
  .object({
    id: z.string(),
    title: z.string().meta({ description: 'the beginning of the first message' }),
    createdAt: z.string(),
    updatedAt: z.string(),
    messages: z.array(Message),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.output<typeof Conversation>;

export const ConversationSummary = Conversation.omit({ messages: true }).extend({ messageCount: z.int() });
export type ConversationSummary = z.output<typeof ConversationSummary>;

const MAX_TITLE_CHARS = 80;

export function toTitle(messages: Conversation['messages']): string {
  const first = messages.find(({ role }) => role === 'user')?.content ?? '';
  return first
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_CHARS)
    .toWellFormed();
}

export function toSummary({ messages, ...rest }: Conversation): ConversationSummary {
  return { ...rest, messageCount: messages.length };
}
