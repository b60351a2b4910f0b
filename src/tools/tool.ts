// One tool: what a model or an MCP client may do with a site, the same through every door. One effect each; the schema of
// its input parses the input and is what clients see.
import type { z } from 'zod';
import type { Actor, Permission, Principal } from '../access/principal.ts';

/** Who calls, and through which door. */
export interface ToolCaller {
  principal: Principal;
  /** Kind `ai`, or the person who has confirmed a call; the public reader writes nothing. */
  actor: Actor;
  via: 'mcp' | 'chat' | 'agent';
  /** Sees published documents only. */
  publishedOnly: boolean;
  /** True: what is public stays as it is, whatever the principal may do; a change of it is queued or refused. */
  draftsOnly?: boolean;
  /** Whether the caller sees a collection; undefined for callers who see all of them. */
  mayRead?: ((collection: string) => boolean) | undefined;
  signal: AbortSignal;
}

/**
 * What a call does, in the word that a question about it uses. `none` only reads; `create`, `update` and `propose` reach
 * nothing public unless the document is.
 */
export type ToolEffect =
  | 'none'
  | 'create'
  | 'update'
  | 'propose'
  | 'upload'
  | 'publish'
  | 'unpublish'
  | 'schedule'
  | 'delete'
  | 'restore'
  | 'approve'
  | 'reject'
  | 'deploy';

export interface Tool<I extends z.ZodObject = z.ZodObject> {
  /** `list_documents`. */
  name: string;
  title: string;
  /** What it does, when to use it, and what it does not do. */
  description: string;
  input: I;
  /** The shape of what it returns, for clients that check it. */
  output: z.ZodObject;
  /** Any of them is enough; empty for the tools of the public reader. */
  permissions: readonly Permission[];
  effect: ToolEffect;
  /**
   * `others` if its results may contain text that other people wrote, which a model may obey; `own` if they have only
   * names of the configuration and what the call itself gave.
   */
  reads: 'own' | 'others';
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  /** @throws ServiceError with what to do next */
  run(input: z.output<I>, caller: ToolCaller): Promise<Record<string, unknown>>;
}
