// The words of a block as phrasing of mdast, the tree that is written as Markdown: marks become nested nodes, the one
// that ends last outermost. Pure.
import type { Mark, Node } from 'prosemirror-model';

/** A node of mdast (https://github.com/syntax-tree/mdast), as far as it is made here. */
export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  [attribute: string]: unknown;
}

interface Piece {
  node: MarkdownNode;
  /** The marks around it that are not open yet. */
  marks: readonly Mark[];
  isSpace: boolean;
}

/** These are a kind of leaf and not nodes around others. */
const LEAVES = new Set(['code', 'source', 'softBreak']);

export function toPhrasing(children: readonly Node[]): MarkdownNode[] {
  const pieces = children.flatMap(toPieces);
  while (pieces[0]?.isSpace) pieces.shift();
  while (pieces.at(-1)?.isSpace || pieces.at(-1)?.node.type === 'break') pieces.pop();
  return nest(
    joinCode(pieces.filter((piece, at) => !isBesideLineEnd(pieces, at) || !piece.isSpace || isLineEnd(piece))),
  );
}

function isLineEnd(piece: Piece | undefined): boolean {
  return piece?.node.type === 'break' || piece?.node.value === '\n';
}

function isBesideLineEnd(pieces: readonly Piece[], at: number): boolean {
  return isLineEnd(pieces[at - 1]) || isLineEnd(pieces[at + 1]);
}

function toPieces(child: Node): Piece[] {
  const kinds = new Set(child.marks.map(({ type }) => type.name));
  const marks = child.marks.filter(({ type }) => !LEAVES.has(type.name));
  const leaf = (node: MarkdownNode): Piece[] => [{ node, marks, isSpace: false }];
  if (child.type.name === 'hardBreak') return leaf({ type: 'break' });
  if (child.type.name === 'imageInline') return leaf(toImage(child));
  const text = child.text ?? '';
  if (kinds.has('source')) return leaf({ type: 'html', value: kinds.has('softBreak') ? '\n' : text });
  if (kinds.has('code')) return leaf({ type: 'inlineCode', value: kinds.has('softBreak') ? '\n' : text });
  if (kinds.has('softBreak')) return [{ node: { type: 'text', value: '\n' }, marks, isSpace: true }];
  const [, before = '', middle = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return [before, middle, after].flatMap((value) =>
    value === '' ? [] : [{ node: { type: 'text', value }, marks, isSpace: value !== middle || value.trim() === '' }],
  );
}

function toImage({ attrs }: Node): MarkdownNode {
  const { form, label } = attrs;
  if (form !== null && label !== null) {
    return { type: 'imageReference', alt: attrs.alt ?? '', label, identifier: label, referenceType: form };
  }
  return { type: 'image', url: attrs.src ?? '', alt: attrs.alt ?? '', title: attrs.title };
}

/** Code over several lines of source is several pieces in the editor. */
function joinCode(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const isSame =
      last?.node.type === 'inlineCode' &&
      piece.node.type === 'inlineCode' &&
      last.marks.length === piece.marks.length &&
      last.marks.every((mark) => mark.isInSet(piece.marks));
    if (last && isSame) last.node.value = `${last.node.value}${piece.node.value}`;
    else joined.push({ ...piece, node: { ...piece.node } });
  }
  return joined;
}

function nest(pieces: readonly Piece[]): MarkdownNode[] {
  const made: MarkdownNode[] = [];
  for (let at = 0; at < pieces.length; ) {
    const { node, marks } = pieces[at]!;
    const ends = marks.map((mark) => endOf(pieces, at, mark));
    const furthest = Math.max(0, ...ends);
    const mark = marks[ends.indexOf(furthest)];
    if (mark === undefined || pieces[at]!.isSpace) {
      made.push(node);
      at++;
      continue;
    }
    // Spaces at its edge stay outside: a mark that begins or ends with one is not read as a mark.
    let end = furthest;
    while (pieces[end - 1]!.isSpace) end--;
    const inside = pieces.slice(at, end).map((piece) => ({ ...piece, marks: without(piece.marks, mark) }));
    made.push(toMarked(mark, nest(inside)));
    at = end;
  }
  return made;
}

function endOf(pieces: readonly Piece[], from: number, mark: Mark): number {
  let end = from;
  while (end < pieces.length && mark.isInSet(pieces[end]!.marks)) end++;
  return end;
}

function without(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  return marks.filter((other) => !other.eq(mark));
}

function toMarked({ type, attrs }: Mark, children: MarkdownNode[]): MarkdownNode {
  if (type.name === 'bold') return { type: 'strong', children };
  if (type.name === 'italic') return { type: 'emphasis', children };
  if (type.name === 'strike') return { type: 'delete', children };
  const { form, label, href, title } = attrs;
  if (label !== null) return { type: 'linkReference', label, identifier: label, referenceType: form, children };
  const text = children.map(({ value = '' }) => value).join('');
  const isItself = !title && [text, `http://${text}`, `mailto:${text}`].includes(href);
  if (isItself && form === 'bare') return { type: 'html', value: text };
  if (isItself && form === 'autolink') return { type: 'html', value: `<${text}>` };
  return { type: 'link', url: href ?? '', title: title || null, children };
}
