// What the service asks of a language model, and what it gets: text, tool calls, checked objects, and what they cost.
// Which provider answers is in `provider.ts`; nothing else knows the SDK.
import type { z } from 'zod';
import type { UsedToday } from './day-use.ts';

export interface TokenUse {
  inputTokens: number;
  outputTokens: number;
}

/** A tool that a model may call. `run` checks the input, and returns what the model sees: JSON, at most 20 KB of it. */
export interface AiTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
  /** A refusal is thrown as a ServiceError, and the model sees its code and sentence. */
  run(input: unknown, signal: AbortSignal): Promise<unknown>;
}

export interface AiMessage {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * Who uses the model: a person, within the budgets of the day (null: nobody in particular, within that of the site), or an
 * agent, which keeps budgets of its own.
 */
export type AiPayer = { userId: string | null } | 'agent';

export interface ConverseRequest {
  payer: AiPayer;
  system: string;
  messages: readonly AiMessage[];
  tools?: readonly AiTool[];
  maxSteps: number;
  beforeStep?: BeforeStep;
  /** How often a busy provider is asked for one step, with pauses in between: agents 3 times, people once (the default). */
  tries?: number;
  signal: AbortSignal;
}

/**
 * Called before each step with what this call has used so far. Throws if there may be no other step, or returns how many
 * tokens it may write.
 */
export type BeforeStep = (used: TokenUse) => Promise<{ maxOutputTokens?: number } | undefined>;

/**
 * What happens, in order. `begin` is the first event, before the provider is asked: nothing refuses the first step any
 * more but the provider. `step` follows each answer of the provider, before its tools run, with what this one answer
 * used; an answer that broke off has one too, estimated, before the conversation throws. `done` has the sum, and is the
 * last event unless the conversation throws.
 */
export type AiEvent =
  | { type: 'begin' }
  | { type: 'text'; text: string }
  | { type: 'tool_call'; id: string; tool: string; input: unknown }
  | { type: 'tool_result'; id: string; tool: string; result: unknown; isError: boolean }
  | { type: 'step'; used: TokenUse }
  | { type: 'done'; used: TokenUse; finish: 'stop' | 'length' | 'steps' };

export interface ObjectRequest<T extends z.ZodType> {
  payer: AiPayer;
  system: string;
  prompt: string;
  schema: T;
  /** Further checks of the value, as sentences about what is wrong; empty if it is right. */
  check?(value: z.output<T>): readonly string[];
  maxOutputTokens?: number;
  beforeStep?: BeforeStep;
  /** Called after each answer with what it used, also if the answer does not fit or broke off. */
  afterStep?(used: TokenUse): void;
  /** As in ConverseRequest. */
  tries?: number;
  signal: AbortSignal;
}

export interface AiObject<T> {
  value: T;
  used: TokenUse;
}

/** The models of one site. */
export interface Ai {
  /** The name that is stored as `aiModel`. Undefined if no provider is set up. */
  readonly model: string | undefined;
  /** @throws 503 `unavailable` that says which variable or setting is missing */
  checkReady(): void;
  /** What this person has used of the budgets of the day. */
  usedToday(userId: string): Promise<UsedToday | null>;
  /** Budgets of the configuration that cannot be kept, as sentences. */
  readonly warnings: readonly string[];
  /** Null without `ai.price`. */
  costUsd(used: TokenUse): number | null;
  /**
   * A conversation with tools, streamed. @throws ServiceError 503 `unavailable` (no provider), 402 `budget_used_up`, 413 `too_large` (the text
   * does not fit), 502 `provider_refused`, `provider_busy`, `model_output`; and the signal's reason
   */
  converse(request: ConverseRequest): AsyncIterable<AiEvent>;
  /**
   * An object that fits the schema, asked for once more if the first does not. @throws as `converse`; AnswerCut if the
   * answer ended at its limit
   */
  makeObject<T extends z.ZodType>(request: ObjectRequest<T>): Promise<AiObject<z.output<T>>>;
}
