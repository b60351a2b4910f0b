// Every write of a model goes through here: a change of what is public needs content:publish, and without it becomes an
// item of the curation queue. Locked fields are left alone, as the content service does for every actor of kind `ai`.
import type { Actor } from '../access/principal.ts';
import type { CreateInput, UpdateInput } from '../content/commands.ts';
import type { Problem } from '../lib/errors.ts';

export interface AiWriter {
  actor: Actor;
  /** Whether the person that it acts for has content:publish. */
  mayPublish: boolean;
  /** Why it is proposed, in the words of the model, for the item of the queue. */
  reason?: string | undefined;
  /** The agent that proposes; undefined for chat, MCP and generation. */
  agent?: { id: string; name: string };
  /** What the run has used so far, for the item of the queue. */
  used?: { inputTokens: number; outputTokens: number; costUsd: number | null };
}

export interface AiWriteOptions {
  /** A quoted ETag that the document must have. */
  ifMatch?: string;
  requestId?: string;
  /** A create is made once for it. */
  idempotency?: { scope: string; bodyDigest: string };
}

/** What is stored now, or the id of the queued item. */
export type AiWritten =
  | {
      body: Buffer;
      etag: string;
      commit: string | null;
      skippedFields: string[];
      warnings?: Problem[];
      /** True if this repeats the answer to the first request with its Idempotency-Key. */
      replayed?: boolean;
      queued?: undefined;
    }
  | { queued: string };

export interface AiWrites {
  create(collection: string, input: CreateInput, writer: AiWriter, options?: AiWriteOptions): Promise<AiWritten>;
  update(
    collection: string,
    slug: string,
    input: UpdateInput,
    writer: AiWriter,
    options?: AiWriteOptions,
  ): Promise<AiWritten>;
  /** Always an item of the queue. `alternatives` are other values for the same fields, of which a person chooses. */
  propose(
    collection: string,
    target: { slug: string } | undefined,
    data: Record<string, unknown>,
    writer: AiWriter,
    alternatives?: readonly Record<string, unknown>[],
  ): Promise<{ queued: string }>;
  /** The same for all that a document can be given. */
  proposeInput(
    collection: string,
    target: { slug: string } | undefined,
    input: UpdateInput,
    writer: AiWriter,
    options?: AiWriteOptions,
  ): Promise<{ queued: string }>;
}
