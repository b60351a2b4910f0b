// One tool: what a model or an MCP client may do with a site, the same through every door. One effect each; the schema of
// its input parses the input and is what clients see.
import type { z } from 'zod';
import type { Actor, Permission, Principal } from '../access/principal.ts';

/** Who calls, and through which door. */
export interface ToolCaller {
  principal: Principal;
  /** Always of kind `ai`, except for the public reader, who writes nothing. */
  actor: Actor;
  via: 'mcp' | 'chat' | 'agent';
  /** Sees published documents only. */
  publishedOnly: boolean;
  signal: AbortSignal;
}

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
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  /** @throws ServiceError with what to do next */
  run(input: z.output<I>, caller: ToolCaller): Promise<Record<string, unknown>>;
}
