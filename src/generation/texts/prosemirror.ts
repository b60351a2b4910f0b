// The texts of a rich text document of ProseMirror: a paragraph is one text, whatever its marks. Nodes, their attributes
// and their ids stay, and code stays too.
import { isObject } from '../../lib/json.ts';
import { endMarkOf, hasMarkBrackets, hasWords, markOf, markProblem, splitMarks, type TextMap } from './text-map.ts';

type Node = Record<string, unknown>;

/** Attributes that a reader sees. */
const READ_ATTRIBUTES = ['alt', 'title', 'caption'];

export function mapNode(node: Node, path: string, texts: TextMap): Node {
  if (node.type === 'codeBlock' || node.type === 'code_block') return node;
  const attrs = isObject(node.attrs) ? mapAttributes(node.attrs, path, texts) : undefined;
  const content = Array.isArray(node.content) ? mapContent(node.content, path, texts) : undefined;
  return { ...node, ...(attrs ? { attrs } : {}), ...(content ? { content } : {}) };
}

function mapAttributes(attrs: Node, path: string, texts: TextMap): Node {
  const mapped = { ...attrs };
  for (const name of READ_ATTRIBUTES) {
    const value = attrs[name];
    if (typeof value === 'string' && hasWords(value))
      mapped[name] = texts.map({ path, text: value, marks: [] }) ?? value;
  }
  return mapped;
}

function mapContent(content: unknown[], path: string, texts: TextMap): unknown[] {
  const isInline = content.some((child) => isObject(child) && typeof child.text === 'string');
  if (!isInline) return content.map((child) => (isObject(child) ? mapNode(child, path, texts) : child));
  const kept: unknown[] = [];
  const text = content.map((child) => maskChild(child, kept)).join('');
  if (!hasWords(text)) return content;
  const answer = texts.map({ path, text, marks: kept.map((child) => JSON.stringify(child).slice(0, 200)) });
  if (answer === undefined) return content;
  const problem = answer.trim() === '' ? 'the answer is empty' : markProblem(text, answer);
  const mapped = problem ? undefined : unmask(answer, kept);
  if (mapped) return mapped;
  texts.keep(path, `a paragraph was left as it is, because ${problem ?? 'its marks are nested'}`);
  return content;
}

function maskChild(child: unknown, kept: unknown[]): string {
  const { text, marks } = isObject(child) ? child : {};
  const isText = typeof text === 'string' && !hasMarkBrackets(text);
  if (isText && !hasItems(marks)) return text;
  const index = kept.push(child);
  if (!isText || isCode(marks)) return markOf(index);
  return `${markOf(index)}${text}${endMarkOf(index)}`;
}

/** Returns undefined if something is inside of a marked text. */
function unmask(answer: string, kept: readonly unknown[]): unknown[] | undefined {
  const mapped: unknown[] = [];
  const ends = new Set(splitMarks(answer).flatMap((part) => ('isEnd' in part && part.isEnd ? [part.index] : [])));
  let open: { node: Node; text: string } | undefined;
  for (const part of splitMarks(answer)) {
    if ('text' in part) {
      if (open) open.text += part.text;
      else mapped.push({ type: 'text', text: part.text });
    } else if (part.isEnd) {
      // ProseMirror knows no empty text.
      if (open && open.text !== '') mapped.push({ ...open.node, text: open.text });
      open = undefined;
    } else if (open) return undefined;
    else if (ends.has(part.index)) open = { node: kept[part.index - 1] as Node, text: '' };
    else mapped.push(kept[part.index - 1]);
  }
  return mapped;
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isCode(marks: unknown): boolean {
  return Array.isArray(marks) && marks.some((mark) => isObject(mark) && mark.type === 'code');
}
