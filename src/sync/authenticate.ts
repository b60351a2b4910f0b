// Which requests below `/_icd/` are carried out: those signed with the secret, within their time, and once.
import type { IncomingMessage } from 'node:http';
import { SyncRefusal } from './refusal.ts';
import { CONTENT_HEADER, isSignedBy, LIFETIME_SECONDS, SIGNATURE_HEADER, TIMESTAMP_HEADER } from './signature.ts';
import type { UsedSignatures } from './used-signatures.ts';

/** What a request says about itself, not verified yet. */
export interface SignatureClaim {
  timestamp: string;
  signature: string;
  /** The hash of its body, if it says it in advance. */
  sha256: string | undefined;
}

export interface Authenticator {
  /** @throws SyncRefusal 401 if a header is missing, malformed or expired */
  parse(request: IncomingMessage): SignatureClaim;
  /** @throws SyncRefusal 401 if the signature does not cover the request with this hash, or was used */
  verify(request: IncomingMessage, claim: SignatureClaim, sha256: string): Promise<void>;
}

export interface AuthenticatorParts {
  secret: string;
  used: UsedSignatures;
  now(): Date;
}

export function createAuthenticator({ secret, used, now }: AuthenticatorParts): Authenticator {
  function checkTime(timestamp: string): void {
    const nowSeconds = now().getTime() / 1000;
    if (Math.abs(nowSeconds - Number(timestamp)) <= LIFETIME_SECONDS) return;
    throw unauthenticated(
      `the request is not of these ${LIFETIME_SECONDS} seconds; it is ${Math.floor(nowSeconds)} here`,
    );
  }

  return {
    parse(request) {
      const timestamp = headerOf(request, TIMESTAMP_HEADER);
      const signature = headerOf(request, SIGNATURE_HEADER);
      const sha256 = headerOf(request, CONTENT_HEADER);
      if (!/^\d{1,12}$/.test(timestamp) || !/^sha256=[0-9a-f]{64}$/.test(signature)) {
        throw unauthenticated('the request is not signed');
      }
      if (sha256 !== '' && !/^[0-9a-f]{64}$/.test(sha256)) throw unauthenticated('the hash of the body is not one');
      checkTime(timestamp);
      return { timestamp, signature, sha256: sha256 === '' ? undefined : sha256 };
    },
    async verify(request, { timestamp, signature }, sha256) {
      const { method = '', url: target = '' } = request;
      if (!isSignedBy(secret, { timestamp, method, target, sha256 }, signature)) {
        throw unauthenticated('the signature does not fit the request');
      }
      // A long body may have arrived after its time.
      checkTime(timestamp);
      if (method === 'GET' || method === 'HEAD') return;
      if (!(await used.use(signature, Number(timestamp) + LIFETIME_SECONDS))) {
        throw unauthenticated('the signature was used before');
      }
    },
  };
}

function unauthenticated(message: string): SyncRefusal {
  return new SyncRefusal(401, message);
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
