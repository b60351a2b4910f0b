// What a model proposes for a document, and what becomes of it: a proposal that changes nothing, a write, or an item of
// the curation queue.
import type { Actor } from '../access/principal.ts';
import type { AiPayer } from '../ai/ai.ts';
import type { Data } from '../content/document.ts';
import type { AiWriteOptions, AiWritten } from '../curation/ai-writes.ts';
import type { Problem } from '../lib/errors.ts';

export interface ProposedChange {
  field: string;
  /** In the document that would change; null if it is a new one. */
  before: unknown;
  after: unknown;
}

/** The answer to a request without `apply`. */
export interface Generated {
  proposal: {
    data: Data;
    diff: ProposedChange[];
    /** Locked fields, which are left alone. */
    skippedFields: string[];
  };
  usage: { inputTokens: number; outputTokens: number; costUsd: number | null };
  model: string | null;
  /** What could not be carried over. */
  warnings: Problem[];
}

export type GenerationResult = { generated: Generated } | { written: AiWritten; warnings: Problem[] };

/** Who asks, and what their request says. */
export interface GenerationCall {
  payer: AiPayer;
  /** An `ai` that acts for the user. */
  actor: Actor;
  /** By now: the model takes a while. */
  readonly mayPublish: boolean;
  /** @throws 403 if the caller may not write any more */
  recheck(): void;
  requestId: string;
  /** `If-Match`: returns true if it accepts the document's ETag. Undefined without the header. */
  ifMatch: ((etag: string) => boolean) | undefined;
  /** `If-None-Match: *`: only a new document is made. */
  isNew: boolean;
  /** A new translation is made once for its `Idempotency-Key`. */
  idempotency: AiWriteOptions['idempotency'];
  signal: AbortSignal;
}

interface Applying {
  apply?: boolean | undefined;
  /** A reviewed proposal, stored as it is: the model is not asked. */
  data?: Data | undefined;
}

interface OnScreen {
  /** Fields as they are in an editor, not stored yet: the model reads them instead of the stored ones. */
  unsaved?: Data | undefined;
}

export interface GenerateInput extends Applying {
  collection: string;
  prompt: string;
  fields?: string[] | undefined;
  locale?: string | undefined;
}

export interface RewriteInput extends Applying, OnScreen {
  collection: string;
  slug: string;
  field: string;
  instruction: string;
}

export interface SeoInput extends Applying, OnScreen {
  collection: string;
  slug: string;
}

export interface TranslateInput extends Applying {
  collection: string;
  slug: string;
  locale: string;
}

/** @throws ServiceError, as `Ai`, and 400, 404, 409 and 412 as the writes of documents */
export interface TextGeneration {
  generate(input: GenerateInput, call: GenerationCall): Promise<GenerationResult>;
  rewrite(input: RewriteInput, call: GenerationCall): Promise<GenerationResult>;
  seo(input: SeoInput, call: GenerationCall): Promise<GenerationResult>;
  translate(input: TranslateInput, call: GenerationCall): Promise<GenerationResult>;
}
