// A document of TipTap as JSON. What was not changed is the same JSON afterwards, and what is not known here is kept
// word by word. Pure.
import { Fragment, type Mark, type Node, type NodeType } from 'prosemirror-model';
import { align } from './markdown/align.ts';
import { JSON_DOCUMENT } from './schema.ts';

type Json = Record<string, unknown>;

export interface JsonDocument {
  document: Node;
  write(document: Node): Json;
}

/** The JSON of nodes that are still what they were. */
type Origins = WeakMap<Node, unknown>;

const { nodes, marks } = JSON_DOCUMENT;

const MAX_DEPTH = 100;
const NO_MARKS: readonly Mark[] = [];
/** `bullet_list` of ProseMirror's own schemas is `bulletList`; the JSON keeps the name that it has. */
const toKey = (name: string): string => name.replaceAll('_', '').toLowerCase();
const MARK_ALIASES: Record<string, string> = { strong: 'bold', em: 'italic', strikethrough: 'strike' };
const HIDDEN = new Set(['doc', 'text', 'imageInline', 'unknownBlock', 'unknownInline', 'unknownMark']);
const byKey = (names: readonly string[]): Map<string, string> =>
  new Map(names.filter((name) => !HIDDEN.has(name)).map((name) => [toKey(name), name]));
const NODES = byKey(Object.keys(nodes));
const MARKS = byKey(Object.keys(marks));
/** These are ours and not part of the JSON. */
const OWN_ATTRIBUTES = new Set(['json', 'tight', 'form', 'label']);

export function isJsonDocument(value: unknown): value is Json {
  return isJson(value) && value.type === 'doc';
}

export function openJson(value: Json): JsonDocument {
  const content = listOf(value.content);
  const origins: Origins = new WeakMap();
  const blocks = content.map((one) => readNode(one, nodes.doc!, 0, origins));
  const document = nodes.doc!.create(null, blocks.length > 0 ? blocks : [nodes.paragraph!.create()]);
  return {
    document,
    write(changed) {
      const found = align(blocks, changed.children);
      const isUntouched = blocks.length === changed.childCount && found.every((index, at) => index === at);
      if (isUntouched || (blocks.length === 0 && changed.eq(document))) return value;
      return {
        ...value,
        content: changed.children.map((node, at) => content[found[at]!] ?? writeNode(node, origins)),
      };
    },
  };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function readNode(value: unknown, parent: NodeType, depth: number, origins: Origins): Node {
  const unknown = (): Node =>
    (parent.inlineContent ? nodes.unknownInline! : nodes.unknownBlock!).create({ json: value });
  if (!isJson(value) || depth > MAX_DEPTH) return unknown();
  try {
    const node = readKnown(value, parent, depth, origins) ?? unknown();
    origins.set(node, value);
    return node;
  } catch (error) {
    // ProseMirror's refusal of content that the schema does not allow.
    if (error instanceof RangeError) return unknown();
    throw error;
  }
}

function readKnown(value: Json, parent: NodeType, depth: number, origins: Origins): Node | undefined {
  const { type: name, content, text, marks: _marks, ...rest } = value;
  if (typeof name !== 'string') return undefined;
  const given = listOf(value.marks).map(readMark);
  const around = given.reduce((set, mark) => mark.addToSet(set), NO_MARKS);
  // Marks that exclude each other here; the same one twice is one.
  if (!given.every((mark) => mark.isInSet(around))) return undefined;
  if (name === 'text')
    return typeof text === 'string' && parent.inlineContent ? JSON_DOCUMENT.text(text, around) : undefined;
  const known = NODES.get(toKey(name));
  if (known === undefined) return undefined;
  const type = nodes[known === 'image' && parent.inlineContent ? 'imageInline' : known]!;
  if ((around.length > 0 && type.isBlock) || type.isInline !== parent.inlineContent) return undefined;
  if (depth === 0 && !parent.contentMatch.matchType(type)) return undefined;
  const inside = listOf(content).map((one) => readNode(one, type, depth + 1, origins));
  const attrs = { ...knownAttributes(type.spec.attrs, value.attrs), json: { ...rest, type: name } };
  return type.createChecked(attrs, Fragment.from(inside), around);
}

function readMark(value: unknown): Mark {
  const name = isJson(value) && typeof value.type === 'string' ? value.type : '';
  const key = MARK_ALIASES[toKey(name)] ?? toKey(name);
  const known = MARKS.get(key);
  if (!isJson(value) || known === undefined) return marks.unknownMark!.create({ json: value });
  const type = marks[known]!;
  return type.create({ ...knownAttributes(type.spec.attrs, value.attrs), json: value });
}

function knownAttributes(known: object | undefined, given: unknown): Json {
  const attrs = isJson(given) ? given : {};
  return Object.fromEntries(Object.entries(attrs).filter(([name]) => known && name in known && name !== 'json'));
}

function writeNode(node: Node, origins: Origins): unknown {
  const origin = origins.get(node);
  if (origin !== undefined) return origin;
  const { json } = node.attrs as { json?: Json | null };
  if (node.type.name === 'unknownBlock' || node.type.name === 'unknownInline') return json;
  const name = json?.type ?? node.type.name.replace(/Inline$/, '');
  const attrs = writeAttributes(node.attrs, json?.attrs);
  return {
    ...json,
    type: name,
    ...(attrs ? { attrs } : {}),
    ...(node.childCount > 0 ? { content: node.children.map((child) => writeNode(child, origins)) } : {}),
    ...(node.marks.length > 0 ? { marks: node.marks.map(writeMark) } : {}),
    ...(node.isText ? { text: node.text } : {}),
  };
}

function writeMark({ type, attrs }: Mark): unknown {
  const { json } = attrs as { json?: Json | null };
  if (type.name === 'unknownMark') return json;
  const written = writeAttributes(attrs, json?.attrs);
  return { ...json, type: json?.type ?? type.name, ...(written ? { attrs: written } : {}) };
}

/** What the JSON had, with what was changed since. */
function writeAttributes(attrs: Json, given: unknown): Json | undefined {
  const had = isJson(given) ? given : {};
  const own = Object.entries(attrs).filter(
    ([name, value]) => !OWN_ATTRIBUTES.has(name) && (name in had || value !== null) && !(value === 1 && !(name in had)),
  );
  const all = { ...had, ...Object.fromEntries(own) };
  return Object.keys(all).length > 0 || given !== undefined ? all : undefined;
}
