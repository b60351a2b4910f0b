// An object that fits a schema. The SDK checks nothing, so our own validator does, and the model is asked once more with
// what is wrong.
import { z } from 'zod';
import { tryInput } from '../lib/parse-input.ts';
import type { AiObject, ObjectRequest, TokenUse } from './ai.ts';
import { AnswerCut } from './answer-cut.ts';
import { type AnswerSchema, dropNulls } from './closed-schema.ts';
import type { ConverseParts } from './converse.ts';
import { holdStep } from './hold-step.ts';
import type { ModelMessage } from './model.ts';
import { askStep, noUse, type StepEnd } from './step.ts';
import { addUse, NO_TOKENS } from './tokens.ts';

/** More problems than this help no model. */
const MAX_LISTED = 20;

/** Gets an answer that is of no use, and why: for the operator, who chooses the model. */
export type OnMisfit = (answer: string, problems: readonly string[]) => void;

export async function makeObject<T extends z.ZodType>(
  { ask, maxOutputTokens, limits, reserve, onMisfit }: ConverseParts & { onMisfit: OnMisfit },
  request: ObjectRequest<T>,
): Promise<AiObject<z.output<T>>> {
  const { system, prompt, schema, check, beforeStep, afterStep, tries = 1, signal } = request;
  const jsonSchema = toAnswerSchema(schema);
  const messages: ModelMessage[] = [{ role: 'user', text: prompt }];
  let total: TokenUse = NO_TOKENS;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const most = request.maxOutputTokens ?? maxOutputTokens;
    const allowed = (await beforeStep?.(total))?.maxOutputTokens ?? most;
    const wanted = { system, messages, tools: [], schema: jsonSchema, maxOutputTokens: Math.min(most, allowed) };
    const { question, settle } = await holdStep(reserve, wanted);
    const limit = question.maxOutputTokens;
    let used: TokenUse | undefined;
    const onUsed = (now: TokenUse): void => {
      used = now;
      afterStep?.(now);
    };
    const answer = await askWhole(askStep(ask, question, { tries, limits, signal, onUsed })).finally(() =>
      settle(used),
    );
    total = addUse(total, answer.used);
    if (answer.finish === 'length') {
      onMisfit(answer.text, [`it was cut off at ${limit} tokens`]);
      throw new AnswerCut(limit);
    }
    const checked = checkAnswer(answer.text, { schema, jsonSchema, check });
    if ('value' in checked) return { value: checked.value, used: total };
    onMisfit(answer.text, checked.problems);
    if (attempt === 2) throw noUse('the answer of the model does not fit, even after it was asked again');
    messages.push(
      { role: 'assistant', text: answer.text === '' ? '(empty)' : answer.text, calls: [] },
      {
        role: 'user',
        text: `That does not fit:\n${toList(checked.problems)}\nAnswer again with the whole JSON object.`,
      },
    );
  }
}

function toAnswerSchema(schema: z.ZodType): AnswerSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest as AnswerSchema;
}

async function askWhole(parts: AsyncGenerator<string, StepEnd>): Promise<StepEnd> {
  for (;;) {
    const next = await parts.next();
    if (next.done) return next.value;
  }
}

function checkAnswer<T extends z.ZodType>(
  text: string,
  { schema, jsonSchema, check }: Pick<ObjectRequest<T>, 'schema' | 'check'> & { jsonSchema: AnswerSchema },
): { value: z.output<T> } | { problems: string[] } {
  const parsed = parseJson(text);
  if (!parsed) return { problems: ['it is not JSON'] };
  const tried = tryInput(schema, dropNulls(parsed.value, jsonSchema));
  if ('problems' in tried) return { problems: tried.problems.map(({ path, message }) => `${path}: ${message}`) };
  const problems = check?.(tried.value) ?? [];
  return problems.length > 0 ? { problems: [...problems] } : tried;
}

/** Models like to put JSON into a code block. */
function parseJson(text: string): { value: unknown } | undefined {
  const opened = text.trim().replace(/^```(?:json)?(?=\s)/, '');
  const bare = opened.endsWith('```') ? opened.slice(0, -'```'.length) : opened;
  try {
    return { value: JSON.parse(bare) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toList(problems: readonly string[]): string {
  const more = problems.length - MAX_LISTED;
  const first = problems.slice(0, MAX_LISTED).map((problem) => `- ${problem}`);
  return [...first, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}
