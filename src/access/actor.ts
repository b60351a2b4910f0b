// From the principal of a request to the author of a change.
import { ServiceError } from '../lib/errors.ts';
import type { Actor, Principal } from './principal.ts';

/** The author where no user stands behind a change: the scheduler, the command line, the service token. */
export const SYSTEM: Actor = { kind: 'system', name: 'Colophon', email: 'colophon@localhost' };

/** A session acts as its user, a token as its owner (with `tokenId`), the service token as the system. */
export function toActor(principal: Principal): Actor {
  if (principal.kind === 'service') return SYSTEM;
  if (principal.userId === null) throw new ServiceError('unauthenticated', 'a change needs somebody who makes it');
  return {
    kind: 'user',
    userId: principal.userId,
    name: principal.name,
    email: principal.email,
    ...(principal.tokenId === null ? {} : { tokenId: principal.tokenId }),
  };
}
