// Markdown as a document of the editor, with the source of each block beside it. What the schema cannot say is kept as
// source. Pure.
import type { Token, Tokens, TokensList } from 'marked';
import type { Node } from 'prosemirror-model';
import { LinearLexer } from '../../../lib/markdown/linear-lexer.ts';
import { MARKDOWN } from '../schema.ts';
import { readInline } from './inline-in.ts';

/** A block of a text and its source: joined with the gaps they are the text. */
export interface SourceBlock {
  node: Node;
  source: string;
  /** What stands between it and the block before, or the beginning of the text. */
  gap: string;
}

export interface SourceText {
  blocks: readonly SourceBlock[];
  /** What follows the last block. */
  tail: string;
  /** True if it has too many marks to be read: all of it is one block of source. */
  isUnread?: true;
}

export type LinkTargets = TokensList['links'];

const { nodes } = MARKDOWN;
/** Deeper nesting is kept as source: it is not what people write. */
const MAX_DEPTH = 40;
/** Lines that front ends read and Markdown does not: shortcodes, containers, imports, footnotes. */
const FOREIGN_BLOCK =
  /^ {0,3}(?:\[\^[^\]\s]+\]:|:::|\$\$|\{\{[<%][^\n]*\}\}\s*$|\{%[^\n]*%\}\s*$|(?:import|export) [^\n]*['"}];?\s*$)/;
/** Definitions in a row are one block. */
const DEFINITION = /^ {0,3}\[[^\]^][^\]]*\]:/;

/** Blocks of a text with `\n` as its only line end. Known `links` are those that the rest of its document defines. */
export function readMarkdown(text: string, links: LinkTargets = {}): SourceText {
  const { tokens, isUnread } = lex(text, links);
  if (isUnread) return { blocks: [{ ...asSource(text), gap: '' }], tail: '', isUnread };
  if (tokens.map(({ raw }) => raw).join('') !== text) return { blocks: [{ ...asSource(text), gap: '' }], tail: '' };
  const blocks: SourceBlock[] = [];
  let gap = '';
  for (const token of tokens) {
    const source = token.type === 'space' ? '' : token.raw.replace(/\n+$/, '');
    if (source !== '') {
      const before = blocks.at(-1);
      if (before && token.type === 'def' && DEFINITION.test(before.source) && gap === '\n') {
        blocks[blocks.length - 1] = { ...before, ...asSource(`${before.source}\n${source}`) };
      } else blocks.push({ node: readBlock(token, 0) ?? asSource(source).node, source, gap });
      gap = '';
    }
    gap += token.raw.slice(source.length);
  }
  return { blocks, tail: gap };
}

/** The addresses that a text defines for its reference links. */
export function readLinks(text: string): LinkTargets {
  return lex(text, {}).links;
}

export function toDocument(blocks: readonly SourceBlock[]): Node {
  return nodes.doc!.create(null, blocks.length > 0 ? blocks.map(({ node }) => node) : [nodes.paragraph!.create()]);
}

function lex(text: string, links: LinkTargets): { tokens: Token[]; links: LinkTargets; isUnread: boolean } {
  const lexer = new LinearLexer();
  Object.assign(lexer.tokens.links, links);
  const tokens = lexer.lex(text);
  return { tokens, links: tokens.links, isUnread: lexer.unread > 0 };
}

function asSource(source: string): { node: Node; source: string } {
  return { node: nodes.markdownSource!.create(null, source === '' ? null : MARKDOWN.text(source)), source };
}

type ReadBlock = (token: never, depth: number) => Node | undefined;

const READERS: Record<string, ReadBlock> = {
  heading: ({ depth: level, tokens }: Tokens.Heading) => nodes.heading!.create({ level }, readInline(tokens)),
  paragraph: ({ raw, tokens }: Tokens.Paragraph) => (FOREIGN_BLOCK.test(raw) ? undefined : paragraph(tokens)),
  text: ({ raw, tokens = [] }: Tokens.Text) => (FOREIGN_BLOCK.test(raw) ? undefined : paragraph(tokens)),
  code: ({ lang, text }: Tokens.Code) =>
    nodes.codeBlock!.create({ language: lang || null }, text === '' ? null : MARKDOWN.text(text)),
  blockquote: ({ tokens }: Tokens.Blockquote, depth) => nodes.blockquote!.create(null, readBlocks(tokens, depth)),
  hr: () => nodes.horizontalRule!.create(),
  list: readList,
  table: readTable,
};

function readBlock(token: Token, depth: number): Node | undefined {
  return depth > MAX_DEPTH ? undefined : READERS[token.type]?.(token as never, depth + 1);
}

function paragraph(tokens: readonly Token[]): Node {
  return nodes.paragraph!.create(null, readInline(tokens));
}

/** Blocks inside a block; what is not known among them is source there. */
function readBlocks(tokens: readonly Token[], depth: number): Node[] {
  const made: Node[] = [];
  for (const token of tokens) {
    if (token.type === 'space' || token.type === 'checkbox') continue;
    const block = readBlock(token, depth) ?? asSource(token.raw.replace(/\n+$/, '')).node;
    made.push(block);
  }
  return made.length > 0 ? made : [nodes.paragraph!.create()];
}

function readList({ ordered, start, loose, items }: Tokens.List, depth: number): Node | undefined {
  const isTasks = !ordered && items.every(({ task }) => task);
  const made = items.map(({ task, checked, tokens }) => {
    const inside = readBlocks(tokens, depth);
    return task ? nodes.taskItem!.create({ checked: checked === true }, inside) : nodes.listItem!.create(null, inside);
  });
  if (made.length === 0) return undefined;
  const tight = !loose;
  if (ordered) return nodes.orderedList!.create({ start: start === '' ? 1 : start, tight }, made);
  return (isTasks ? nodes.taskList! : nodes.bulletList!).create({ tight }, made);
}

function readTable({ header, rows }: Tokens.Table): Node {
  const row = (cells: readonly Tokens.TableCell[], type: 'tableHeader' | 'tableCell'): Node =>
    nodes.tableRow!.create(
      null,
      cells.map(({ tokens, align }) => nodes[type]!.create({ align }, paragraph(tokens))),
    );
  return nodes.table!.create(null, [row(header, 'tableHeader'), ...rows.map((cells) => row(cells, 'tableCell'))]);
}
