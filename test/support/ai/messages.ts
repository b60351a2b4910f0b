// Anthropic's Messages API.
import {
  ApiRefusal,
  argumentsOf,
  checkResults,
  checkTool,
  event,
  piecesOf,
  type ScriptedAnswer,
  type ScriptedApi,
  type ScriptedCall,
  type ScriptedRequest,
  usageOf,
} from './script.ts';

interface Block {
  type: string;
  text?: string;
  id?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: string | Block[];
}

export const anthropicMessages: ScriptedApi = {
  path: '/messages',
  // biome-ignore lint/suspicious/noExplicitAny: checked here
  read(body: any, headers, key) {
    if (key !== undefined && headers['x-api-key'] !== key) {
      throw new ApiRefusal('invalid x-api-key', 401, 'authentication_error');
    }
    if (!headers['anthropic-version']) throw new ApiRefusal('anthropic-version: header is required');
    const { messages, system = [], tools = [], max_tokens: maxTokens, stream = false, model, output_config } = body;
    if (!(maxTokens >= 1)) throw new ApiRefusal('max_tokens: Field required');
    if (!Array.isArray(messages) || messages[0]?.role !== 'user') {
      throw new ApiRefusal('messages: first message must use the "user" role');
    }
    for (const { name, input_schema } of tools) checkTool(name, input_schema);
    for (const [at, { role, content }] of messages.entries()) {
      const blocks = toBlocks(content);
      if (blocks.length === 0) throw new ApiRefusal('messages: content must not be empty');
      for (const { type, text } of blocks) {
        if (type === 'text' && !text?.trim()) throw new ApiRefusal('text content blocks must be non-empty');
      }
      if (role !== 'assistant') continue;
      for (const { type, input } of blocks) {
        const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
        if (type === 'tool_use' && !isObject) throw new ApiRefusal('tool_use.input: Input should be an object');
      }
      const results = toBlocks(messages[at + 1]?.content ?? []).flatMap(({ tool_use_id: id }) => id ?? []);
      checkResults(
        blocks.flatMap(({ type, id }) => (type === 'tool_use' && id ? [id] : [])),
        results,
      );
      if (at === messages.length - 1 && /\s$/.test(blocks.at(-1)?.text ?? '')) {
        throw new ApiRefusal('final assistant content cannot end with trailing whitespace');
      }
    }
    return {
      system: toBlocks(system)
        .map(({ text = '' }) => text)
        .join('\n'),
      messages: messages.map(({ role, content }) => ({ role, text: toBlocks(content).map(textOf).join('\n') })),
      tools: tools.map(({ name }: { name: string }) => name),
      schema: output_config?.format?.schema ?? forcedTool(body)?.input_schema,
      strict: false,
      ...{ maxTokens, stream, model, body, headers },
    };
  },
  whole(answer, request) {
    // Arguments are an object in an answer of one piece; a model that finds none answers with text.
    const isCall = answer.text === undefined || isObjectText(answer.text);
    const { text, calls } = isCall ? asCalls(answer, request) : { text: answer.text, calls: answer.calls ?? [] };
    const { inputTokens = 0, outputTokens = 0 } = usageOf(answer) ?? {};
    return {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: request.model, stop_sequence: null },
      content: [
        ...(text ? [{ type: 'text', text }] : []),
        ...calls.map((call, at) => ({
          type: 'tool_use',
          id: `toolu_${at}`,
          name: call.tool,
          input: toObject(call.input),
        })),
      ],
      stop_reason: finishOf(answer, calls),
      usage: { input_tokens: inputTokens, output_tokens: outputTokens },
    };
  },
  events(answer, request) {
    const { text, calls } = asCalls(answer, request);
    const { inputTokens = 0, outputTokens = 0 } = usageOf(answer) ?? {};
    const say = (type: string, data: object): string => event({ type, ...data }, type);
    const message = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', content: [], model: request.model },
      ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: inputTokens, output_tokens: 1 } },
    };
    const pieces = [say('message_start', { message }) + say('ping', {})];
    let index = 0;
    if (text) {
      pieces[0] += say('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (const part of piecesOf(text, answer.pieceChars)) {
        pieces.push(say('content_block_delta', { index, delta: { type: 'text_delta', text: part } }));
      }
      pieces.push(say('content_block_stop', { index: index++ }));
    }
    for (const call of calls) {
      const content_block = { type: 'tool_use', id: `toolu_${Math.random()}`, name: call.tool, input: {} };
      pieces.push(say('content_block_start', { index, content_block }));
      for (const partial_json of piecesOf(argumentsOf(call), answer.pieceChars)) {
        pieces.push(say('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } }));
      }
      pieces.push(say('content_block_stop', { index: index++ }));
    }
    return {
      pieces,
      end: [
        say('message_delta', {
          delta: { stop_reason: finishOf(answer, calls), stop_sequence: null },
          usage: { output_tokens: outputTokens },
        }),
        say('message_stop', {}),
      ],
    };
  },
  overloaded: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'),
  error: (_status, code, message) => ({ type: 'error', error: { type: code, message } }),
};

/** A request that forces a tool gets its text as the arguments of that tool. */
function asCalls(answer: ScriptedAnswer, { body }: ScriptedRequest): { text: string; calls: readonly ScriptedCall[] } {
  const forced = forcedTool(body);
  if (!forced || answer.calls) return { text: answer.text ?? '', calls: answer.calls ?? [] };
  return { text: '', calls: answer.text === undefined ? [] : [{ tool: forced.name, input: answer.text }] };
}

// biome-ignore lint/suspicious/noExplicitAny: it was checked when it came in
function forcedTool({ tools = [], tool_choice: choice }: any): { name: string; input_schema: unknown } | undefined {
  if (choice?.type === 'any') return tools[0];
  return choice?.type === 'tool' ? tools.find(({ name }: { name: string }) => name === choice.name) : undefined;
}

function toObject(input: unknown): unknown {
  return typeof input === 'string' ? JSON.parse(input) : input;
}

function isObjectText(text: string): boolean {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function toBlocks(content: string | Block[]): Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textOf({ text, content, input }: Block): string {
  if (text !== undefined) return text;
  if (content !== undefined) return toBlocks(content).map(textOf).join('\n');
  return input === undefined ? '' : JSON.stringify(input);
}

function finishOf({ finish }: ScriptedAnswer, calls: readonly ScriptedCall[]): string {
  if (finish) return finish === 'length' ? 'max_tokens' : 'refusal';
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}
