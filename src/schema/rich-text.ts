// Rich text: a Markdown string or a ProseMirror/TipTap JSON document. The shape of each.
import { z } from 'zod';
import type { FieldConfig } from '../config/site-config.ts';
import { listValue } from './list-value.ts';
import { type Keywords, withLength } from './values.ts';

const MESSAGE = 'expected Markdown text or a ProseMirror document like {"type": "doc", "content": [...]}';

const Attributes = z.looseObject({});

const Node = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  attrs: Attributes.nullish(),
  marks: listValue(z.looseObject({ type: z.string(), attrs: Attributes.nullish() })).optional(),
  get content() {
    return listValue(Node).optional();
  },
});

const RichTextDocument = z.looseObject({
  type: z.literal('doc'),
  attrs: Attributes.nullish(),
  content: listValue(Node).optional(),
});

/** The field's length limits apply to Markdown only; JSON Schema cannot count the length of a document. */
export function richTextValue(field: FieldConfig, keywords: Keywords): z.ZodType {
  keywords.add(Node, { id: 'richTextNode' });
  return z.union([withLength(z.string(), field, keywords), RichTextDocument], {
    error: (issue) => (issue.code === 'invalid_union' ? MESSAGE : undefined),
  });
}
