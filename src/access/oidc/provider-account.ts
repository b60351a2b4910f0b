// The account at the OpenID provider that a user signs in with, as it is stored.
import { z } from 'zod';

export const ProviderAccount = z.object({
  issuer: z.string(),
  /** `sub`: stays the same when name and address change at the provider. */
  subject: z.string(),
  /** True if a sign-in through the provider created this user: no usable password, and no link to set one is mailed. */
  isOrigin: z.boolean(),
});
export type ProviderAccount = z.output<typeof ProviderAccount>;

/** For the audit. */
export function providerChanges(before: ProviderAccount | undefined, after: ProviderAccount | undefined) {
  if (before?.issuer === after?.issuer && before?.subject === after?.subject) return [];
  return [{ key: 'provider', before: before?.issuer ?? null, after: after?.issuer ?? null }];
}
