// What the people of a site have used of its model today, `_data/ai-use.json`: a reservation is durable before the model
// is asked, so that neither a crash nor a restart gives it back.
import { z } from 'zod';
import type { AiConfig } from '../config/site-config.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { ServiceError } from '../lib/errors.ts';
import { parseStoredJson } from '../lib/stored-json.ts';
import type { TokenUse } from './ai.ts';
import {
  addTokens,
  beginsAnew,
  type DayUse,
  type Reserved,
  reserveStep,
  settlement,
  toLimits,
  useOf,
  userUseOf,
} from './day-budget.ts';
import type { UsedToday } from './day-use.ts';

export interface HeldStep {
  maxOutputTokens: number;
  /** Gives back what was not used; without an argument, all of it. */
  settle(used?: TokenUse): Promise<void>;
}

export interface DayLedger {
  /** @throws ServiceError 402 `budget_used_up`; 507 */
  reserve(userId: string | null, question: { inputTokens: number; maxOutputTokens: number }): Promise<HeldStep>;
  usedBy(userId: string): Promise<UsedToday>;
}

export interface DayLedgerParts {
  data: Pick<DataFolder, 'read' | 'write'>;
  ai: AiConfig | undefined;
  now: () => Date;
  warn(message: string, error?: unknown): void;
}

const FILE = 'ai-use.json';
const StoredUse = z.object({
  version: z.literal(1),
  day: z.string(),
  usd: z.number().min(0),
  users: z.record(z.string(), z.object({ tokens: z.number().min(0), usd: z.number().min(0) })),
});

export function createDayLedger({ data, ai, now, warn }: DayLedgerParts): DayLedger {
  const limits = toLimits(ai);
  const price = ai?.price;
  let use: DayUse | undefined;
  let opening: Promise<void> | undefined;
  /** The write under way, and the next one, which has everything that is changed until it begins. */
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function load(): Promise<void> {
    const bytes = await data.read(FILE);
    const found = bytes && parseStoredJson(StoredUse, bytes);
    if (bytes && !found) warn(`file "_data/${FILE}" is damaged: what was used of the model today counts anew`);
    use = useOf(found, now());
  }

  function open(): Promise<void> {
    opening ??= load().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  function save(): Promise<void> {
    next ??= writing
      .catch(() => undefined) // its callers have the error
      .then(() => {
        next = undefined;
        writing = data.write(FILE, `${JSON.stringify({ version: 1, ...use })}\n`);
        return writing;
      });
    return next;
  }

  async function add(to: Reserved, tokens: TokenUse): Promise<void> {
    use = addTokens(useOf(use, now()), to, tokens, price);
    await save();
  }

  return {
    async reserve(userId, question) {
      await open();
      const before = useOf(use, now());
      const reserved = reserveStep(before, limits, { userId, price, ...question }, now());
      use = addTokens(before, reserved, reserved, price);
      await save().catch((error: unknown) => {
        use = addTokens(useOf(use, now()), reserved, settlement(reserved), price);
        throw error;
      });
      let isSettled = false;
      return {
        maxOutputTokens: reserved.outputTokens,
        async settle(used) {
          if (isSettled) return;
          isSettled = true;
          await add(reserved, settlement(reserved, used)).catch((error: unknown) => {
            // Memory has it, and the file has what was reserved.
            if (!(error instanceof ServiceError)) throw error;
            warn('what was used of the language model could not be stored', error);
          });
        },
      };
    },
    async usedBy(userId) {
      await open();
      const today = useOf(use, now());
      const [user, at] = [userUseOf(today, userId), beginsAnew(now())];
      return { user, siteUsd: today.usd, limits, beginsAnew: at.toISOString() };
    },
  };
}
