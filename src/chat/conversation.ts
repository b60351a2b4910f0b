// What is kept of a conversation: what was said, what waits for the person, and nothing that tools returned.
import { z } from 'zod';
import { Confirmation, StoredConfirmation, toShown } from './confirmation.ts';

/** One answer more than the messages that a request may have. */
const Message = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });

export const Conversation = z
  .object({
    id: z.string(),
    title: z.string().meta({ description: 'the beginning of the first message' }),
    createdAt: z.string(),
    updatedAt: z.string(),
    messages: z.array(Message),
    confirmations: z.array(Confirmation).meta({ description: 'what the person was asked to confirm, oldest first' }),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.output<typeof Conversation>;

/** The file of a conversation. */
export const StoredConversation = Conversation.extend({
  confirmations: z.array(StoredConfirmation).default([]),
  /** Whether the model has read what others wrote; files of earlier versions do not say. */
  hasRead: z.boolean().default(true),
});
export type StoredConversation = z.output<typeof StoredConversation>;

export const ConversationSummary = Conversation.omit({ messages: true, confirmations: true }).extend({
  messageCount: z.int(),
});
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

export function toConversation({ hasRead: _, confirmations, ...rest }: StoredConversation, now: Date): Conversation {
  return { ...rest, confirmations: confirmations.map((one) => toShown(one, now)) };
}

export function toSummary(stored: StoredConversation): ConversationSummary {
  const { id, title, createdAt, updatedAt, messages } = stored;
  return { id, title, createdAt, updatedAt, messageCount: messages.length };
}
