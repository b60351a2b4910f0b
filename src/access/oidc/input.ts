// Input of the operations with the OpenID provider.
import { z } from 'zod';

export const LeaveQuery = z.object({
  next: z.string().optional().meta({ description: 'the path to go to afterwards; `/admin` or below' }),
});

/** What a provider sends back beside `code` and `state` is its own affair. */
export const ProviderQuery = z.record(z.string(), z.string());
