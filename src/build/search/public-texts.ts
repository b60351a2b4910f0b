// The texts of a document that the search of a built site may show to everyone: all leaf texts but relations, whose
// values are slugs of other documents, which may be drafts.
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { collectTexts, itemFields } from '../../schema/texts.ts';

/** `fields` are those of the document's collection; `blocks` the site's, by name. */
export function publicTexts(
  data: Readonly<Record<string, unknown>>,
  fields: readonly FieldConfig[],
  blocks: ReadonlyMap<string, BlockConfig>,
): string[] {
  const texts: string[] = [];
  collectTexts(withoutRelations(data, fields, blocks), fields, blocks, texts);
  return texts;
}

function withoutRelations(
  data: object,
  fields: readonly FieldConfig[],
  blocks: ReadonlyMap<string, BlockConfig>,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(data)) {
    const field = fields.find(({ name }) => name === key);
    if (field?.type === 'relation') continue;
    if (field?.type === 'object' && isObject(value)) shown[key] = withoutRelations(value, field.fields ?? [], blocks);
    else if ((field?.type === 'array' || field?.type === 'blocks') && Array.isArray(value)) {
      shown[key] = value.map((item: unknown) =>
        isObject(item) ? withoutRelations(item, itemFields(item, field, blocks), blocks) : item,
      );
    } else shown[key] = value;
  }
  return shown;
}
