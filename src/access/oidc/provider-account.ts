// The account at the OpenID provider that a user signs in with, as it is stored.
import { z } from 'zod';

export const ProviderAccount = z.object({
  issuer: z.string(),
  /** `sub`: stays the same when name and address change there. */
  subject: z.string(),
  /** The provider's sign-in made this user: there is no password, and no link for one is mailed. */
  isOrigin: z.boolean(),
});
export type ProviderAccount = z.output<typeof ProviderAccount>;

/** For the audit. */
export function providerChanges(before: ProviderAccount | undefined, after: ProviderAccount | undefined) {
  if (before?.issuer === after?.issuer && before?.subject === after?.subject) return [];
  return [{ key: 'provider', before: before?.issuer ?? null, after: after?.issuer ?? null }];
}
