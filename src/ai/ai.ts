// What the service asks of a language model, and what it gets: text, tool calls, checked objects, and what they cost.
// Which provider answers is in `provider.ts`; nothing else knows the SDK.
import type { z } from 'zod';

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

export interface ConverseRequest {
  system: string;
  messages: readonly AiMessage[];
  tools?: readonly AiTool[];
  maxSteps: number;
  /**
   * Called before each step with what was used so far. Throws if there may be no other step, or returns how many tokens
   * it may write.
   */
  beforeStep?(used: TokenUse): Promise<{ maxOutputTokens?: number } | undefined>;
  signal: AbortSignal;
}

/** What happens, in order. `done` is the last one unless the conversation throws. */
export type AiEvent =
  | { type: 'text'; text: string }
  | { type: 'tool_call'; id: string; tool: string; input: unknown }
  | { type: 'tool_result'; id: string; tool: string; result: unknown; isError: boolean }
  | { type: 'step'; used: TokenUse }
  | { type: 'done'; used: TokenUse; finish: 'stop' | 'length' | 'steps' };

export interface ObjectRequest<T extends z.ZodType> {
  system: string;
  prompt: string;
  schema: T;
  /** Further checks of the value, as sentences about what is wrong; empty if it is right. */
  check?(value: z.output<T>): readonly string[];
  maxOutputTokens?: number;
  signal: AbortSignal;
}

export interface AiObject<T> {
  value: T;
  used: TokenUse;
}

/** The models of one site. */
export interface Ai {
  /** As it is stored as `aiModel`: `claude-sonnet-5`. Undefined if no provider is set up. */
  readonly model: string | undefined;
  /** @throws 503 `unavailable` that says which variable or setting is missing */
  checkReady(): void;
  /** Null without `ai.price`. */
  costUsd(used: TokenUse): number | null;
  /**
   * A conversation with tools, streamed. @throws ServiceError 503 `unavailable` (no provider), 413 `too_large` (the text
   * does not fit), 502 `provider_refused`, `provider_busy`, `model_output`; and the signal's reason
   */
  converse(request: ConverseRequest): AsyncIterable<AiEvent>;
  /** An object that fits the schema, asked for once more if the first does not. @throws as `converse` */
  makeObject<T extends z.ZodType>(request: ObjectRequest<T>): Promise<AiObject<z.output<T>>>;
}
