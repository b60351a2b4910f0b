// Who is offered a model for a document that exists. Pure.
import type { Manifest } from '../../../config/manifest.ts';
import type { Rights } from '../../../document/rights.ts';

/** Without the right to publish, what a model wrote would wait in a queue instead of being stored. */
export function mayAsk(
  may: (permission: string) => boolean,
  { manifest, rights }: { manifest: Manifest; rights: Rights },
): boolean {
  return manifest.ai !== undefined && rights.mayEdit && may('content:write') && may('content:publish');
}

/** Fields that the service's `/api/cms/ai/seo` writes. */
const SEO_NAMES = /^(?:seo|meta|og)(?:$|[A-Z_-])|^(?:description|excerpt|summary)$/;
const SEO_TYPES = new Set(['text', 'textarea', 'object', 'tags']);

export function isSeoField({ name, type }: { name: string; type: string }): boolean {
  return SEO_NAMES.test(name) && SEO_TYPES.has(type);
}

const TEXT_TYPES = new Set(['text', 'textarea', 'richtext']);

/** A field of text with something in it, which a model can write anew. */
export function isRewritable({ type, ui }: { type: string; ui?: { readOnly?: boolean } }, value: unknown): boolean {
  if (!TEXT_TYPES.has(type) || ui?.readOnly === true) return false;
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'object' && value !== null;
}
