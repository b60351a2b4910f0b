// One answer of a model: watched (a limit for silence and one for its size), tried again if the provider is busy and has
// said nothing yet, and counted even if it breaks off. Errors of the SDK end here.
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../lib/errors.ts';
import type { TokenUse } from './ai.ts';
import type { AskModel, ModelCall, ModelFinish, ModelPart, ModelQuestion } from './model.ts';
import { providerBusy, tooLong, toProviderRefusal } from './provider-error.ts';
import { estimateTokens } from './tokens.ts';

export interface StepLimits {
  /** Without a token for this long, the provider counts as busy. */
  silenceMs: number;
  /** What is sent; no model reads more. */
  maxSentChars: number;
  /** First pause before another try, doubled each time. */
  pauseMs: number;
}

export const STEP_LIMITS: StepLimits = { silenceMs: 60_000, maxSentChars: 4_000_000, pauseMs: 2000 };

/** A provider that wants a longer pause is not waited for. */
const MAX_PAUSE_MS = 30_000;
/** Far more than any limit of tokens gives. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export interface StepEnd {
  text: string;
  calls: ModelCall[];
  finish: Exclude<ModelFinish, 'broken' | 'withheld'>;
  used: TokenUse;
}

export interface StepOptions {
  tries: number;
  limits: StepLimits;
  signal: AbortSignal;
  /** Called once with what the answer used, also if it broke off. */
  onUsed(used: TokenUse): void;
}

/** Yields the text as it comes. @throws as `Ai.converse` */
export async function* askStep(
  ask: AskModel,
  question: ModelQuestion,
  options: StepOptions,
): AsyncGenerator<string, StepEnd> {
  const sentChars = sizeOf(question);
  if (sentChars > options.limits.maxSentChars) throw tooLong(sentChars);
  for (let attempt = 1; ; attempt++) {
    try {
      return yield* tryStep(ask, question, sentChars, options);
    } catch (error) {
      if (!(error instanceof NothingSaid)) throw error;
      const pauseMs = pauseBefore(error.refusal, options.limits.pauseMs * 2 ** (attempt - 1));
      if (error.refusal.code !== 'provider_busy' || attempt >= options.tries || pauseMs > MAX_PAUSE_MS) {
        throw error.refusal;
      }
      await pause(pauseMs, options.signal);
    }
  }
}

/** The provider refused before it said anything, so that it may be asked again. */
class NothingSaid extends Error {
  readonly refusal: ServiceError;

  constructor(refusal: ServiceError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

async function* tryStep(
  ask: AskModel,
  question: ModelQuestion,
  sentChars: number,
  { limits, signal, onUsed }: StepOptions,
): AsyncGenerator<string, StepEnd> {
  const leaving = new AbortController();
  const parts = ask(question, AbortSignal.any([signal, leaving.signal]))[Symbol.asyncIterator]();
  const said = { text: '', calls: [] as ModelCall[], sizeBytes: 0 };
  let end: Extract<ModelPart, { type: 'end' }> | undefined;
  try {
    while (!end) {
      const next = await within(parts.next(), limits.silenceMs, signal);
      if (next.done) break;
      const part = next.value;
      if (part.type === 'end') end = part;
      else {
        said.sizeBytes += sizeOfPart(part);
        if (said.sizeBytes > MAX_ANSWER_BYTES) throw noUse('the answer of the model has no end');
        if (part.type === 'call') said.calls.push(part.call);
        if (part.type === 'text') {
          said.text += part.text;
          yield part.text;
        }
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    const refusal = toProviderRefusal(error, sentChars);
    if (said.sizeBytes === 0) throw new NothingSaid(refusal);
    throw refusal;
  } finally {
    // Ends the request if the reader left or the provider is silent.
    leaving.abort();
    // What was said is paid for, whatever happened then.
    if (end || said.sizeBytes > 0) onUsed(toUse(end?.used ?? {}, sentChars, said.sizeBytes));
  }
  return toEnd(said, end, toUse(end?.used ?? {}, sentChars, said.sizeBytes));
}

function toEnd(
  { text, calls }: { text: string; calls: ModelCall[] },
  end: Extract<ModelPart, { type: 'end' }> | undefined,
  used: TokenUse,
): StepEnd {
  if (!end || end.finish === 'broken') {
    if (text === '' && calls.length === 0)
      throw providerBusy('the AI provider ended without an answer; try again later');
    throw providerBusy('the answer of the AI provider broke off; try again later');
  }
  if (end.finish === 'withheld') throw noUse('the AI provider withheld the answer; change what is asked');
  return { text, calls, finish: end.finish, used };
}

export function noUse(message: string): ServiceError {
  return new ServiceError('model_output', message);
}

function toUse(reported: Partial<TokenUse>, sentChars: number, sizeBytes: number): TokenUse {
  return {
    inputTokens: toCount(reported.inputTokens, sentChars),
    outputTokens: toCount(reported.outputTokens, sizeBytes),
  };
}

/** As a provider reports it, or estimated; 0 of something is no count. */
function toCount(reported: number | undefined, size: number): number {
  const isCount = reported !== undefined && Number.isSafeInteger(reported) && reported >= 0;
  return isCount && (reported > 0 || size === 0) ? reported : estimateTokens(size);
}

/** Resolves with the work, or rejects when the signal aborts or the time is over. */
async function within<T>(work: Promise<T>, limitMs: number, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(() => reject(providerBusy('the AI provider is silent; try again later')), limitMs);
  work.catch(() => undefined); // it may fail after the race is over
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined); // the next line has the reason
  signal.throwIfAborted();
}

function pauseBefore({ headers }: ServiceError, usualMs: number): number {
  const seconds = headers['Retry-After'];
  return seconds === undefined ? usualMs : Number(seconds) * 1000;
}

function sizeOfPart(part: Exclude<ModelPart, { type: 'end' }>): number {
  if (part.type === 'working') return part.sizeBytes;
  if (part.type === 'text') return Buffer.byteLength(part.text);
  // Its arguments were counted while they came, if they did.
  return 1;
}

function sizeOf({ system, messages, tools, schema }: ModelQuestion): number {
  return system.length + JSON.stringify({ messages, tools, schema }).length;
}
