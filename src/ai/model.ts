// One question to a model, in our words: what `provider.ts` translates for the SDK, and a test may answer itself.
import type { TokenUse } from './ai.ts';
import type { AnswerSchema } from './closed-schema.ts';

/** A message as the model sees it; after an assistant's calls come their results. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ModelCall[] }
  | { role: 'tool'; results: readonly ModelResult[] };

export interface ModelCall {
  id: string;
  tool: string;
  /** Undefined if its arguments are not a JSON object. */
  input: Record<string, unknown> | undefined;
}

export interface ModelResult {
  id: string;
  tool: string;
  text: string;
  isError: boolean;
}

export interface ModelQuestion {
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly { name: string; description: string; inputSchema: AnswerSchema }[];
  /** If given, the answer is JSON, which is still to be checked. */
  schema?: AnswerSchema;
  maxOutputTokens: number;
}

export type ModelPart =
  | { type: 'text'; text: string }
  /** A sign of life without text: reasoning, arguments of a call under way. `sizeBytes` of it count. */
  | { type: 'working'; sizeBytes: number }
  | { type: 'call'; call: ModelCall }
  /** `used` as far as the provider reports it. */
  | { type: 'end'; finish: ModelFinish; used: Partial<TokenUse> };

/** `broken` if the provider does not say why it ended. */
export type ModelFinish = 'stop' | 'length' | 'calls' | 'withheld' | 'broken';

/** @throws an error of the SDK, which must not reach a logger or an answer; `toProviderRefusal` makes one that may */
export type AskModel = (question: ModelQuestion, signal: AbortSignal) => AsyncIterable<ModelPart>;
