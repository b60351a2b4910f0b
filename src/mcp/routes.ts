// The MCP endpoints: public and admin over stateless Streamable HTTP, and what there is to know about them.
import type { Actor, Principal } from '../access/principal.ts';
import type { AuditActor } from '../audit/entry.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { notFound } from '../lib/errors.ts';
import { ADMIN_PATH, McpInfo, PUBLIC_PATH, toInfo } from './info.ts';
import { type McpSession, type McpSite, READER } from './mcp-site.ts';
import { exchange } from './routes-exchange.ts';

export interface McpRouteParts {
  toActor(principal: Principal): Actor;
  toAuditActor(principal: Principal): AuditActor;
  /** @throws 403 if a page of another origin sends the request */
  refuseOtherOrigin(call: McpCall): void;
  /** Counts a request of the public endpoint. @throws 429 */
  chargePublic(address: string): void;
  reportBug(error: unknown, call: McpCall): void;
}

type McpCall = Call<McpSite, unknown, unknown>;

const TAG = 'MCP';
const MESSAGE = { 'application/json': { type: 'object', description: 'one JSON-RPC 2.0 message' } };
const ANSWERS = {
  200: { description: 'The JSON-RPC answer', contentType: 'application/json' },
  202: { description: 'A notification was received' },
  400: { description: 'Not one JSON-RPC message, or of a protocol version that is not known' },
  403: { description: 'A page of another origin' },
};

export function mcpRoutes(parts: McpRouteParts): Route<McpSite>[] {
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
        404: { description: 'The site has turned it off' },
        429: { description: 'Too many requests' },
      },
      missing: notHere,
      handle(call) {
        parts.refuseOtherOrigin(call);
        parts.chargePublic(call.ip);
        if (!call.site.settings.read().mcpPublic) throw notHere();
        return answer(call, publicSession(call, parts));
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
    route<McpSite>({
      method: 'get',
      path: `${PUBLIC_PATH}/info`,
      summary: 'The MCP endpoints, and the tools and collections that the caller may use',
      tag: TAG,
      allow: 'public',
      answers: { 200: { description: 'Server metadata', schema: McpInfo } },
      handle: ({ site, principal }) => ({ body: toInfo(site, principal) }),
    }),
  ];
}

async function answer(call: McpCall, session: McpSession): Promise<Answer> {
  const { status, headers, ...rest } = await exchange(call, session);
  return { status, headers: { ...headers, 'Cache-Control': 'no-store' }, ...rest };
}

function publicSession(call: McpCall, parts: McpRouteParts): McpSession {
  const { site, principal, requestId } = call;
  return {
    ...{ site, requestId },
    principal: { ...principal, heldBack: undefined, ...READER } as Principal,
    actor: undefined,
    reserve: async () => undefined,
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
