// The one end of the line for errors: turns what was thrown into what the client gets. A bug shows only its request id.
import { type ErrorCode, invalid, ServiceError, STATUS, toStorageError } from '../lib/errors.ts';
import { isNoSpace, isShortage } from '../lib/shortage.ts';
import { ClientGone } from './body.ts';

export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: { error: string; code: ErrorCode; details?: { path: string; message: string }[]; requestId?: string };
  /** True if the error must be logged with its stack. */
  isBug: boolean;
}

export function toRefusal(thrown: unknown, requestId: string): Refusal {
  const error = toServiceError(thrown);
  if (!error || error.code === 'internal') {
    const body = { error: 'internal error', code: 'internal' as const, requestId };
    return { status: 500, headers: {}, body, isBug: true };
  }
  const headers = { ...error.headers };
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  if (error.status === 401 && !names.has('www-authenticate')) headers['WWW-Authenticate'] = 'Bearer';
  const details = error.details && error.details.length > 0 ? { details: error.details } : {};
  return { status: error.status, headers, body: { error: error.message, code: error.code, ...details }, isBug: false };
}

/**
 * Returns the refusal for a ServiceError, an error of a library that reads bodies (with a 4xx status that it exposes),
 * a full disk or a shortage; undefined for a bug.
 */
function toServiceError(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof ServiceError) return thrown;
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof ClientGone) return invalid('the request body ended too early');
  const noSpace = [thrown, thrown.cause].find(isNoSpace);
  if (noSpace) return toStorageError(noSpace) as ServiceError;
  if (isShortage(thrown) || isShortage(thrown.cause)) {
    return new ServiceError('unavailable', 'the service is short of descriptors or memory; try again in a moment', {
      cause: thrown,
      headers: { 'Retry-After': '1' },
    });
  }
  const { status, expose } = thrown as { status?: unknown; expose?: unknown };
  if (expose !== true || typeof status !== 'number' || status < 400 || status > 499) return undefined;
  const code = (Object.keys(STATUS) as ErrorCode[]).find((key) => STATUS[key] === status) ?? 'invalid_input';
  return new ServiceError(code, thrown.message, { cause: thrown });
}
