// OpenAI's Responses API.
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

export const openaiResponses: ScriptedApi = {
  path: '/responses',
  // biome-ignore lint/suspicious/noExplicitAny: checked here
  read(body: any, headers, key) {
    checkBearer(headers, key);
    const { input, tools = [], text: asked, max_output_tokens: maxTokens, stream = false, model } = body;
    if (!Array.isArray(input) || input.length === 0) throw new ApiRefusal('input: expected at least one item');
    if (maxTokens !== undefined && maxTokens < 16) throw new ApiRefusal('max_output_tokens: expected at least 16');
    for (const { name, parameters, strict } of tools) {
      checkTool(name, parameters);
      if (strict) checkStrict(parameters);
    }
    checkResults(
      input.flatMap(({ type, call_id: id }) => (type === 'function_call' ? [id] : [])),
      input.flatMap(({ type, call_id: id }) => (type === 'function_call_output' ? [id] : [])),
    );
    const format = asked?.format;
    const schema = format?.type === 'json_schema' ? format.schema : undefined;
    const strict = format?.strict === true;
    if (strict) checkStrict(schema);
    const texts = input.map(({ role = 'tool', content, output, arguments: args }) => ({
      role,
      text: textOf(content ?? output ?? args),
    }));
    const isSystem = ({ role }: { role: string }): boolean => role === 'system' || role === 'developer';
    return {
      system: texts.flatMap((one) => (isSystem(one) ? [one.text] : [])).join('\n'),
      messages: texts.filter((one) => !isSystem(one)),
      tools: tools.map(({ name }: { name: string }) => name),
      ...{ schema, strict, maxTokens, stream, model, body, headers },
    };
  },
  whole: (answer, { model }) => responseOf(answer, model),
  events(answer, { model }) {
    const { text = '', calls = [], pieceChars } = answer;
    let sequence = 0;
    const say = (type: string, data: object): string => event({ type, sequence_number: sequence++, ...data }, type);
    const pieces = [say('response.created', { response: { ...base(model), status: 'in_progress', output: [] } })];
    let output_index = 0;
    if (text) {
      const item_id = 'msg_1';
      const item = { id: item_id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
      pieces[0] += say('response.output_item.added', { output_index, item });
      for (const delta of piecesOf(text, pieceChars)) {
        pieces.push(
          say('response.output_text.delta', { item_id, output_index, content_index: 0, delta, logprobs: [] }),
        );
      }
      const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
      const done = { ...item, status: 'completed', content };
      pieces.push(say('response.output_item.done', { output_index: output_index++, item: done }));
    }
    for (const call of calls) {
      const id = `fc_${Math.random()}`;
      const item = { id, type: 'function_call', status: 'in_progress', call_id: `call_${id}`, name: call.tool };
      pieces.push(say('response.output_item.added', { output_index, item: { ...item, arguments: '' } }));
      for (const delta of piecesOf(argumentsOf(call), pieceChars)) {
        pieces.push(say('response.function_call_arguments.delta', { item_id: id, output_index, delta }));
      }
      const done = { ...item, status: 'completed', arguments: argumentsOf(call) };
      pieces.push(say('response.output_item.done', { output_index: output_index++, item: done }));
    }
    const response = responseOf(answer, model);
    return { pieces, end: [say(answer.finish ? 'response.incomplete' : 'response.completed', { response })] };
  },
  overloaded: event(
    { type: 'error', sequence_number: 9, error: { type: 'server_error', code: 'server_error', message: 'overloaded' } },
    'error',
  ),
  error: (_status, code, message) => ({ error: { message, type: code, param: null, code } }),
};

function base(model: string): object {
  return { id: 'resp_1', object: 'response', created_at: 1, model, service_tier: null };
}

function responseOf(answer: ScriptedAnswer, model: string): object {
  const { text, calls = [], finish } = answer;
  const usage = usageOf(answer);
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return {
    ...base(model),
    status: finish ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: finish ? { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
    output: [
      ...(text ? [{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content }] : []),
      ...calls.map((call, at) => ({
        ...{ id: `fc_${at}`, type: 'function_call', status: 'completed', call_id: `call_${at}` },
        ...{ name: call.tool, arguments: argumentsOf(call) },
      })),
    ],
    usage: usage && {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : '';
}
