// Git's smart HTTP protocol (gitprotocol-http(5)): three URLs below that of a repository. Git clients send Basic
// credentials, and show a refusal to the user only if it is plain text.
import type { Principal } from '../../access/principal.ts';
import { toCaller } from '../../http/limits/caller.ts';
import type { HttpRequest } from '../../http/request.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { forbidden, ServiceError } from '../../lib/errors.ts';
import type { GitSite } from '../git-site.ts';
import { findTokens } from './credentials.ts';
import { openBody, readWhole } from './request-body.ts';
import type { GitClient, GitService } from './service.ts';

/** A client's list of wanted and known commits, decompressed: 80,000 ids; git's clients send 16,384 at a time. */
const UPLOAD_REQUEST_BYTES = 4 << 20;
/** A clone begins with the refs, so they must never come from a cache. */
const FRESH = { 'Cache-Control': 'no-cache, max-age=0, must-revalidate' };

export interface GitRoutesParts {
  service: GitService;
  /** The owner of an access token; undefined if the token is not valid. */
  identify(token: string, address: string): Principal | undefined;
  now(): Date;
}

export function gitRoutes({ service, identify, now }: GitRoutesParts): Route<GitSite>[] {
  const about = {
    tag: 'Git',
    documented: false,
    answers: { 200: { description: 'An answer of git’s protocol' } },
    refusals: 'text' as const,
    site: repositorySite,
    authenticate: authenticateGit(identify),
  };

  return [
    route<GitSite>({
      ...about,
      method: 'get',
      path: '/git/{repository}/info/refs',
      summary: 'Branches and tags',
      allow: (query) => (query.service === 'git-receive-pack' ? 'content:write' : 'content:read'),
      async handle(call) {
        const { site, ctx } = call;
        const asked = ctx.query.service;
        if (asked !== 'git-upload-pack' && asked !== 'git-receive-pack') {
          throw forbidden('this repository is for clients that speak git’s smart HTTP protocol');
        }
        const body = await service.advertise(site, asked, toClient(call));
        return { type: `application/x-${asked}-advertisement`, headers: FRESH, body };
      },
    }),
    route<GitSite>({
      ...about,
      method: 'post',
      path: '/git/{repository}/git-upload-pack',
      summary: 'The objects that a clone or fetch needs',
      allow: 'content:read',
      async handle(call) {
        const { site, header, ctx } = call;
        const signal = untilLeft(call);
        checkType(header('Content-Type'), 'git-upload-pack');
        const request = await readWhole(openBody(ctx.req), UPLOAD_REQUEST_BYTES);
        const body = await service.upload(site, request, toClient(call), signal);
        return { type: 'application/x-git-upload-pack-result', headers: FRESH, body };
      },
    }),
    route<GitSite>({
      ...about,
      method: 'post',
      path: '/git/{repository}/git-receive-pack',
      summary: 'A push',
      allow: 'content:write',
      async handle(call) {
        const { site, header, ctx, principal, requestId } = call;
        const signal = untilLeft(call);
        checkType(header('Content-Type'), 'git-receive-pack');
        const { userId, tokenId, name, email, permissions, isAgent = false } = principal;
        const who = { requestId, userId, tokenId, name, email, address: call.ip, permissions, isAgent };
        const pusher = { ...who, caller: toCaller(call), at: now(), again: call.again };
        const body = await service.receive(site, openBody(ctx.req), pusher, signal);
        return { type: 'application/x-git-receive-pack-result', headers: FRESH, body };
      },
    }),
  ];
}

/** A session does not count: pages of other origins could use it. */
export function authenticateGit(identify: GitRoutesParts['identify']): (request: HttpRequest) => Principal {
  return (request) => authenticate(request, identify);
}

function authenticate({ headers, ip }: HttpRequest, identify: GitRoutesParts['identify']): Principal {
  const tokens = findTokens(headers.authorization);
  for (const token of tokens) {
    const principal = identify(token, ip);
    if (principal) return principal;
  }
  throw new ServiceError(
    'unauthenticated',
    tokens.length
      ? 'the access token is not valid'
      : 'an access token is required as the password; any user name works',
    { headers: { 'WWW-Authenticate': 'Basic realm="colophon", charset="UTF-8"' } },
  );
}

/** The site that a repository's path names. @throws ServiceError 404. */
export function repositorySite({ repository = '' }: Record<string, string>): string {
  const [, site] = /^(.+)\.git$/.exec(repository) ?? [];
  if (site === undefined)
    throw new ServiceError('not_found', `repository "${repository}" not found; the URL of a repository ends in .git`);
  return site;
}

function toClient(call: Call<GitSite, unknown, unknown>): GitClient {
  return { caller: toCaller(call), protocol: parseProtocol(call.header('Git-Protocol')) };
}

/** `version=2:...`; only known versions of the client's header reach git. */
function parseProtocol(header: string): string {
  const version = /(?:^|:)version=([12])(?:$|:)/.exec(header)?.[1];
  return version === undefined ? '' : `version=${version}`;
}

function checkType(type: string, service: string): void {
  if (type.toLowerCase() === `application/x-${service}-request`) return;
  throw new ServiceError('unsupported_media_type', `send application/x-${service}-request`);
}

/** Aborted if the client disconnects before it has its whole answer. */
export function untilLeft({ ctx }: Call<GitSite, unknown, unknown>): AbortSignal {
  const left = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) left.abort();
  });
  return left.signal;
}
