// What the people of a site may use of its model in a day of UTC, which no setting of a site moves. Pure. Before a step the
// most that it may use is reserved, so that steps in parallel see it; afterwards the rest is given back.
import type { AiConfig } from '../config/site-config.ts';
import { ServiceError } from '../lib/errors.ts';
import type { TokenUse } from './ai.ts';
import type { DayLimits, UserUse } from './day-use.ts';
import { addUse, costOf, NO_TOKENS } from './tokens.ts';

/** What is used or reserved. */
export interface DayUse {
  /** `2026-01-31`, in UTC. */
  day: string;
  usd: number;
  /** By the id of the user. */
  users: Record<string, UserUse>;
}

export interface Reserved extends TokenUse {
  day: string;
  userId: string | null;
}

const DEFAULT_USER_TOKENS = 1_000_000;
/** An answer that must be shorter is of no use. */
const MIN_OUTPUT_TOKENS = 256;
const DAY_MS = 24 * 3600_000;
const OF_USER = 'your budget for the language model';
const OF_SITE = 'the budget of the site for its language model';
const NO_USE: UserUse = { tokens: 0, usd: 0 };

export function toLimits(ai: Pick<AiConfig, 'budget' | 'price'> | undefined): DayLimits {
  const { dailyUsd = null, userDailyUsd = null, userDailyTokens = DEFAULT_USER_TOKENS } = ai?.budget ?? {};
  return {
    userTokens: userDailyTokens,
    userUsd: ai?.price ? userDailyUsd : null,
    siteUsd: ai?.price ? dailyUsd : null,
  };
}

/** Budgets that cannot be kept, as sentences. */
export function budgetWarnings(ai: Pick<AiConfig, 'budget' | 'price'> | undefined): string[] {
  if (ai?.price) return [];
  return (['dailyUsd', 'userDailyUsd'] as const)
    .filter((key) => typeof ai?.budget?.[key] === 'number')
    .map((key) => `"ai.budget.${key}" cannot be kept: the configuration of the site has no "ai.price"`);
}

/** The same, or nothing if that was another day. */
export function useOf(use: DayUse | undefined, now: Date): DayUse {
  const day = now.toISOString().slice(0, 10);
  return use?.day === day ? use : { day, usd: 0, users: {} };
}

export function userUseOf({ users }: DayUse, userId: string): UserUse {
  return Object.hasOwn(users, userId) ? users[userId]! : NO_USE;
}

export function beginsAnew(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS);
}

/** Returns what the step may use. @throws ServiceError 402 with the time at which the budget begins anew */
export function reserveStep(
  use: DayUse,
  limits: DayLimits,
  { userId, price, inputTokens, maxOutputTokens }: TokenQuestion,
  now: Date,
): Reserved {
  const user = userId === null ? NO_USE : userUseOf(use, userId);
  const inputUsd = costOf({ inputTokens, outputTokens: 0 }, price) ?? 0;
  const tokenUsd = (costOf({ inputTokens: 0, outputTokens: 1_000_000 }, price) ?? 0) / 1_000_000;
  const affordable = (leftUsd: number): number =>
    tokenUsd === 0 ? (leftUsd > inputUsd ? Infinity : 0) : Math.floor((leftUsd - inputUsd) / tokenUsd);
  const least = Math.min(MIN_OUTPUT_TOKENS, maxOutputTokens);
  const check = (left: number, budget: string): number => {
    if (left < least) throw usedUp(budget, now);
    return left;
  };
  const outputTokens = Math.min(
    maxOutputTokens,
    limits.siteUsd === null ? Infinity : check(affordable(limits.siteUsd - use.usd), OF_SITE),
    userId === null || limits.userUsd === null ? Infinity : check(affordable(limits.userUsd - user.usd), OF_USER),
    userId === null || limits.userTokens === null
      ? Infinity
      : check(limits.userTokens - user.tokens - inputTokens, OF_USER),
  );
  return { day: use.day, userId, inputTokens, outputTokens };
}

export interface TokenQuestion {
  /** Null if nobody in particular asks: then it counts for the site alone. */
  userId: string | null;
  price: AiConfig['price'];
  /** Rather too many. */
  inputTokens: number;
  maxOutputTokens: number;
}

/** Adds tokens to what is used; a day that is over is left alone. Negative ones are given back. */
export function addTokens(
  use: DayUse,
  { day, userId }: Pick<Reserved, 'day' | 'userId'>,
  tokens: TokenUse,
  price: AiConfig['price'],
): DayUse {
  if (use.day !== day) return use;
  const usd = costOf(tokens, price) ?? 0;
  const users = { ...use.users };
  if (userId !== null) {
    const before = userUseOf(use, userId);
    const sum = before.tokens + tokens.inputTokens + tokens.outputTokens;
    users[userId] = { tokens: Math.max(0, sum), usd: Math.max(0, before.usd + usd) };
  }
  return { day, usd: Math.max(0, use.usd + usd), users };
}

/** What is to be added to a reservation, so that only what was used counts. */
export function settlement({ inputTokens, outputTokens }: Reserved, used: TokenUse = NO_TOKENS): TokenUse {
  return addUse(used, { inputTokens: -inputTokens, outputTokens: -outputTokens });
}

function usedUp(budget: string, now: Date): ServiceError {
  const at = beginsAnew(now);
  const seconds = Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000));
  return new ServiceError('budget_used_up', `${budget} is used up for today; it begins anew at ${at.toISOString()}`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
