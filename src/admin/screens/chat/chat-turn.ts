// What is said in a conversation, as a screen has it.
import type { AnswerPart } from '../../ai/steps.ts';
import type { Schema } from '../../api/answer.ts';

/** A call of a tool that waits for the person. */
export type Confirmation = Schema<'ChatConfirmation'>;

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
