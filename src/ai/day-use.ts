// What of the budgets of a day is used. Types only.

export interface UserUse {
  tokens: number;
  usd: number;
}

export interface DayLimits {
  /** Null: without a limit. */
  userTokens: number | null;
  userUsd: number | null;
  siteUsd: number | null;
}

export interface UsedToday {
  user: UserUse;
  siteUsd: number;
  limits: DayLimits;
  /** ISO 8601. */
  beginsAnew: string;
}
