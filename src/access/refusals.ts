// Refusals that only this folder needs.
import { lacksPermission, ServiceError } from '../lib/errors.ts';
import type { Permission, Principal } from './principal.ts';

export function tooManyRequests(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('too_many_requests', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
}

/** For rules beyond the route's own permission. @throws ServiceError 403 if the principal lacks `permission`. */
export function need(principal: Principal, permission: Permission): void {
  if (!principal.permissions.has(permission)) throw lacksPermission(principal, permission);
}
