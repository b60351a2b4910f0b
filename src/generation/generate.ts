// A new document from a prompt.
import { invalid } from '../lib/errors.ts';
import { languageName } from '../lib/text/language-name.ts';
import { objectShape } from './answer-shape.ts';
import { checkIfMatch, finish } from './finish.ts';
import type { GenerateInput, GenerationCall, GenerationResult } from './generation.ts';
import { checkLocale } from './locales.ts';
import {
  checkFieldNames,
  type GenerationParts,
  getSchema,
  type ModelData,
  problemsOf,
  systemPrompt,
  withoutUndefined,
} from './parts.ts';

export async function generate(
  parts: GenerationParts,
  input: GenerateInput,
  call: GenerationCall,
): Promise<GenerationResult> {
  const schema = getSchema(parts, input.collection);
  checkFieldNames(schema, input.fields ?? [], 'fields');
  if (input.locale !== undefined) checkLocale(parts, schema, input.locale);
  const finishing = {
    collection: schema.name,
    apply: input.apply === true,
    target: undefined,
    create: { status: 'draft' as const, ...(input.locale === undefined ? {} : { locale: input.locale }) },
  };
  checkIfMatch(finishing, call);
  if (input.data) return finish(parts, finishing, asSupplied(input.data), call);
  return finish(parts, finishing, await ask(parts, input, call), call);
}

async function ask(
  parts: GenerationParts,
  input: GenerateInput,
  { payer, signal }: GenerationCall,
): Promise<ModelData> {
  parts.ai.checkReady();
  const schema = getSchema(parts, input.collection);
  const { label, config } = schema;
  const wanted = input.fields && new Set(input.fields);
  const fields = [...schema.fields.values()].filter(({ name }) => !wanted || wanted.has(name));
  const blocks = new Map([...parts.schema.blocks].map(([name, block]) => [name, block.config]));
  const shape = objectShape(fields, blocks);
  if (!shape) throw invalid([{ path: 'fields', message: 'names nothing that a model can write' }]);
  const locale = input.locale ?? parts.config.defaultLocale;
  const about = config.description ? `: ${config.description}` : '';
  const task =
    `You write a document of the collection "${label}"${about}.` +
    `${locale ? ` Write in ${languageName(locale)}.` : ''} Rich text is Markdown. Do not invent facts, people or links.`;
  const { value, used } = await parts.ai.makeObject({
    payer,
    system: systemPrompt(task, await parts.brandVoice(locale, payer)),
    prompt: input.prompt,
    schema: shape,
    check: (data) => problemsOf(schema, withoutUndefined(data)),
    signal,
  });
  return { data: withoutUndefined(value), used, warnings: [] };
}

/** A reviewed proposal is stored as it is. */
export function asSupplied(data: ModelData['data']): ModelData {
  return { data, used: { inputTokens: 0, outputTokens: 0 }, warnings: [] };
}
