// The only file that knows the AI SDK. It uses the SDK's models themselves (`doStream`) and not `streamText` above them,
// which would log errors with the prompt to the console, ask again by itself, send a bare model name to a third party's
// gateway, and load 30 MB. Loaded with the first question.
import type { LanguageModel } from 'ai';
import { closeSchema, type JsonSchema } from './closed-schema.ts';
import type { AskModel, ModelCall, ModelFinish, ModelMessage, ModelPart, ModelQuestion } from './model.ts';
import type { ProviderSetup } from './setup.ts';

type SdkModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;
type SdkOptions = Parameters<SdkModel['doStream']>[0];
type SdkMessage = SdkOptions['prompt'][number];
type SdkPart = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

export function createAskModel(setup: ProviderSetup): AskModel {
  let loading: Promise<SdkModel> | undefined;
  return async function* ask(question, signal) {
    loading ??= loadModel(setup);
    const model = await loading;
    signal.throwIfAborted();
    const { stream } = await model.doStream({ ...toOptions(question, setup), abortSignal: signal });
    for await (const part of stream) {
      const translated = toPart(part);
      if (translated) yield translated;
    }
  };
}

/** The address and key are always given, because the SDK would look for them in variables that are not ours. */
async function loadModel({ kind, model, baseURL, apiKey, takesSchema }: ProviderSetup): Promise<SdkModel> {
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey: apiKey ?? '', fetch: fetchHere }).languageModel(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL, apiKey: apiKey ?? '', fetch: fetchHere }).responses(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'compatible',
        ...{ baseURL, fetch: fetchHere, includeUsage: true, supportsStructuredOutputs: takesSchema },
        ...(apiKey === undefined ? {} : { apiKey }),
      }).chatModel(model);
    }
  }
}

/** Does not follow redirects, which would take prompt and key to another server. */
const fetchHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

function toOptions(question: ModelQuestion, setup: ProviderSetup): SdkOptions {
  const { schema, system, messages, tools, maxOutputTokens } = question;
  // Only OpenAI's strict mode wants a closed schema.
  const closed = schema && setup.kind !== 'anthropic' ? closeSchema(schema) : undefined;
  const strict = { strictJsonSchema: closed !== undefined };
  const asksInPrompt = schema !== undefined && !setup.takesSchema;
  return {
    prompt: [
      { role: 'system', content: asksInPrompt ? `${system}\n\n${inWords(schema)}` : system },
      ...messages.map(toSdkMessage),
    ],
    // OpenAI's API refuses less than 16.
    maxOutputTokens: setup.kind === 'openai' ? Math.max(16, maxOutputTokens) : maxOutputTokens,
    ...(tools.length > 0
      ? { tools: tools.map((tool) => ({ type: 'function' as const, ...tool })), toolChoice: { type: 'auto' as const } }
      : {}),
    ...(schema
      ? {
          responseFormat: {
            type: 'json' as const,
            name: 'answer',
            ...(asksInPrompt ? {} : { schema: closed ?? schema }),
          },
        }
      : {}),
    providerOptions: {
      openai: { store: false, ...strict },
      compatible: strict,
      anthropic: { structuredOutputMode: 'jsonTool' },
    },
  };
}

function inWords(schema: JsonSchema): string {
  return `Answer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

function toSdkMessage(message: ModelMessage): SdkMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          // Providers refuse empty texts.
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.calls.map(({ id, tool, input }) => ({
            type: 'tool-call' as const,
            ...{ toolCallId: id, toolName: tool, input: input ?? {} },
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, tool, text, isError }) => ({
          type: 'tool-result' as const,
          ...{ toolCallId: id, toolName: tool },
          output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
        })),
      };
  }
}

/** @throws the error that the provider sent in its stream */
function toPart(part: SdkPart): ModelPart | undefined {
  switch (part.type) {
    case 'text-delta':
      return part.delta === '' ? undefined : { type: 'text', text: part.delta };
    case 'reasoning-delta':
    case 'tool-input-delta':
      return { type: 'working', sizeBytes: Buffer.byteLength(part.delta) };
    case 'tool-call':
      return { type: 'call', call: toCall(part.toolCallId, part.toolName, part.input) };
    case 'error':
      throw part.error;
    case 'finish': {
      const { inputTokens, outputTokens } = part.usage;
      const used = {
        ...(inputTokens.total === undefined ? {} : { inputTokens: inputTokens.total }),
        ...(outputTokens.total === undefined ? {} : { outputTokens: outputTokens.total }),
      };
      return { type: 'end', finish: FINISH[part.finishReason.unified] ?? 'broken', used };
    }
    default:
      return undefined;
  }
}

const FINISH: Partial<Record<string, ModelFinish>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'calls',
  'content-filter': 'withheld',
};

function toCall(id: string, tool: string, input: string): ModelCall {
  return { id, tool, input: parseObject(input) };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  // No arguments at all, for a tool that needs none.
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
