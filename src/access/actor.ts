// From the principal of a request to the author of a change.

import type { AuditActor } from '../audit/entry.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Actor, Principal } from './principal.ts';

/** The author of a change that no user makes: by the scheduler, the command line or the service token. */
export const SYSTEM: Actor = { kind: 'system', name: 'Colophon', email: 'colophon@localhost' };

/** The principal as the audit records it. */
export function toAuditActor({ userId, name, email, tokenId }: Principal): AuditActor {
  return { id: userId, name, email, ...(tokenId === null ? {} : { tokenId }) };
}

/**
 * A session acts as its user, a token as its owner (with `tokenId`), an agent's token as an AI for its owner, the
 * service token as the system. @throws ServiceError 401 for a principal without a user.
 */
export function toActor(principal: Principal): Actor {
  if (principal.kind === 'service') return SYSTEM;
  if (principal.userId === null) throw new ServiceError('unauthenticated', 'a change needs an author; sign in first');
  return {
    kind: principal.isAgent ? 'ai' : 'user',
    userId: principal.userId,
    name: principal.name,
    email: principal.email,
    ...(principal.tokenId === null ? {} : { tokenId: principal.tokenId }),
    ...(principal.aiModel === undefined ? {} : { aiModel: principal.aiModel }),
    ...(principal.permissions.has('content:write') ? {} : { draftsOnly: true }),
  };
}
