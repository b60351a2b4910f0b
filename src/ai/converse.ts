// A conversation with tools, step by step: the model answers, its calls run one after another, and it answers again.
// Results are cut at 20 KB, say so, and are marked as untrusted.
import { ServiceError } from '../lib/errors.ts';
import type { AiEvent, AiTool, ConverseRequest, TokenUse } from './ai.ts';
import { holdStep, type ReserveStep } from './hold-step.ts';
import type { AskModel, ModelCall, ModelMessage, ModelResult } from './model.ts';
import { askStep, noUse, type StepLimits } from './step.ts';
import { addUse, NO_TOKENS } from './tokens.ts';
import { markUntrusted } from './untrusted.ts';

/** Per result: a model that is given more reads less of it. */
const MAX_RESULT_BYTES = 20 * 1024;
/** No task needs more calls at once; a model that makes more is in a loop. */
const MAX_CALLS_AT_ONCE = 32;

export interface ConverseParts {
  ask: AskModel;
  maxOutputTokens: number;
  limits: StepLimits;
  /** Reserves what a step may use; undefined if its payer keeps other budgets. */
  reserve?: ReserveStep | undefined;
}

export async function* converse(
  { ask, maxOutputTokens, limits, reserve }: ConverseParts,
  request: ConverseRequest,
): AsyncGenerator<AiEvent> {
  const { system, tools = [], maxSteps, beforeStep, tries = 1, signal } = request;
  const messages: ModelMessage[] = request.messages.map(({ role, content }) =>
    role === 'user' ? { role, text: content } : { role, text: content, calls: [] },
  );
  const names = new Map(tools.map((tool) => [tool.name, tool]));
  let total = NO_TOKENS;
  let hasSaid = false;
  for (let step = 1; step <= maxSteps; step++) {
    signal.throwIfAborted();
    const allowed = await beforeStep?.(total);
    let used: TokenUse | undefined;
    const { question, settle } = await holdStep(reserve, {
      ...{ system, messages },
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      maxOutputTokens: Math.min(maxOutputTokens, allowed?.maxOutputTokens ?? maxOutputTokens),
    });
    const answer = askStep(ask, question, { tries, limits, signal, onUsed: (now) => (used = now) });
    let next: Awaited<ReturnType<typeof answer.next>>;
    try {
      if (step === 1) yield { type: 'begin' };
      for (next = await answer.next(); !next.done; next = await answer.next()) yield { type: 'text', text: next.value };
    } catch (error) {
      // An answer that broke off is paid for too.
      if (used) yield { type: 'step', used };
      throw error;
    } finally {
      await answer.return(undefined as never);
      await settle(used);
    }
    const { text, calls, finish, used: usedNow } = next.value;
    total = addUse(total, usedNow);
    yield { type: 'step', used: usedNow };
    hasSaid ||= text !== '';
    if (finish === 'length') return yield { type: 'done', used: total, finish: 'length' };
    if (calls.length === 0) {
      // After calls, a model may have nothing to add.
      if (!hasSaid && step === 1) throw noUse('the answer of the model is empty; try again, or change what is asked');
      return yield { type: 'done', used: total, finish: 'stop' };
    }
    const results: ModelResult[] = [];
    for (const [index, call] of calls.entries()) {
      yield { type: 'tool_call', id: call.id, tool: call.tool, input: call.input ?? {} };
      const { result, isError } = await runCall(call, index, names, signal);
      yield { type: 'tool_result', id: call.id, tool: call.tool, result, isError };
      results.push({ id: call.id, tool: call.tool, text: markUntrusted(`tool ${call.tool}`, toText(result)), isError });
    }
    messages.push({ role: 'assistant', text, calls }, { role: 'tool', results });
  }
  yield { type: 'done', used: total, finish: 'steps' };
}

/** Returns what the model sees. Refusals of the service are results; a bug is thrown. */
async function runCall(
  { tool: name, input }: ModelCall,
  index: number,
  tools: ReadonlyMap<string, AiTool>,
  signal: AbortSignal,
): Promise<{ result: unknown; isError: boolean }> {
  signal.throwIfAborted();
  const tool = tools.get(name);
  const refuse = (code: string, error: string) => ({ result: { error, code }, isError: true });
  if (index >= MAX_CALLS_AT_ONCE) return refuse('invalid_input', `at most ${MAX_CALLS_AT_ONCE} calls at once`);
  if (!tool)
    return refuse('not_found', `there is no such tool; the tools are ${[...tools.keys()].join(', ') || 'none'}`);
  if (!input) return refuse('invalid_input', 'the arguments are not a JSON object; send them again');
  try {
    return { result: await tool.run(input, signal), isError: false };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, details } = error;
    return { result: { error: message, code, ...(details ? { details } : {}) }, isError: true };
  }
}

function toText(result: unknown): string {
  const text = JSON.stringify(result) ?? 'null';
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_RESULT_BYTES) return text;
  const kept = bytes.subarray(0, MAX_RESULT_BYTES).toString('utf8').replace(/�+$/, '');
  return `${kept}\n[cut: this is the first ${MAX_RESULT_BYTES} of ${bytes.length} bytes; ask for less, or for a part]`;
}
