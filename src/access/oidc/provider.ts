// The OpenID provider: the address of its sign-in page, and what it says about the person who comes back from there.
// The only file that talks to it. It must not decide who gets in; sign-in.ts does.
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { InfoLogger } from '../../data/info-logger.ts';
import { ServiceError, unauthenticated } from '../../lib/errors.ts';
import type { ElapsedMs } from '../../lib/time/elapsed.ts';
import type { IdentityClaims } from './claims.ts';

/** What the browser's cookie keeps between leaving for the provider and coming back. */
export interface Errand {
  state: string;
  nonce: string;
  /** RFC 7636. */
  verifier: string;
}

export interface Provider {
  /** The address of the sign-in page. 502 if the provider cannot be reached. */
  begin(): Promise<{ url: string; errand: Errand }>;
  /**
   * Exchanges the code in the callback's query for the person's claims. 401 if the answer does not belong to this
   * errand, 502 if the provider cannot be reached.
   */
  finish(query: URLSearchParams, errand: Errand): Promise<IdentityClaims>;
}

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret?: string | undefined;
  scopes: string;
  /** The address that the provider sends the browser back to. */
  redirectUri: string;
  /** The way out. */
  fetch: typeof fetch;
}

const TIMEOUT_SECONDS = 10;
/** The provider's addresses and keys may change, and that must not require a restart. */
const FRESH_MS = 60 * 60_000;
/** A provider that is down is not asked again on every click. */
const PAUSE_MS = 5_000;

/** Failures of the provider or the connection to it; all other codes mean that its answer is not valid. */
const ITS_FAULT = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

export function createProvider(options: ProviderOptions & { elapsedMs: ElapsedMs; logger: InfoLogger }): Provider {
  const { issuer, clientId, clientSecret, scopes, redirectUri, fetch, elapsedMs, logger } = options;
  const server = new URL(issuer);
  let found: { configuration: Promise<Configuration>; until: number } | undefined;

  function discover(): Promise<Configuration> {
    const nowMs = elapsedMs();
    if (found && found.until > nowMs) return found.configuration;
    const configuration = discovery(server, clientId, clientSecret, clientSecret === undefined ? None() : undefined, {
      timeout: TIMEOUT_SECONDS,
      // Its body types are wider than the standard's.
      [customFetch]: fetch as CustomFetch,
      // Without this the library does not check the id token's signature, because the token comes over TLS.
      execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
    const mine = { configuration, until: nowMs + FRESH_MS };
    found = mine;
    configuration.catch(() => {
      // Present callers get the error; later ones try again.
      mine.until = elapsedMs() + PAUSE_MS;
    });
    return configuration;
  }

  function unreachable(cause: unknown): ServiceError {
    logger.info({ issuer, err: cause }, 'the OpenID provider failed or could not be reached');
    return new ServiceError('upstream_failed', 'the sign-in provider cannot be reached; sign in with a password', {
      cause,
    });
  }

  /** Turns every error of the library into a ServiceError. */
  async function asking<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AuthorizationResponseError) {
        throw unauthenticated(`the provider refused: ${toWord(error.error)}`);
      }
      if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
        throw unauthenticated('this sign-in was used already or is too old; start again');
      }
      if (error instanceof ResponseBodyError || !(error instanceof ClientError)) throw unreachable(error);
      if (ITS_FAULT.has(error.code ?? '')) throw unreachable(error);
      logger.info({ issuer, code: error.code, reason: error.message }, 'an answer of the OpenID provider was rejected');
      throw unauthenticated('the answer of the sign-in provider is not valid; start again');
    }
  }

  return {
    begin: () =>
      asking(async () => {
        const configuration = await discover();
        const errand = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: scopes,
          state: errand.state,
          nonce: errand.nonce,
          code_challenge: await calculatePKCECodeChallenge(errand.verifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, errand };
      }),

    finish: (query, errand) =>
      asking(async () => {
        const configuration = await discover();
        // Built from our own configuration: the address that the browser requested proves nothing.
        const callback = new URL(redirectUri);
        callback.search = query.toString();
        const tokens = await authorizationCodeGrant(configuration, callback, {
          expectedState: errand.state,
          expectedNonce: errand.nonce,
          pkceCodeVerifier: errand.verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (!idToken) throw unauthenticated('the provider sent no id token');
        const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
        const more = endpoint ? await fetchUserInfo(configuration, tokens.access_token, idToken.sub) : {};
        return { issuer: idToken.iss, subject: idToken.sub, idToken, userInfo: more };
      }),
  };
}

/** The provider's name for an error, if it is fit for a sentence. */
function toWord(text: string): string {
  return /^[a-z_]{1,64}$/.test(text) ? text : 'no reason given';
}
