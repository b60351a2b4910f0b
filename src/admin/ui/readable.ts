// Values as people read them: rich text that is a document of nodes as its words. Pure.

interface TextNode {
  type?: unknown;
  text?: unknown;
  content?: unknown;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The words of a ProseMirror document, a line for each block; other values as they are. */
export function toReadable(value: unknown): unknown {
  if (!isRecord(value) || value.type !== 'doc' || !Array.isArray(value.content)) return value;
  return value.content.map(toWords).join('\n\n');
}

function toWords(node: unknown): string {
  if (!isRecord(node)) return '';
  const { text, content, type } = node as TextNode;
  if (typeof text === 'string') return text;
  if (!Array.isArray(content)) return typeof type === 'string' ? `[${type}]` : '';
  const isInline = content.some((child) => isRecord(child) && typeof child.text === 'string');
  return content.map(toWords).join(isInline ? '' : '\n');
}
