// What the MCP endpoints need of a request's site, and who calls.
import type { Actor, Principal } from '../access/principal.ts';
import type { AiPayer } from '../ai/ai.ts';
import type { Settings } from '../settings/settings.ts';
import type { Tools } from '../tools/registry.ts';
import type { ToolCaller } from '../tools/tool.ts';
import type { ToolSite } from '../tools/tool-site.ts';

export interface McpSite extends ToolSite {
  settings: Pick<Settings, 'read'>;
  tools: Tools;
  /** `block` is the brand voice for a prompt, in a locale; empty if none is saved. */
  brandVoice?: { block(locale?: string, payer?: AiPayer): Promise<string> } | undefined;
}

/** Whether the public reader sees a collection. */
export type PublicReads = (collection: string) => boolean;

/** One exchange with a client, or one connection over stdio. */
export interface McpSession {
  site: McpSite;
  /** The public reader, or the owner of the token. */
  principal: Principal;
  /** Undefined for the public reader, who writes nothing. */
  actor: Actor | undefined;
  /** Whether the public reader sees a collection; undefined for the owners of tokens, who see all of them. */
  mayRead?: PublicReads | undefined;
  requestId: string;
  /** Call it before a tool that may write. @throws too_many_requests if the audit keeps no more calls of the caller */
  reserve(): Promise<void>;
  /** Records a call that may have written something. */
  record(tool: string, outcome: { ok: boolean; document: string | null }): Promise<void>;
  /** Logs an error that is not a refusal; the client gets a fixed text. */
  reportBug(error: unknown): void;
}

/** The public reader: published documents of the collections that public-reads.ts names. */
export const READER: Pick<Principal, 'permissions'> = {
  permissions: new Set(['content:read-published']),
};

const NOBODY: Actor = { kind: 'ai', name: 'Reader', email: '' };
const MAX_MODEL_CHARS = 100;

/** `client` is the name that the client gives itself, if it does. */
export function toCaller(session: McpSession, client: string | undefined, signal: AbortSignal): ToolCaller {
  const { principal, actor, mayRead } = session;
  const publishedOnly = !principal.permissions.has('content:read');
  if (actor === undefined) return { principal, actor: NOBODY, via: 'mcp', publishedOnly, signal, mayRead };
  const aiModel = shorten(client) ?? actor.aiModel ?? 'mcp';
  return { principal, actor: { ...actor, kind: 'ai', aiModel }, via: 'mcp', publishedOnly, signal };
}

/** The name becomes part of documents: one line of plain characters. */
function shorten(name: string | undefined): string | undefined {
  const plain = name
    ?.toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_MODEL_CHARS);
  return plain || undefined;
}
