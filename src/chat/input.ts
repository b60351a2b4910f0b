// The bodies of a turn and of an answer to a confirmation. A conversation is sent whole each time, so its size is that of a request.
import { z } from 'zod';

const MAX_MESSAGES = 200;
const MAX_MESSAGE_CHARS = 100_000;

export const ChatBody = z
  .strictObject({
    messages: z
      .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().min(1).max(MAX_MESSAGE_CHARS) }))
      .min(1)
      .max(MAX_MESSAGES)
      .refine((messages) => messages.at(-1)?.role === 'user', 'must end with a message of the user')
      .meta({ description: 'the conversation so far; with `conversationId` one message goes on with what is kept' }),
    conversationId: z.string().min(1).max(100).optional(),
  })
  .meta({ id: 'ChatBody' });

export const ConfirmBody = z
  .strictObject({
    confirm: z
      .boolean()
      .default(true)
      .meta({ description: 'false refuses it: nothing is done, and the model reads that in its next turn' }),
  })
  .meta({ id: 'ChatConfirmBody' });
