// An answer that is an error, as the sentence that people read: what the host did not do, why, and what to do about it.
import { errorCodeOf, type HostAnswer, messageOf, toShown } from './host-answer.ts';
import { HostError, type HostReason } from './host-error.ts';
import { type AddressSetting, isOwnAddress } from './own-address.ts';

/** What an error names. */
export interface HostNames {
  /** For people: "Vercel". */
  label: string;
  /** Goes out as `Authorization: Bearer`; empty if requests are authorised in another way. */
  token: string;
  /** The setting with the token, for errors: `vercelToken`. */
  tokenSetting: string;
  /** The setting with the base URL, for errors: `vercelApiUrl`. */
  baseUrlSetting: AddressSetting;
  /** Without a slash at the end. What the host says is shown if this is the provider's own address. */
  baseUrl: string;
}

/** The part of a request that an error shows. */
export interface RefusedRequest {
  what: string;
  token?: string | undefined;
  advice?: Readonly<Record<number, string>> | undefined;
}

const REASONS: Readonly<Record<number, HostReason>> = {
  401: 'refused_token',
  403: 'refused_token',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  412: 'conflict',
  429: 'rate_limited',
};

/**
 * `limitMs` is undefined if the answer is not a rate limit, and null if it is one that does not say for how long.
 */
export function toRefusal(
  parts: HostNames,
  request: RefusedRequest,
  answer: HostAnswer,
  limitMs?: number | null,
): HostError {
  const { status } = answer;
  const secrets = [parts.token, request.token ?? ''];
  const code = errorCodeOf(answer.json);
  const words = [code && `code ${toShown(code, secrets)}`, toShown(messageOf(answer), secrets)];
  const said = isOwnAddress(parts.baseUrlSetting, parts.baseUrl) ? words.filter(Boolean).join(', ') : '';
  const reason = limitMs === undefined ? reasonOf(status) : 'rate_limited';
  const advice = request.advice?.[status] ?? adviceOf(reason, status, parts, limitMs ?? undefined);
  return new HostError(
    reason,
    `${parts.label} answers ${status} to ${request.what}${said ? ` (${said})` : ''}; ${advice}`,
    { status, code, retryAfterMs: limitMs ?? undefined },
  );
}

/** Why an answer of this status is an error. */
export function reasonOf(status: number): HostReason {
  const reason = REASONS[status];
  if (reason) return reason;
  // An answer of 2xx comes here if it is not what the host's API answers; 3xx is never followed.
  return status >= 400 && status < 500 ? 'refused_input' : 'host_failed';
}

function adviceOf(
  reason: HostReason,
  status: number,
  { tokenSetting, baseUrlSetting }: HostNames,
  limitMs: number | undefined,
): string {
  if (status === 403 && reason === 'refused_token') return `check what ${tokenSetting} of the deploy settings may do`;
  if (reason === 'refused_token') return `check ${tokenSetting} in the deploy settings`;
  if (reason === 'not_found') return 'check the names in the deploy settings';
  if (reason === 'conflict') return 'something else changed there at the same time: deploy again';
  if (reason === 'rate_limited') {
    return limitMs === undefined ? 'deploy again later' : `deploy again in ${Math.ceil(limitMs / 60_000)} minutes`;
  }
  if (reason === 'refused_input') return 'the log of the deploy has its steps';
  return status < 400 ? `check ${baseUrlSetting} in the deploy settings` : 'deploy again later';
}
