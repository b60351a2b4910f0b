// The shape of `ai` in cms.config: the language model that a site uses.
import { z } from 'zod';
import { HttpUrl, Text } from './scalars.ts';

const Price = z.number().min(0);
const Limit = z.number().min(0).max(1_000_000_000).nullable();

export const AiSchema = z.strictObject({
  provider: z
    .enum(['anthropic', 'openai', 'openai-compatible'])
    .optional()
    .describe('Who runs the model; its key is in the variable `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`.'),
  model: Text.optional().describe('The name of the model, as the provider calls it.'),
  baseURL: HttpUrl.optional().describe(
    'The address of the provider’s API, such as `http://127.0.0.1:11434/v1`; an `openai-compatible` server needs it ' +
      'here or in `OPENAI_BASE_URL`.',
  ),
  price: z
    .strictObject({
      inputPerMillion: Price.describe('US dollars for a million tokens that the model reads.'),
      outputPerMillion: Price.describe('US dollars for a million tokens that the model writes.'),
    })
    .optional()
    .describe('What tokens cost; without it costs are unknown and budgets in dollars cannot be kept.'),
  budget: z
    .strictObject({
      dailyUsd: Limit.optional().describe('US dollars a day for everybody of the site together; none if absent.'),
      userDailyUsd: Limit.optional().describe('US dollars a day for one user; none if absent.'),
      userDailyTokens: Limit.optional().describe(
        'Tokens a day for one user, read and written; 1,000,000 if absent, `null` for no limit.',
      ),
    })
    .optional()
    .describe(
      'What people may use of the model in a day of UTC, in the chat, for texts and translations, and for the brand ' +
        'voice; agents have budgets of their own. Dollars need `price`.',
    ),
  timeout: z
    .int()
    .min(1)
    .max(900)
    .optional()
    .describe('Seconds in all that one request may wait for the provider; 300 if absent.'),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional().describe('The most tokens of one answer; 4096 if absent.'),
  structured: z
    .boolean()
    .optional()
    .describe(
      'Whether an `openai-compatible` server takes a JSON Schema. `false` if absent: the schema is in the prompt.',
    ),
});
