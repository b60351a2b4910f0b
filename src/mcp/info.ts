// GET /api/mcp/info: what a person or a program needs to know before it connects.
import { z } from 'zod';
import type { Principal } from '../access/principal.ts';
import { listReadable } from '../tools/documents-read.ts';
import type { Tools } from '../tools/registry.ts';
import { VERSION } from '../version.ts';
import { type McpSite, type PublicReads, READER } from './mcp-site.ts';

export const PUBLIC_PATH = '/api/mcp';
export const ADMIN_PATH = '/api/mcp/admin';
export const PUBLIC_PER_MINUTE = 60;
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'] as const;

const Endpoint = z.object({ path: z.string(), enabled: z.boolean(), auth: z.enum(['none', 'bearer']) });

export const McpInfo = z.object({
  name: z.string(),
  version: z.string(),
  protocolVersions: z.array(z.string()),
  transport: z.literal('streamable-http'),
  endpoints: z.object({ public: Endpoint, admin: Endpoint }),
  auth: z.object({
    authenticated: z.boolean(),
    permissions: z.array(z.string()).meta({ description: 'of the caller' }),
    scheme: z.literal('bearer'),
  }),
  rateLimit: z.object({
    public: z.object({ requests: z.int(), perSeconds: z.int() }).meta({ description: 'for each address' }),
    admin: z.null(),
  }),
  tools: z
    .array(z.object({ name: z.string(), title: z.string(), description: z.string(), readOnly: z.boolean() }))
    .meta({ description: 'the tools that the caller may use' }),
  collections: z.array(z.object({ name: z.string(), label: z.string() })),
});

/** Without a site for a stranger at one that does not exist: it looks as one that is closed. */
export function toInfo(
  site: McpSite | undefined,
  principal: Principal,
  publicReads: PublicReads | undefined,
): z.output<typeof McpInfo> {
  const isOpen = publicReads !== undefined;
  const isKnown = hasAccount(principal);
  const who = isKnown ? principal : { ...principal, ...READER };
  const tools = site && (isKnown || isOpen) ? site.tools.list({ principal: who }) : [];
  const mayRead = isKnown ? undefined : publicReads;
  const seesCollections = tools.some(({ name }) => name === 'list_collections');
  return {
    name: 'colophon',
    version: VERSION,
    protocolVersions: [...PROTOCOL_VERSIONS],
    transport: 'streamable-http',
    endpoints: {
      public: { path: PUBLIC_PATH, enabled: isOpen, auth: 'none' },
      admin: { path: ADMIN_PATH, enabled: true, auth: 'bearer' },
    },
    auth: { authenticated: isKnown, permissions: isKnown ? [...principal.permissions].sort() : [], scheme: 'bearer' },
    rateLimit: { public: { requests: PUBLIC_PER_MINUTE, perSeconds: 60 }, admin: null },
    tools: tools.map(toShown),
    collections:
      site && seesCollections ? listReadable(site, { mayRead }).map(({ name, label }) => ({ name, label })) : [],
  };
}

/** False for strangers, and for the service token, which opens nothing here. */
export function hasAccount({ kind }: Principal): boolean {
  return kind === 'token' || kind === 'session';
}

function toShown({ name, title, description, annotations }: Tools['all'][number]) {
  return { name, title, description, readOnly: annotations.readOnlyHint };
}
