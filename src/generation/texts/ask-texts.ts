// A model's versions of many texts, in portions that fit its answers. What is wrong with marks or lengths is asked for
// once more; a text that is still wrong is left to the caller.
import { z } from 'zod';
import type { Ai, AiPayer, TokenUse } from '../../ai/ai.ts';
import { AnswerCut } from '../../ai/answer-cut.ts';
import { markUntrusted } from '../../ai/untrusted.ts';
import { ServiceError } from '../../lib/errors.ts';
import { markProblem, type TextUnit } from './text-map.ts';

/** The texts of one question: some 2,000 tokens, half of what a model may answer by default. */
const PORTION_BYTES = 6000;
const PORTION_TEXTS = 60;
/** All texts; the largest document of a site is four times as long. */
const MAX_BYTES = 1024 * 1024;

export interface TextsRequest {
  system: string;
  /** `document posts/hello`. */
  source: string;
  units: readonly TextUnit[];
  payer: AiPayer;
  signal: AbortSignal;
}

export async function askTexts(ai: Ai, request: TextsRequest): Promise<{ texts: string[]; used: TokenUse }> {
  const { units } = request;
  const sizeBytes = units.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (sizeBytes > MAX_BYTES) {
    throw new ServiceError(
      'too_large',
      `the texts have ${sizeBytes} bytes; at most ${MAX_BYTES} can be sent to a model`,
    );
  }
  const texts: string[] = [];
  const used = { inputTokens: 0, outputTokens: 0 };
  const count = (step: TokenUse): void => {
    used.inputTokens += step.inputTokens;
    used.outputTokens += step.outputTokens;
  };
  for (const portion of toPortions(units)) texts.push(...(await askInTwo(ai, request, portion, count)));
  return { texts, used };
}

/** In halves if the answer is cut: other languages need other numbers of tokens, and each site has its own limit. */
async function askInTwo(
  ai: Ai,
  request: TextsRequest,
  units: readonly TextUnit[],
  count: (step: TokenUse) => void,
): Promise<string[]> {
  try {
    return (await askPortion(ai, request, units, count)).value.texts;
  } catch (error) {
    if (!(error instanceof AnswerCut) || units.length === 1) throw error;
    const half = Math.ceil(units.length / 2);
    const first = await askInTwo(ai, request, units.slice(0, half), count);
    return [...first, ...(await askInTwo(ai, request, units.slice(half), count))];
  }
}

function askPortion(
  ai: Ai,
  { system, source, payer, signal }: TextsRequest,
  units: readonly TextUnit[],
  afterStep: (step: TokenUse) => void,
) {
  let isSecond = false;
  return ai.makeObject({
    payer,
    system,
    prompt:
      `Answer with {"texts": [...]}: ${units.length} texts, in the same order.\n` +
      markUntrusted(source, JSON.stringify({ texts: units.map(toShown) })),
    schema: z.object({ texts: z.array(z.string()).length(units.length) }),
    check({ texts }) {
      if (isSecond) return [];
      isSecond = true;
      return texts.flatMap((text, at) => {
        const problem = problemOf(units[at]!, text);
        return problem === undefined ? [] : [`texts.${at}: ${problem}`];
      });
    },
    afterStep,
    signal,
  });
}

function toShown({ text, marks, maxLength }: TextUnit): object {
  if (marks.length === 0 && maxLength === undefined) return { text };
  return {
    text,
    ...(marks.length > 0 ? { marks: Object.fromEntries(marks.map((mark, at) => [`⟦${at + 1}⟧`, mark])) } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}

function problemOf({ text, maxLength }: TextUnit, answer: string): string | undefined {
  if (answer.trim() === '') return 'is empty';
  if (maxLength !== undefined && answer.length > maxLength) return `must have at most ${maxLength} characters`;
  return markProblem(text, answer);
}

function* toPortions(units: readonly TextUnit[]): Generator<TextUnit[]> {
  let portion: TextUnit[] = [];
  let sizeBytes = 0;
  for (const unit of units) {
    const unitBytes = Buffer.byteLength(unit.text) + Buffer.byteLength(unit.marks.join(''));
    if (portion.length === PORTION_TEXTS || (portion.length > 0 && sizeBytes + unitBytes > PORTION_BYTES)) {
      yield portion;
      portion = [];
      sizeBytes = 0;
    }
    portion.push(unit);
    sizeBytes += unitBytes;
  }
  if (portion.length > 0) yield portion;
}
