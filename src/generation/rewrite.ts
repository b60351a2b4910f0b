// One field of a document, written anew as an instruction says. Plain text and Markdown as a whole; structured fields
// text by text, so that blocks, nodes and ids stay.
import { z } from 'zod';
import { markUntrusted } from '../ai/untrusted.ts';
import { invalid } from '../lib/errors.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import { checkIfMatch, finish, refuseAllLocked } from './finish.ts';
import { asSupplied } from './generate.ts';
import type { GenerationCall, GenerationResult, RewriteInput } from './generation.ts';
import {
  checkFieldNames,
  type GenerationParts,
  getSchema,
  getTarget,
  type ModelData,
  problemsOf,
  systemPrompt,
  type TargetDocument,
  withUnsaved,
} from './parts.ts';
import { askTexts } from './texts/ask-texts.ts';
import { openTextThread } from './texts/text-thread.ts';

const PLAIN = new Set(['text', 'textarea', 'richtext', 'htmldoc']);

export async function rewrite(
  parts: GenerationParts,
  input: RewriteInput,
  call: GenerationCall,
): Promise<GenerationResult> {
  const schema = getSchema(parts, input.collection);
  const target = withUnsaved(schema, getTarget(parts, schema.name, input.slug), input.unsaved);
  checkFieldNames(schema, [input.field], 'field');
  const finishing = { collection: schema.name, apply: input.apply === true, target };
  checkIfMatch(finishing, call);
  refuseAllLocked(target, [input.field]);
  if (input.data) {
    const other = Object.keys(input.data).find((key) => key !== input.field);
    if (other !== undefined) throw invalid([{ path: `data.${other}`, message: `is not the field "${input.field}"` }]);
    return finish(parts, finishing, asSupplied(input.data), call);
  }
  return finish(parts, finishing, await ask(parts, schema, target, input, call), call);
}

async function ask(
  parts: GenerationParts,
  schema: CollectionSchema,
  target: TargetDocument,
  { field, instruction }: RewriteInput,
  { payer, signal }: GenerationCall,
): Promise<ModelData> {
  const { doc } = target;
  const value = Object.hasOwn(doc.data, field) ? doc.data[field] : undefined;
  const source = `document ${schema.name}/${doc.slug}`;
  const { type } = schema.fields.get(field)!;
  const task =
    `You edit the field "${field}" of a document. What to do with it: ${instruction}\n` +
    'Keep the language, the facts and the links, unless the instruction says otherwise. Add no explanation.';
  parts.ai.checkReady();
  const system = systemPrompt(task, await parts.brandVoice(doc.locale ?? parts.config.defaultLocale, payer));
  if (typeof value === 'string' && PLAIN.has(type)) {
    const answer = await parts.ai.makeObject({
      payer,
      system: `${system}\n\nAnswer with {"text": ...}${type === 'richtext' ? ', in Markdown' : ''}.`,
      prompt: markUntrusted(source, value),
      schema: z.object({ text: z.string() }),
      check: ({ text }) => (text.trim() === '' ? ['text: must not be blank'] : problemsOf(schema, { [field]: text })),
      signal,
    });
    return { data: { [field]: answer.value.text }, used: answer.used, warnings: [] };
  }
  const thread = openTextThread({
    data: { [field]: value },
    fields: schema.fields.values(),
    blocks: [...parts.schema.blocks.values()].map(({ config }) => config),
  });
  const units = await thread.collect();
  if (units.length === 0) throw invalid([{ path: 'field', message: `"${field}" has no text` }]);
  const marks = 'Marks such as ⟦1⟧ or ⟦2⟧text⟦/2⟧ must stay, each exactly once.';
  const { texts, used } = await askTexts(parts.ai, { system: `${system}\n\n${marks}`, source, units, payer, signal });
  const { value: data, kept } = await thread.place(texts);
  return { data, used, warnings: kept };
}
