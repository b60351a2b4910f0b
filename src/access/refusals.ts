// The refusals of this folder that others do not have.
import { lacksPermission, ServiceError } from '../lib/errors.ts';
import type { Permission, Principal } from './principal.ts';

export function tooManyRequests(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('too_many_requests', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
}

/** @throws ServiceError 403 if the principal lacks the permission, for what is not decided by the route's own. */
export function need(principal: Principal, permission: Permission): void {
  if (!principal.permissions.has(permission)) throw lacksPermission(principal, permission);
}
