// A translation of a document: its texts one by one, everything else as it is. It becomes a new document of the
// translation group, or changes the one that the group has in this locale.
import type { Data } from '../content/document.ts';
import { isEqual } from '../lib/equal.ts';
import { conflict, invalid, type Problem } from '../lib/errors.ts';
import { languageName } from '../lib/text/language-name.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import { checkIfMatch, finish, refuseAllLocked } from './finish.ts';
import { asSupplied } from './generate.ts';
import type { GenerationCall, GenerationResult, TranslateInput } from './generation.ts';
import { checkLocale, findTranslation } from './locales.ts';
import {
  type GenerationParts,
  getSchema,
  getTarget,
  type ModelData,
  systemPrompt,
  type TargetDocument,
} from './parts.ts';
import { askTexts } from './texts/ask-texts.ts';
import { openTextThread } from './texts/text-thread.ts';

export async function translate(
  parts: GenerationParts,
  input: TranslateInput,
  call: GenerationCall,
): Promise<GenerationResult> {
  const schema = getSchema(parts, input.collection);
  const source = getTarget(parts, schema.name, input.slug);
  const from = source.doc.locale ?? parts.config.defaultLocale;
  if (schema.config.translatable === false) throw conflict(`the collection "${schema.name}" is not translatable`);
  checkLocale(parts, schema, input.locale);
  if (input.locale === from) throw invalid([{ path: 'locale', message: `the document is in "${from}" already` }]);
  // If the group has one already, the content service refuses a new one, unless this repeats the request that made it.
  const slug = call.isNew ? undefined : findTranslation(parts, source.doc, input.locale);
  const target = slug === undefined ? undefined : getTarget(parts, schema.name, slug);
  const finishing = {
    collection: schema.name,
    apply: input.apply === true,
    target,
    create: { status: 'draft' as const, locale: input.locale, translationOf: source.doc.slug },
    source: source.doc,
  };
  checkIfMatch(finishing, call);
  if (input.data) return finish(parts, finishing, asSupplied(input.data), call);
  const answered = await ask(parts, schema, source, { from, to: input.locale, target }, call);
  return finish(parts, finishing, answered, call);
}

interface LanguagePair {
  from: string | undefined;
  to: string;
  target: TargetDocument | undefined;
}

async function ask(
  parts: GenerationParts,
  schema: CollectionSchema,
  { doc }: TargetDocument,
  { from, to, target }: LanguagePair,
  { payer, signal }: GenerationCall,
): Promise<ModelData> {
  parts.ai.checkReady();
  const thread = openTextThread({
    data: doc.data,
    fields: schema.fields.values(),
    blocks: [...parts.schema.blocks.values()].map(({ config }) => config),
  });
  const units = await thread.collect();
  if (target) refuseAllLocked(target, [...new Set(units.map(({ path }) => path.split('.')[1] ?? ''))]);
  const voice = units.length === 0 ? '' : await parts.brandVoice(to, payer);
  const { texts, used } = await askTexts(parts.ai, {
    system: systemPrompt(taskOf(from, to), voice),
    source: `document ${schema.name}/${doc.slug}`,
    units,
    payer,
    signal,
  });
  const { value, kept } = await thread.place(texts);
  const { data, warnings } = withinLimits(schema, doc.data, value);
  return { data: target ? changedIn(data, doc.data) : data, used, warnings: [...merge(kept), ...warnings] };
}

function taskOf(from: string | undefined, to: string): string {
  return (
    `You translate${from ? ` from ${languageName(from)}` : ''} into ${languageName(to)}. ` +
    'Translate each text for itself, and keep its Markdown emphasis. Marks such as ⟦1⟧ or ⟦2⟧text⟦/2⟧ stand for code, ' +
    'addresses and the like: each must be in your text exactly as often as in the original, where it belongs in the ' +
    'new sentence; translate what is between ⟦2⟧ and ⟦/2⟧. Add nothing and explain nothing.'
  );
}

/** Fields that the collection would refuse keep the text of the source. */
function withinLimits(schema: CollectionSchema, before: Data, after: Data): { data: Data; warnings: Problem[] } {
  const problems = schema.check(after, Object.keys(after));
  const data = { ...after };
  const warnings: Problem[] = [];
  for (const { path, message } of problems) {
    const field = path.replace(/^data\./, '').split('.')[0] ?? '';
    if (!Object.hasOwn(data, field) || isEqual(data[field], before[field])) continue;
    data[field] = before[field];
    warnings.push({ path: `data.${field}`, message: `was left as it is, because the translation ${message}` });
  }
  return { data, warnings };
}

/** What the translation says; the rest of an existing document may have been adapted to its readers. */
function changedIn(data: Data, source: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([field, value]) => !isEqual(value, source[field])));
}

/** The same sentence about one field once, with its number. */
function merge(kept: readonly Problem[]): Problem[] {
  const counts = new Map<string, { problem: Problem; count: number }>();
  for (const problem of kept) {
    const key = JSON.stringify([problem.path, problem.message]);
    counts.set(key, { problem, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].map(({ problem: { path, message }, count }) => ({
    path,
    message: count === 1 ? message : `${message} (${count} times)`,
  }));
}
