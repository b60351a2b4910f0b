// The refusals of this folder that others do not have.
import { ServiceError } from '../lib/errors.ts';

export function unauthenticated(message: string): ServiceError {
  return new ServiceError('unauthenticated', message);
}

export function tooManyRequests(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('too_many_requests', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
}
