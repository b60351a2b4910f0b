// The leaf texts of rich text. Must not load the checks of values: the threads of a builder need none of them.
import { markdownTexts } from './markdown-text.ts';

/** Attributes that a reader sees: an image's description, the name in a mention. */
const READ_ATTRIBUTES = ['alt', 'title', 'caption', 'label'];

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
