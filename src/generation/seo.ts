// Titles and descriptions for search engines, from what a document says.
import { markUntrusted } from '../ai/untrusted.ts';
import type { FieldConfig } from '../config/site-config.ts';
import { invalid } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import { languageName } from '../lib/text/language-name.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import { objectShape } from './answer-shape.ts';
import { checkIfMatch, finish, refuseAllLocked } from './finish.ts';
import { asSupplied } from './generate.ts';
import type { GenerationCall, GenerationResult, SeoInput } from './generation.ts';
import {
  type GenerationParts,
  getSchema,
  getTarget,
  type ModelData,
  problemsOf,
  systemPrompt,
  type TargetDocument,
  withoutUndefined,
  withUnsaved,
} from './parts.ts';

/** `seo`, `metaTitle`, `ogDescription`, `seo_title`; and the usual names of a summary. */
const NAMES = /^(?:seo|meta|og)(?:$|[A-Z_-])|^(?:description|excerpt|summary)$/;
/** Enough to know what a document is about. */
const MAX_SHOWN_CHARS = 40_000;

export async function seo(parts: GenerationParts, input: SeoInput, call: GenerationCall): Promise<GenerationResult> {
  const schema = getSchema(parts, input.collection);
  const target = withUnsaved(schema, getTarget(parts, schema.name, input.slug), input.unsaved);
  const fields = [...schema.fields.values()].filter(isSeoField);
  if (fields.length === 0) {
    throw invalid([{ path: 'collection', message: `"${schema.name}" has no field such as seo or metaDescription` }]);
  }
  const finishing = { collection: schema.name, apply: input.apply === true, target };
  checkIfMatch(finishing, call);
  const names = fields.map(({ name }) => name);
  refuseAllLocked(target, names);
  if (input.data) {
    const other = Object.keys(input.data).find((key) => !names.includes(key));
    if (other !== undefined) throw invalid([{ path: `data.${other}`, message: `is not one of ${names.join(', ')}` }]);
    return finish(parts, finishing, asSupplied(input.data), call);
  }
  return finish(parts, finishing, await ask(parts, schema, fields, target, call), call);
}

function isSeoField({ name, type }: FieldConfig): boolean {
  return NAMES.test(name) && ['text', 'textarea', 'object', 'tags'].includes(type);
}

async function ask(
  parts: GenerationParts,
  schema: CollectionSchema,
  fields: readonly FieldConfig[],
  { doc }: TargetDocument,
  { payer, signal }: GenerationCall,
): Promise<ModelData> {
  parts.ai.checkReady();
  const blocks = new Map([...parts.schema.blocks].map(([name, block]) => [name, block.config]));
  const shape = objectShape(fields, blocks);
  if (!shape) throw invalid([{ path: 'collection', message: `the SEO fields of "${schema.name}" hold no text` }]);
  const locale = doc.locale ?? parts.config.defaultLocale;
  const task =
    'You write what search engines show of a document: a title of at most 60 characters, a description of at most 155, ' +
    `each as the names of the fields say${locale ? `, in ${languageName(locale)}` : ''}. Say only what the document says.`;
  const texts = schema.texts(doc.data).join('\n');
  const shown = texts.length > MAX_SHOWN_CHARS ? `${texts.slice(0, MAX_SHOWN_CHARS).toWellFormed()}\n[...]` : texts;
  const { value, used } = await parts.ai.makeObject({
    payer,
    system: systemPrompt(task, await parts.brandVoice(locale, payer)),
    prompt: markUntrusted(`document ${schema.name}/${doc.slug}`, shown),
    schema: shape,
    check: (data) => problemsOf(schema, merged(doc.data, written(data))),
    signal,
  });
  const warnings =
    shown === texts
      ? []
      : [{ path: 'data', message: `only the first ${MAX_SHOWN_CHARS} of ${texts.length} characters were read` }];
  return { data: merged(doc.data, written(value)), used, warnings };
}

/** Keys of an object that the model did not write stay. */
function merged(before: Record<string, unknown>, data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => {
      const was = before[field];
      return [field, isObject(was) && isObject(value) ? { ...was, ...written(value) } : value];
    }),
  );
}

/** What the model has something to say about: a blank text proposes nothing, and must not empty a field. */
function written(data: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(withoutUndefined(data)).map(([key, value]) => [
    key,
    isObject(value) ? written(value) : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => typeof value !== 'string' || value.trim() !== ''));
}
