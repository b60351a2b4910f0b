// What the operations of generation need of a site, and what they share.
import type { z } from 'zod';
import type { Ai, AiPayer, TokenUse } from '../ai/ai.ts';
import { UNTRUSTED_RULE } from '../ai/untrusted.ts';
import type { ContentService } from '../content/api.ts';
import type { Data, StoredDocument } from '../content/document.ts';
import type { ContentView } from '../content/rows/view.ts';
import type { AiWrites } from '../curation/ai-writes.ts';
import { invalid, notFound, type Problem } from '../lib/errors.ts';
import type { CollectionSchema, SiteSchema } from '../schema/collection.ts';

export interface GenerationParts {
  ai: Ai;
  config: { defaultLocale?: string | undefined; locales: readonly string[] };
  schema: SiteSchema;
  content: Pick<ContentService, 'find' | 'stored'>;
  view: Pick<ContentView, 'collection'>;
  writes: AiWrites;
  /** The block `## Brand Voice` of a prompt for texts in this locale; the empty string without a voice. */
  brandVoice(locale: string | undefined, payer: AiPayer): Promise<string>;
}

/** A document as it was when the model was asked. */
export interface TargetDocument {
  doc: StoredDocument;
  /** Quoted. */
  etag: string;
}

/** What a model answered. */
export interface ModelData {
  data: Data;
  used: TokenUse;
  warnings: Problem[];
}

/** @throws ServiceError 404 */
export function getSchema({ schema }: Pick<GenerationParts, 'schema'>, collection: string): CollectionSchema {
  const found = schema.collections.get(collection);
  if (!found) throw notFound(`collection "${collection}"`);
  return found;
}

/** By slug or id. @throws ServiceError 404 */
export function getTarget(
  { content }: Pick<GenerationParts, 'content'>,
  collection: string,
  slug: string,
): TargetDocument {
  const doc = content.stored(collection, { idOrSlug: slug });
  const found = doc && content.find(collection, { id: doc.id });
  if (!doc || !found) throw notFound(`document "${collection}/${slug}"`);
  return { doc, etag: found.etag };
}

/** The document with what an editor has changed in it and not stored. @throws ServiceError 400 if that does not fit */
export function withUnsaved(schema: CollectionSchema, target: TargetDocument, unsaved: Data = {}): TargetDocument {
  const names = Object.keys(unsaved);
  if (names.length === 0) return target;
  checkFieldNames(schema, names, 'unsaved');
  // A text may be too long yet, or not fit otherwise: that may be why the model is asked.
  const structured = names.filter((name) => typeof unsaved[name] !== 'string');
  const problems = schema.check(unsaved, structured);
  if (problems.length > 0) throw invalid(problems);
  return { ...target, doc: { ...target.doc, data: { ...target.doc.data, ...unsaved } } };
}

/** @throws ServiceError 400 for each that the collection does not have */
export function checkFieldNames({ name, fields }: CollectionSchema, names: readonly string[], path: string): void {
  const unknown = names.filter((field) => !fields.has(field));
  if (unknown.length === 0) return;
  throw invalid(unknown.map((field) => ({ path, message: `"${field}" is not a field of "${name}"` })));
}

/** The system prompt: the task, what untrusted marks mean, and the voice. */
export function systemPrompt(task: string, voice: string): string {
  return [task, UNTRUSTED_RULE, voice].filter((part) => part !== '').join('\n\n');
}

/** What a collection's own checks say about a model's data, as sentences for it. */
export function problemsOf(schema: CollectionSchema, data: Data): string[] {
  return schema.check(data, Object.keys(data)).map(({ path, message }) => `${path}: ${message}`);
}

export function withoutUndefined(value: z.output<z.ZodObject>): Data {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}
