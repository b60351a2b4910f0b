// What the inputs of several tools have in common. Descriptions are short: all tools together must stay small, because
// clients send them to the model with every request.
import { z } from 'zod';
import { CreateDocumentBody } from '../content/input.ts';
import { anyObject } from '../lib/any-object.ts';

const { slug, locale, translationOf } = CreateDocumentBody.shape;

export const MAX_PAGE = 100;
const DEFAULT_PAGE = 20;

export const Collection = z.string().min(1).max(100);
/** Names an existing document; an id works too. */
export const Slug = z.string().min(1).max(200);
/** `data` is checked by the collection's schema, which the tools `get_schema` shows. */
export const Data = anyObject();
export const NewSlug = slug;
export const Locale = locale;
export const TranslationOf = translationOf;
export const Fields = z.array(z.string().min(1).max(200)).max(200).optional();
export const IfMatch = z.string().min(1).max(200).optional().describe('etag that the document must still have');
export const Model = z.string().min(1).max(200).optional().describe('model that wrote the text');
export const Reason = z
  .string()
  .min(1)
  .max(2000)
  .optional()
  .describe('why, in a sentence, for the person who decides if it is queued');
export const PageLimit = z.int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE);
export const PageOffset = z.int().min(0).default(0);

/** An ETag as given by an earlier answer: quoted, or without its quotes. */
export function toEtag(ifMatch: string): string {
  return ifMatch.startsWith('"') ? ifMatch : `"${ifMatch}"`;
}
