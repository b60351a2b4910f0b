// What an agent may still spend, by day and month in the site's time zone. Pure. Before a step its cost is reserved, the
// most that it may be; afterwards the rest is given back. Runs in parallel see each other's reservations.
import type { AgentBody, Spent } from './agent.ts';

export interface Price {
  usd(used: { inputTokens: number; outputTokens: number }): number | null;
}

export interface Reservation {
  usd: number;
  maxOutputTokens: number;
  /** The periods that it counts in. */
  day: string;
  month: string;
}

/** The same, of the day and month of `now`. */
export function spentNow(spent: Spent, timeZone: string, now: Date): Spent {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  const month = day.slice(0, 7);
  return {
    day,
    dayUsd: spent.day === day ? spent.dayUsd : 0,
    month,
    monthUsd: spent.month === month ? spent.monthUsd : 0,
  };
}

/** Undefined if the budget is used up: not even the question is paid for. `spent` is that of now. */
export function reserve(
  budget: AgentBody['budget'],
  spent: Spent,
  price: Price,
  inputTokens: number,
  maxOutputTokens: number,
): Reservation | undefined {
  const { day, month } = spent;
  const inputUsd = price.usd({ inputTokens, outputTokens: 0 });
  const perToken = price.usd({ inputTokens: 0, outputTokens: 1_000_000 });
  if (inputUsd === null || perToken === null) return { usd: 0, maxOutputTokens, day, month };
  const left = Math.min(
    budget.dailyUsd === null ? Number.POSITIVE_INFINITY : budget.dailyUsd - spent.dayUsd,
    budget.monthlyUsd === null ? Number.POSITIVE_INFINITY : budget.monthlyUsd - spent.monthUsd,
  );
  const affordable = perToken === 0 ? maxOutputTokens : Math.floor(((left - inputUsd) / perToken) * 1_000_000);
  const outputTokens = Math.min(maxOutputTokens, affordable);
  if (left <= 0 || outputTokens < 1) return undefined;
  return { usd: inputUsd + (outputTokens * perToken) / 1_000_000, maxOutputTokens: outputTokens, day, month };
}

/** Adds what a reservation, or the difference to it, costs; periods that are over are left alone. */
export function addSpent(spent: Spent, usd: number, { day, month }: Pick<Reservation, 'day' | 'month'>): Spent {
  const add = (sum: number): number => Math.max(0, sum + usd);
  return {
    ...spent,
    ...(spent.day === day ? { dayUsd: add(spent.dayUsd) } : {}),
    ...(spent.month === month ? { monthUsd: add(spent.monthUsd) } : {}),
  };
}
