// The models of one site: set up from its configuration and the environment, asked through the provider.
import type { SiteConfig } from '../config/site-config.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Ai, AiEvent, AiPayer, ConverseRequest } from './ai.ts';
import { converse } from './converse.ts';
import { budgetWarnings } from './day-budget.ts';
import type { DayLedger } from './day-ledger.ts';
import { makeObject } from './make-object.ts';
import type { AskModel } from './model.ts';
import { createAskModel } from './provider.ts';
import { providerBusy } from './provider-error.ts';
import { type AiKeys, type ProviderSetup, toProviderSetup } from './setup.ts';
import { STEP_LIMITS, type StepLimits } from './step.ts';
import { costOf } from './tokens.ts';

const DEFAULT_TIMEOUT_S = 300;
/** Enough to see what a model makes of the schema. */
const MAX_LOGGED_CHARS = 8 << 10;
const MAX_LOGGED_PROBLEMS = 20;
export const DEFAULT_MAX_OUTPUT_TOKENS = 4096;

export interface AiParts {
  config: Pick<SiteConfig, 'ai'>;
  keys: AiKeys;
  /** The way out: addresses of models are the operator's own word. */
  fetch: typeof fetch;
  /** Keeps the budgets of the day; without it people have no limit. */
  ledger?: DayLedger;
  /** Has answers that are of no use at `debug`: they may be as secret as drafts are. */
  logger?: { debug(details: object, message: string): void };
  /** Shorter ones for tests. */
  limits?: Partial<StepLimits>;
  /** Models of tests. */
  createAsk?: (setup: ProviderSetup, fetch: typeof globalThis.fetch) => AskModel;
}

export function createAi(options: AiParts): Ai {
  const { config, keys, fetch, ledger, limits, createAsk = createAskModel } = options;
  const { ai } = config;
  const setup = toProviderSetup(ai, keys);
  const ask = typeof setup === 'string' ? undefined : createAsk(setup, fetch);
  const timeoutMs = (ai?.timeout ?? DEFAULT_TIMEOUT_S) * 1000;

  function checkReady(): void {
    if (typeof setup === 'string') throw new ServiceError('unavailable', setup);
  }

  function onMisfit(answer: string, problems: readonly string[]): void {
    const details = { answer: answer.slice(0, MAX_LOGGED_CHARS), problems: problems.slice(0, MAX_LOGGED_PROBLEMS) };
    options.logger?.debug(details, 'the answer of the model does not fit what was asked');
  }

  function parts(payer: AiPayer) {
    checkReady();
    return {
      ask: ask!,
      maxOutputTokens: ai?.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
      limits: { ...STEP_LIMITS, ...limits },
      reserve: payer === 'agent' || !ledger ? undefined : ledger.reserve.bind(undefined, payer.userId),
    };
  }

  return {
    model: typeof setup === 'string' ? undefined : setup.model,
    checkReady,
    warnings: budgetWarnings(ai),
    usedToday: async (userId) => (ledger ? await ledger.usedBy(userId) : null),
    costUsd: (used) => costOf(used, ai?.price),
    async *converse(request: ConverseRequest): AsyncGenerator<AiEvent> {
      using time = limitTime(request.signal, timeoutMs);
      yield* converse(parts(request.payer), { ...request, signal: time.signal });
    },
    async makeObject(request) {
      using time = limitTime(request.signal, timeoutMs);
      return await makeObject({ ...parts(request.payer), onMisfit }, { ...request, signal: time.signal });
    },
  };
}

/** Aborts with the signal, or when the time is over; then with a refusal as its reason. */
function limitTime(signal: AbortSignal, limitMs: number): Disposable & { signal: AbortSignal } {
  const over = new AbortController();
  const end = (): void => over.abort(providerBusy('the AI provider takes too long; try again later'));
  const timer = setTimeout(end, limitMs).unref();
  return { signal: AbortSignal.any([signal, over.signal]), [Symbol.dispose]: () => clearTimeout(timer) };
}
