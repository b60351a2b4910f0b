// The MCP endpoints: public and admin over stateless Streamable HTTP, and what there is to know about them.
import { z } from 'zod';
import type { Actor, Principal } from '../access/principal.ts';
import type { AuditActor } from '../audit/entry.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { notFound } from '../lib/errors.ts';
import { ADMIN_PATH, McpInfo, PUBLIC_PATH, toInfo } from './info.ts';
import { type McpSession, type McpSite, READER } from './mcp-site.ts';
import { findPublicReads } from './public-reads.ts';
import { exchange } from './routes-exchange.ts';

export interface McpRouteParts {
  toActor(principal: Principal): Actor;
  toAuditActor(principal: Principal): AuditActor;
  /** @throws 403 if a page of another origin sends the request */
  refuseOtherOrigin(call: McpCall): void;
  /** The site that a request means; undefined if it means none that exists and the caller is a stranger. */
  findSite(call: McpCall, named: string | undefined): McpSite | undefined;
  /** Whether strangers may read a collection over REST. */
  isPublic(site: McpSite, collection: string): boolean;
  /** Counts a request of the public endpoint. @throws 429 */
  chargePublic(address: string): void;
  reportBug(error: unknown, call: McpCall): void;
}

type McpCall = Call<McpSite, unknown, unknown>;

const TAG = 'MCP';
const InfoQuery = z.object({ site: z.string().optional() });
const MESSAGE = { 'application/json': { type: 'object', description: 'one JSON-RPC 2.0 message' } };
const ANSWERS = {
  200: { description: 'The JSON-RPC answer', contentType: 'application/json' },
  202: { description: 'A notification was received' },
  400: { description: 'Not one JSON-RPC message, or of a protocol version that is not known' },
  403: { description: 'A page of another origin' },
};

export function mcpRoutes(parts: McpRouteParts): Route<McpSite>[] {
  const publicReads = (site: McpSite) => findPublicReads(site, (name) => parts.isPublic(site, name));
  return [
    route<McpSite>({
      method: 'post',
      path: PUBLIC_PATH,
      summary: 'MCP for everybody: tools that read published documents',
      tag: TAG,
      allow: 'public',
      consumes: MESSAGE,
      answers: {
        ...ANSWERS,
        404: { description: 'The site shows strangers nothing, or has turned it off' },
        429: { description: 'Too many requests' },
      },
      missing: notHere,
      has: (site) => publicReads(site) !== undefined,
      handle(call) {
        const mayRead = publicReads(call.site);
        if (!mayRead) throw notHere();
        parts.refuseOtherOrigin(call);
        parts.chargePublic(call.ip);
        return answer(call, publicSession(call, parts, mayRead));
      },
    }),
    route<McpSite>({
      method: 'post',
      path: ADMIN_PATH,
      summary: 'MCP for the owner of an access token: the tools that its permissions open',
      tag: TAG,
      allow: 'token',
      consumes: MESSAGE,
      answers: ANSWERS,
      handle(call) {
        parts.refuseOtherOrigin(call);
        return answer(call, adminSession(call, parts));
      },
    }),
    route<McpSite, typeof InfoQuery>({
      method: 'get',
      path: `${PUBLIC_PATH}/info`,
      summary: 'The MCP endpoints, and the tools and collections that the caller may use',
      tag: TAG,
      allow: 'public',
      // The answer is about a site, and the same for a stranger at one that does not exist.
      site: false,
      query: InfoQuery,
      answers: { 200: { description: 'Server metadata', schema: McpInfo } },
      handle(call) {
        const site = parts.findSite(call, call.query().site);
        return { body: toInfo(site, call.principal, site && publicReads(site)) };
      },
    }),
  ];
}

async function answer(call: McpCall, session: McpSession): Promise<Answer> {
  const { status, headers, ...rest } = await exchange(call, session);
  return { status, headers: { ...headers, 'Cache-Control': 'no-store' }, ...rest };
}

function publicSession(call: McpCall, parts: McpRouteParts, mayRead: McpSession['mayRead']): McpSession {
  const { site, principal, requestId } = call;
  return {
    ...{ site, requestId },
    principal: { ...principal, heldBack: undefined, ...READER } as Principal,
    actor: undefined,
    reserve: async () => undefined,
    mayRead,
    record: async () => undefined,
    reportBug: (error) => parts.reportBug(error, call),
  };
}

function adminSession(call: McpCall, parts: McpRouteParts): McpSession {
  const { site, principal, requestId } = call;
  return {
    ...{ site, principal, requestId },
    actor: parts.toActor(principal),
    reserve: () => site.audit.reserve([site.id], parts.toAuditActor(principal)),
    async record(tool, { ok, document }) {
      const changes = [
        { key: 'document', before: null, after: document },
        { key: 'ok', before: null, after: ok },
      ];
      const entry = site.audit.toEntry({
        ...{ site: site.id, actor: parts.toAuditActor(principal) },
        ...{ action: `mcp.${tool}`, target: document, changes },
      });
      await site.audit.append([entry]);
    },
    reportBug: (error) => parts.reportBug(error, call),
  };
}

function notHere(): Error {
  return notFound('the public MCP endpoint');
}
