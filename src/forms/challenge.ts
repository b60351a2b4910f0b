// Cloudflare Turnstile, the server's half: sends a visitor's token to the verifier, once. If the verifier cannot be
// reached, no submission passes.
import { z } from 'zod';
import type { FormConfig } from '../config/form-config.ts';
import { invalid, ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';

export const TOKEN_FIELD = 'cf-turnstile-response';

export interface Challenge {
  /**
   * The site key that a page needs to show the challenge; empty if none is configured. Undefined without a challenge.
   */
  siteKey(form: FormConfig): string | undefined;
  /** Resolves if the form has no challenge or it was solved. @throws ServiceError 400, 502 or 503. */
  verify(form: FormConfig, token: unknown, ip: string): Promise<void>;
}

export interface ChallengeParts {
  variables: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  logger: Pick<Logger, 'warn'>;
}

const VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
/** The variables for a form that configures only `turnstile: true`. */
const SECRET_ENV = 'TURNSTILE_SECRET_KEY';
const SITE_KEY_ENV = 'TURNSTILE_SITE_KEY';
const TIMEOUT_MS = 5000;
/** developers.cloudflare.com/turnstile: the maximum length of a token. */
const MAX_TOKEN_CHARS = 2048;

const Verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });
type Verdict = z.output<typeof Verdict>;

export function createChallenge({ variables, fetch, logger }: ChallengeParts): Challenge {
  async function ask(url: string, body: URLSearchParams): Promise<Verdict> {
    const options = { method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    try {
      const answer = await fetch(url, options);
      if (!answer.ok) throw new Error(`the verifier answered ${answer.status}`);
      return Verdict.parse(await answer.json());
    } catch (cause) {
      // Unreachable, too slow, or not a verifier's answer. The error never contains our secret, which is only in the
      // body.
      logger.warn({ url, err: cause }, 'a challenge could not be verified');
      throw unverifiable(cause);
    }
  }

  return {
    siteKey(form) {
      const settings = settingsOf(form);
      return settings && (settings.siteKey ?? variables[SITE_KEY_ENV] ?? '');
    },
    async verify(form, token, ip) {
      const settings = settingsOf(form);
      if (!settings) return;
      const secretEnv = settings.secretEnv ?? SECRET_ENV;
      const secret = variables[secretEnv];
      if (!secret) {
        logger.warn({ form: form.name, variable: secretEnv }, 'a challenge cannot be verified: its secret is not set');
        throw new ServiceError('unavailable', 'this form cannot verify its challenge at present');
      }
      if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_CHARS) throw unsolved();
      const body = new URLSearchParams({ secret, response: token, remoteip: ip });
      const verdict = await ask(settings.verifyUrl ?? VERIFY_URL, body);
      if (verdict.success) return;
      const ours = verdict['error-codes'].filter((code) => /input-secret|internal-error|bad-request/.test(code));
      if (ours.length === 0) throw unsolved();
      logger.warn({ form: form.name, codes: ours }, 'a challenge could not be verified');
      throw unverifiable();
    },
  };
}

interface ChallengeSettings {
  siteKey?: string | undefined;
  secretEnv?: string | undefined;
  verifyUrl?: string | undefined;
}

function settingsOf({ spam: { turnstile } }: FormConfig): ChallengeSettings | undefined {
  if (turnstile === true) return {};
  return turnstile === false ? undefined : turnstile;
}

function unsolved(): ServiceError {
  return invalid([
    { path: TOKEN_FIELD, message: 'the challenge was not solved, or was solved too long ago; try again' },
  ]);
}

function unverifiable(cause?: unknown): ServiceError {
  return new ServiceError('upstream_failed', 'the challenge cannot be verified at present; try again later', { cause });
}
