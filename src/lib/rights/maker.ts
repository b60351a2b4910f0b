// Who made something that outlives a request, as it is stored with it: it ends with the password that was valid then, or
// with the access token.
import { z } from 'zod';

export const StoredMaker = z.object({
  userId: z.string(),
  /** The access token, or the user's password count (`epoch`). */
  by: z.union([z.strictObject({ tokenId: z.string() }), z.strictObject({ epoch: z.int() })]),
});
export type StoredMaker = z.output<typeof StoredMaker>;
