// The service without HTTP and without its scheduler, for one MCP client over standard input and output. Standard output
// belongs to the protocol: the log goes to standard error.
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Access } from '../access/access.ts';
import { toActor, toAuditActor } from '../access/actor.ts';
import { ANONYMOUS, type Permission, type Principal } from '../access/principal.ts';
import { toSessionPrincipal } from '../access/users/user.ts';
import { createApp } from '../app.ts';
import type { Env } from '../config/env.ts';
import type { McpSession, McpSite } from '../mcp/mcp-site.ts';
import { serveOverStdio } from '../mcp/protocol.ts';

export interface ServeMcpOptions {
  env: Env;
  /** Users of the data folder. */
  access: Access;
  siteId: string;
  /** Whose rights the client has. */
  userId: string;
  isReadOnly: boolean;
  /** What the client reads. */
  output: Writable;
  variables: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  onFatal(error: unknown): void;
}

const READ_PERMISSIONS: readonly Permission[] = [
  ...(['content:read', 'content:read-published', 'media:read'] as const),
  ...(['deploy:read', 'forms:read', 'sites:read', 'org:settings:read'] as const),
];
const STDERR = 2;

/** Resolves once the client has left. @throws FolderInUseError if a service has the data folder */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { env, siteId, variables, signal, onFatal } = options;
  const logger = pino({ level: 'warn' }, pino.destination({ fd: STDERR, sync: true }));
  const app = await createApp({ env: { ...env, scheduler: false }, logger, variables, onFatal });
  try {
    const site = app.sites().find(({ id }) => id === siteId);
    if (!site) throw new Error(`site "${siteId}" could not be opened`);
    await serveOverStdio(
      createSession(site, options, (error) => logger.error({ err: error }, 'internal error')),
      options.output,
      signal,
    );
  } finally {
    await app.close();
  }
}

function createSession(site: McpSite, options: ServeMcpOptions, reportBug: McpSession['reportBug']): McpSession {
  const principalNow = (): Principal => {
    const { users, codes } = options.access;
    const user = users.find(options.userId);
    const principal = user && !user.suspended && !codes.isOwed(user) ? toSessionPrincipal(user) : undefined;
    if (!principal?.mayTouch(site as McpSite & { org: string })) return ANONYMOUS;
    if (!options.isReadOnly) return principal;
    return { ...principal, permissions: new Set(READ_PERMISSIONS.filter((one) => principal.permissions.has(one))) };
  };
  return {
    site,
    requestId: randomUUID(),
    /** Read at each call: the user may be suspended, or lose the role, while the client is connected. */
    get principal() {
      return principalNow();
    },
    get actor() {
      const principal = principalNow();
      return principal.userId === null ? undefined : toActor(principal);
    },
    reserve: () => site.audit.reserve([site.id], toAuditActor(principalNow())),
    async record(tool, { ok, document }) {
      const changes = [
        { key: 'document', before: null, after: document },
        { key: 'ok', before: null, after: ok },
      ];
      const actor = toAuditActor(principalNow());
      const action = `mcp.${tool}`;
      await site.audit.append([site.audit.toEntry({ site: site.id, actor, action, target: document, changes })]);
    },
    reportBug,
  };
}
