// OpenAI's Chat Completions API, as `openai-compatible` servers have it.
import {
  ApiRefusal,
  argumentsOf,
  checkBearer,
  checkResults,
  checkStrict,
  checkTool,
  event,
  piecesOf,
  type ScriptedAnswer,
  type ScriptedApi,
  usageOf,
} from './script.ts';

export const chatCompletions: ScriptedApi = {
  path: '/chat/completions',
  // biome-ignore lint/suspicious/noExplicitAny: checked here
  read(body: any, headers, key) {
    checkBearer(headers, key);
    const { messages, tools = [], response_format: format, max_tokens: maxTokens, stream = false, model } = body;
    if (!model) throw new ApiRefusal('you must provide a model parameter');
    if (!Array.isArray(messages) || messages.length === 0) throw new ApiRefusal('[] is too short - messages');
    if (maxTokens !== undefined && maxTokens < 1) throw new ApiRefusal('max_tokens is too small');
    for (const { function: one } of tools) checkTool(one.name, one.parameters);
    const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
    for (const { function: one } of calls) JSON.parse(one.arguments);
    checkResults(
      calls.map(({ id }: { id: string }) => id),
      messages.flatMap(({ role, tool_call_id: id }) => (role === 'tool' ? [id] : [])),
    );
    for (const { role, content, tool_calls } of messages) {
      if (role === 'assistant' && !content && !tool_calls) throw new ApiRefusal('an empty message of the assistant');
    }
    const texts = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
    const schema = format?.type === 'json_schema' ? format.json_schema.schema : undefined;
    const strict = format?.json_schema?.strict === true;
    if (strict) checkStrict(schema);
    if (format?.type === 'json_object' && !texts.some(({ text }) => /json/i.test(text))) {
      throw new ApiRefusal("'messages' must contain the word 'json' in some form");
    }
    return {
      system: texts.flatMap(({ role, text }) => (role === 'system' ? [text] : [])).join('\n'),
      messages: texts.filter(({ role }) => role !== 'system'),
      tools: tools.map(({ function: one }: { function: { name: string } }) => one.name),
      ...{ schema, strict, maxTokens, stream, model, body, headers },
    };
  },
  whole(answer, { model }) {
    const { text = null, calls } = answer;
    const tool_calls = calls?.map((call, at) => ({
      id: `call_${at}`,
      type: 'function',
      function: { name: call.tool, arguments: argumentsOf(call) },
    }));
    return {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: text, ...(tool_calls ? { tool_calls } : {}) },
          finish_reason: finishOf(answer),
        },
      ],
      ...usageIn(answer),
    };
  },
  events(answer, { model, body }) {
    const { text = '', calls = [], pieceChars } = answer;
    const chunk = (delta: object, finish: string | null = null): string =>
      event({
        ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model },
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const pieces = piecesOf(text, pieceChars).map((content) => chunk({ role: 'assistant', content }));
    for (const [index, call] of calls.entries()) {
      const start = { index, id: `call_${index}_${Math.random()}`, type: 'function' };
      pieces.push(chunk({ tool_calls: [{ ...start, function: { name: call.tool, arguments: '' } }] }));
      for (const part of piecesOf(argumentsOf(call), pieceChars)) {
        pieces.push(chunk({ tool_calls: [{ index, function: { arguments: part } }] }));
      }
    }
    const usage = usageIn(answer);
    return {
      pieces,
      end: [
        chunk({}, finishOf(answer)),
        // Only if it is asked for.
        ...(usage && body.stream_options?.include_usage
          ? [event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [], ...usage })]
          : []),
        event('[DONE]'),
      ],
    };
  },
  overloaded: event({ error: { message: 'The server is overloaded', type: 'server_error', code: null, param: null } }),
  error: (_status, code, message) => ({ error: { message, type: code, param: null, code } }),
};

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : '';
}

function finishOf({ finish, calls }: ScriptedAnswer): string {
  if (finish) return finish === 'length' ? 'length' : 'content_filter';
  return calls ? 'tool_calls' : 'stop';
}

function usageIn(answer: ScriptedAnswer): object | undefined {
  const usage = usageOf(answer);
  if (!usage) return undefined;
  const { inputTokens, outputTokens } = usage;
  return {
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  };
}
