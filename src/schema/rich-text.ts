// Rich text: a Markdown string or a ProseMirror/TipTap JSON document. The shape of each, and its leaf texts.
import { z } from 'zod';
import type { FieldConfig } from '../config/site-config.ts';
import { listValue } from './list-value.ts';
import { markdownTexts } from './markdown-text.ts';
import { type Keywords, withLength } from './values.ts';

const MESSAGE = 'expected Markdown text or a ProseMirror document like {"type": "doc", "content": [...]}';

/** Attributes that a reader sees: an image's description, the name in a mention. */
const READ_ATTRIBUTES = ['alt', 'title', 'caption', 'label'];

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

/** Returns true if a value must be read as a ProseMirror document. */
export function isRichTextDocument(value: object): boolean {
  return 'type' in value && value.type === 'doc' && 'content' in value && Array.isArray(value.content);
}

/** Leaf texts of Markdown or of a ProseMirror document; text that only marks split stays in one piece. */
export function richTextTexts(value: string | object, texts: string[]): void {
  if (typeof value === 'string') texts.push(...markdownTexts(value));
  else collectNode(value, texts);
}

function collectNode(node: object, texts: string[]): void {
  const { attrs, content } = node as { attrs?: unknown; content?: unknown };
  collectAttributes(attrs, texts);
  if (!Array.isArray(content)) return;
  let inline = '';
  const flush = () => {
    if (inline !== '') texts.push(inline);
    inline = '';
  };
  for (const child of content) {
    if (typeof child !== 'object' || child === null) continue;
    if (typeof child.text === 'string') {
      inline += child.text;
    } else {
      flush();
      collectNode(child, texts);
    }
  }
  flush();
}

function collectAttributes(attrs: unknown, texts: string[]): void {
  if (typeof attrs !== 'object' || attrs === null) return;
  for (const name of READ_ATTRIBUTES) {
    const value = (attrs as Record<string, unknown>)[name];
    if (typeof value === 'string' && value !== '') texts.push(value);
  }
}
