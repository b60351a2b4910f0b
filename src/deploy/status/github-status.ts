// The newest workflow run of the site's repository, by octokit. Many callers share one request; the host is asked at
// most every five seconds, and with the last ETag. Octokit is loaded with the first call, never at the start.
import type { Octokit } from 'octokit';
import { ServiceError } from '../../lib/errors.ts';
import type { ElapsedMs } from '../../lib/time/elapsed.ts';
import type { Settings, SiteSettings } from '../../settings/settings.ts';
import type { GithubStatus } from '../input.ts';
import { boundedFetch, NotReadable, Redirected } from './bounded-fetch.ts';
import { RunsAnswer, toGithubStatus } from './run-status.ts';

/** @throws upstream_failed with what to check */
export type ReadGithubStatus = () => Promise<GithubStatus>;

export interface GithubStatusParts {
  settings: Pick<Settings, 'read'>;
  fetch: typeof fetch;
  elapsedMs: ElapsedMs;
  timeoutMs?: number;
}

const FRESH_MS = 5000;
const TIMEOUT_MS = 10_000;
/** A host that asks for more patience gets so much. */
const MAX_WAIT_MS = 60_000;
const NOT_FOUND: GithubStatus = { found: false };

/** What is known of one repository with one token. */
interface Asked {
  place: string;
  octokit: Octokit;
  etag?: string | undefined;
  status?: GithubStatus;
  refusal?: ServiceError | undefined;
  freshUntil: number;
  asking?: Promise<void> | undefined;
}

type GithubPlace = Pick<SiteSettings, 'githubApiUrl' | 'deployAppName' | 'deployApiToken'>;

export function createGithubStatus(parts: GithubStatusParts): ReadGithubStatus {
  const { settings, elapsedMs, timeoutMs = TIMEOUT_MS } = parts;
  let asked: Promise<Asked> | undefined;
  let place = '';

  async function open(of: GithubPlace): Promise<Asked> {
    const { Octokit } = await import('octokit');
    const octokit = new Octokit({
      auth: of.deployApiToken,
      baseUrl: of.githubApiUrl,
      userAgent: 'colophon',
      request: { fetch: boundedFetch(parts.fetch, timeoutMs) },
      // The caller asks again soon enough, and gets an error in time.
      throttle: { enabled: false },
      retry: { enabled: false },
      log: SILENT,
    });
    return { place: of.deployAppName, octokit, freshUntil: Number.NEGATIVE_INFINITY };
  }

  async function ask(one: Asked): Promise<void> {
    let freshMs = FRESH_MS;
    try {
      const answer = await requestRuns(one);
      if (answer !== 'unchanged') Object.assign(one, answer);
      one.refusal = undefined;
    } catch (error) {
      const { refusal, waitMs } = toRefusal(error, one.place);
      one.refusal = refusal;
      freshMs = Math.min(MAX_WAIT_MS, Math.max(FRESH_MS, waitMs));
    } finally {
      one.freshUntil = elapsedMs() + freshMs;
      one.asking = undefined;
    }
  }

  return async () => {
    const { githubApiUrl, deployAppName, deployApiToken } = settings.read();
    if (deployApiToken === '' || !deployAppName.includes('/')) return NOT_FOUND;
    const now = [githubApiUrl, deployAppName, deployApiToken].join('\n');
    if (!asked || now !== place) {
      place = now;
      asked = open({ githubApiUrl, deployAppName, deployApiToken });
    }
    const one = await asked;
    if (elapsedMs() >= one.freshUntil) await (one.asking ??= ask(one));
    if (one.refusal) throw one.refusal;
    return one.status ?? NOT_FOUND;
  };
}

const nothing = (): void => undefined;
/** Octokit's own lines would have addresses in them. */
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

async function requestRuns({
  octokit,
  place,
  etag,
  status,
}: Asked): Promise<Pick<Asked, 'etag' | 'status'> | 'unchanged'> {
  const [owner = '', repo = ''] = place.split('/');
  const headers = { 'x-github-api-version': '2022-11-28', ...(etag && status && { 'if-none-match': etag }) };
  try {
    const answer = await octokit.request('GET /repos/{owner}/{repo}/actions/runs', {
      ...{ owner, repo, per_page: 1, headers },
    });
    const parsed = RunsAnswer.safeParse(answer.data);
    if (!parsed.success) throw new NotReadable('it does not have the form of GitHub’s API');
    return { etag: answer.headers.etag, status: toGithubStatus(parsed.data) };
  } catch (error) {
    if (statusOf(error) === 304) return 'unchanged';
    throw error;
  }
}

/** The status of the host's answer. Octokit gives an error without an answer the status 500, and its cause. */
function statusOf(error: unknown): number | undefined {
  const { status, response } = error as { status?: unknown; response?: unknown };
  return typeof status === 'number' && response ? status : undefined;
}

/** Sentences of ours only: the host's text could have anything in it. */
function toRefusal(error: unknown, place: string): { refusal: ServiceError; waitMs: number } {
  const headers = (error as { response?: { headers?: Record<string, string | undefined> } }).response?.headers ?? {};
  const status = statusOf(error);
  const isLimit =
    status === 429 || (status === 403 && (headers['retry-after'] ?? headers['x-ratelimit-remaining'] === '0'));
  const seconds = Number(headers['retry-after'] ?? 60);
  return {
    refusal: new ServiceError('upstream_failed', `the git host ${sentence(error, place, isLimit ? 429 : status)}`),
    waitMs: isLimit && Number.isFinite(seconds) ? seconds * 1000 : 0,
  };
}

const SENTENCES: Record<number, string> = {
  401: 'refuses the token; check deployApiToken, which may have expired',
  403: 'does not allow the token to read workflow runs; deployApiToken needs "Actions: read" of the repository',
  404: 'does not have the repository, or hides it from the token; check deployAppName and deployApiToken',
  429: 'has been asked too often; the status is read again in a minute',
};

function sentence(error: unknown, place: string, status: number | undefined): string {
  const known = status === undefined ? undefined : SENTENCES[status];
  if (known) return `${known} ("${place}")`;
  const reason = error instanceof Error && error.cause instanceof NotReadable ? error.cause : error;
  if (reason instanceof Redirected) return `says that "${place}" has moved; set deployAppName to its new name`;
  if (reason instanceof NotReadable)
    return `answered something that cannot be read: ${reason.message}; check githubApiUrl`;
  if (status !== undefined && status >= 400) return `failed with ${status}; try again later, or check githubApiUrl`;
  return 'cannot be reached, or did not answer in time; check githubApiUrl';
}
