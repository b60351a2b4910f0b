// Reserving what a step may use before its question leaves: as many tokens as it can have, and as it may write.
import type { TokenUse } from './ai.ts';
import type { HeldStep } from './day-ledger.ts';
import type { ModelQuestion } from './model.ts';
import { estimateTokens } from './tokens.ts';

export type ReserveStep = (step: { inputTokens: number; maxOutputTokens: number }) => Promise<HeldStep>;

/** Returns the question with the answer that it may have. @throws ServiceError 402 */
export async function holdStep(
  reserve: ReserveStep | undefined,
  question: ModelQuestion,
): Promise<{ question: ModelQuestion; settle(used?: TokenUse): Promise<void> }> {
  if (!reserve) return { question, settle: async () => undefined };
  const { system, tools, schema, messages, maxOutputTokens } = question;
  // Tools and schemas are plain English. The rest, such as the brand voice, is what others wrote: no token has less than
  // a byte.
  const ours = estimateTokens(Buffer.byteLength(JSON.stringify({ tools, schema })));
  const theirs = Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify(messages));
  const held = await reserve({ inputTokens: ours + theirs, maxOutputTokens });
  return { question: { ...question, maxOutputTokens: held.maxOutputTokens }, settle: held.settle };
}
