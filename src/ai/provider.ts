// The only file that knows the AI SDK. It uses the SDK's models themselves (`doStream`) and not `streamText` above them,
// which would log errors with the prompt to the console, ask again by itself, send a bare model name to a third party's
// gateway, and load 30 MB. Loaded with the first question.
import type { LanguageModel } from 'ai';
import { type AnswerSchema, closeSchema } from './closed-schema.ts';
import type { AskModel, ModelCall, ModelFinish, ModelMessage, ModelPart, ModelQuestion } from './model.ts';
import type { ProviderSetup } from './setup.ts';

type SdkModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;
type SdkOptions = Parameters<SdkModel['doStream']>[0];
type SdkMessage = SdkOptions['prompt'][number];
type SdkPart = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type SdkFinish = Extract<SdkPart, { type: 'finish' }>;

type CreateModel = (fetchHere: typeof fetch) => SdkModel;

/** `fetchModel` is the way out. */
export function createAskModel(setup: ProviderSetup, fetchModel: typeof fetch): AskModel {
  let loading: Promise<CreateModel> | undefined;
  return async function* ask(question, signal) {
    loading ??= loadModels(setup);
    const createModel = await loading;
    signal.throwIfAborted();
    const options = { ...toOptions(question, setup), abortSignal: signal };
    try {
      const { stream } = await createModel(streaming(fetchModel)).doStream(options);
      for await (const part of stream) {
        const translated = toPart(part);
        if (translated) yield translated;
      }
    } catch (error) {
      if (!(error instanceof AnsweredWhole)) throw error;
      const { response } = error;
      yield* toParts(await createModel(async () => response).doGenerate(options));
    }
  };
}

/** The address and key are always given, because the SDK would look for them in variables that are not ours. */
async function loadModels({ kind, model, baseURL, apiKey, takesSchema }: ProviderSetup): Promise<CreateModel> {
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return (fetch) => createAnthropic({ baseURL, apiKey: apiKey ?? '', fetch }).languageModel(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return (fetch) => createOpenAI({ baseURL, apiKey: apiKey ?? '', fetch }).responses(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return (fetch) =>
        createOpenAICompatible({
          name: 'compatible',
          ...{ baseURL, fetch, includeUsage: true, supportsStructuredOutputs: takesSchema },
          ...(apiKey === undefined ? {} : { apiKey }),
        }).chatModel(model);
    }
  }
}

/** A stream was asked for, and the server answered in one piece, as some local ones do. */
class AnsweredWhole extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super('the provider does not stream');
    this.response = response;
  }
}

/** A page of a machine in front of the provider, which the SDK would read as an answer without text. */
class AnsweredPage extends Error {
  readonly statusCode = 200;
}

/** Does not follow redirects, which would take prompt and key to another server. */
function streaming(fetchModel: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchModel(input, { ...init, redirect: 'manual' });
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && /^application\/json\b/i.test(type)) throw new AnsweredWhole(response);
    if (response.ok && /^text\/html\b/i.test(type)) {
      await response.body?.cancel();
      throw new AnsweredPage('the provider answered with a page');
    }
    return response;
  };
}

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

function inWords(schema: AnswerSchema): string {
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
          ...(message.text.trim() === '' ? [] : [{ type: 'text' as const, text: message.text }]),
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
    case 'finish':
      return toModelEnd(part);
    default:
      return undefined;
  }
}

/** An answer in one piece as the parts that a stream has. */
function* toParts({ content, ...rest }: Awaited<ReturnType<SdkModel['doGenerate']>>): Generator<ModelPart> {
  for (const part of content) {
    if (part.type === 'text' && part.text !== '') yield { type: 'text', text: part.text };
    if (part.type === 'tool-call') {
      yield { type: 'working', sizeBytes: Buffer.byteLength(part.input) };
      yield { type: 'call', call: toCall(part.toolCallId, part.toolName, part.input) };
    }
  }
  yield toModelEnd(rest);
}

function toModelEnd({ finishReason, usage }: Pick<SdkFinish, 'finishReason' | 'usage'>): ModelPart {
  const { inputTokens, outputTokens } = usage;
  const used = {
    ...(inputTokens.total === undefined ? {} : { inputTokens: inputTokens.total }),
    ...(outputTokens.total === undefined ? {} : { outputTokens: outputTokens.total }),
  };
  return { type: 'end', finish: FINISH[finishReason.unified] ?? 'broken', used };
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
