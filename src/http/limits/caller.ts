// Whose share of a place a request takes: the user's, whichever token or session is used, and the address of a stranger.
import type { Principal } from '../../access/principal.ts';
import { addressKey } from '../../lib/address-key.ts';

export function toCaller({ principal, ip }: { principal: Pick<Principal, 'userId' | 'kind'>; ip: string }): string {
  const { userId, kind } = principal;
  if (userId !== null) return `user ${userId}`;
  return kind === 'service' ? 'service' : `address ${addressKey(ip)}`;
}
