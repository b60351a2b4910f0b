// What went wrong at the provider, as a refusal of ours. An error of the SDK holds the prompt, the answer and sometimes the
// key, so nothing of it is passed on but its status, Retry-After, and its code if that is one of the known ones.
import { ServiceError } from '../lib/errors.ts';

interface CallError {
  statusCode?: number;
  /** The SDK's own opinion; with a status of success, it means that the connection broke. */
  isRetryable?: unknown;
  responseHeaders?: Record<string, string>;
  data?: unknown;
  type?: unknown;
  code?: unknown;
  message?: unknown;
}

const KNOWN_CODES = new Set([
  ...['authentication_error', 'permission_error', 'not_found_error', 'invalid_request_error', 'billing_error'],
  ...['rate_limit_error', 'overloaded_error', 'api_error', 'timeout_error', 'request_too_large', 'server_error'],
  ...['invalid_api_key', 'model_not_found', 'insufficient_quota', 'rate_limit_exceeded', 'context_length_exceeded'],
  ...['invalid_json_schema', 'unsupported_parameter', 'unsupported_value'],
]);
const TOO_LONG = /context[_ ]length|context window|maximum context|prompt is too long|request_too_large/i;
const BUSY_CODES = new Set(['rate_limit_error', 'overloaded_error', 'api_error', 'timeout_error', 'server_error']);

/** `sizeChars` is the size of what was sent, for the refusal of text that does not fit. */
export function toProviderRefusal(error: unknown, sizeChars: number): ServiceError {
  if (error instanceof ServiceError) return error;
  const call: CallError = typeof error === 'object' && error !== null ? error : {};
  const status = typeof call.statusCode === 'number' ? call.statusCode : undefined;
  const code = findCode(call);
  // The message is only looked at, never repeated: it may quote the prompt.
  const isTooLong = status === 413 || code === 'context_length_exceeded' || isAboutLength(call, status);
  if (isTooLong) return tooLong(sizeChars);
  const named = [status === undefined ? '' : `status ${status}`, code ?? ''].filter(Boolean).join(', ');
  const isBroken = status !== undefined && status < 300 && call.isRetryable === true;
  if (isBroken || isBusy(status, code)) {
    return providerBusy(`the AI provider is busy or failed${named ? ` (${named})` : ''}; try again later`, call);
  }
  if (status === undefined) return providerBusy('the AI provider could not be reached, or broke off; try again later');
  const advice =
    status === 401 || status === 403
      ? 'check its key in the environment of the service'
      : status < 400
        ? 'its answer is not one of its API: check "ai.baseURL" in the configuration of the site'
        : 'check "ai.model" and "ai.baseURL" in the configuration of the site';
  return new ServiceError('provider_refused', `the AI provider refused the request (${named}); ${advice}`);
}

export function tooLong(sizeChars: number): ServiceError {
  return new ServiceError('too_large', `the text does not fit the model: ${sizeChars} characters; send less of it`);
}

export function providerBusy(message: string, call: CallError = {}): ServiceError {
  const after = call.responseHeaders?.['retry-after'];
  // Seconds only: some providers send dates, and ours is sent on.
  const headers = after !== undefined && /^\d{1,6}$/.test(after) ? { 'Retry-After': after } : undefined;
  return new ServiceError('provider_busy', message, headers ? { headers } : {});
}

function isBusy(status: number | undefined, code: string | undefined): boolean {
  if (status !== undefined) return status === 408 || status === 409 || status === 429 || status >= 500;
  return code !== undefined && BUSY_CODES.has(code);
}

function isAboutLength({ message }: CallError, status: number | undefined): boolean {
  return (status === 400 || status === undefined) && typeof message === 'string' && TOO_LONG.test(message);
}

/** The code or type that the provider names, in the shapes of the three APIs. */
function findCode({ data, type, code }: CallError): string | undefined {
  const inner = (data as { error?: { code?: unknown; type?: unknown } } | undefined)?.error;
  const found = [inner?.code, inner?.type, code, type].find((one) => typeof one === 'string' && KNOWN_CODES.has(one));
  return found as string | undefined;
}
