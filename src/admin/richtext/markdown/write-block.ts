// One changed block as Markdown: the change put into its source, else its changed items or rows written anew, else all of
// it. Pure.
import type { Node } from 'prosemirror-model';
import { align, findSources } from './align.ts';
import { type Habits, readHabits } from './habits.ts';
import type { SourceBlock } from './markdown-in.ts';
import { ESCAPINGS, printBlock } from './print-block.ts';
import { isSameText } from './same-text.ts';
import { splice } from './splice.ts';

type OldBlock = Pick<SourceBlock, 'node' | 'source'>;

export interface Writing {
  habits: Habits;
  /** What a source says, if it is one block. */
  read(source: string): Node | undefined;
}

/** `olds` are blocks that it may have been made from, the likeliest first. */
export function writeBlock(node: Node, olds: readonly OldBlock[], writing: Writing): string {
  if (node.type.name === 'markdownSource') return node.textContent.replace(/^(?:[ \t]*\n)+|\s+$/g, '');
  const saysTheSame = (source: string): boolean => {
    const said = writing.read(source);
    return said !== undefined && isSameText(said, node);
  };
  for (const old of olds) {
    const spliced = splice(old, node, writing.habits, saysTheSame);
    if (spliced !== undefined) return spliced;
    const made = writeParts(node, old, writing);
    if (made !== undefined && saysTheSame(made)) return made;
  }
  const old = olds.find((one) => one.node.type === node.type);
  const habits = old ? readHabits([{ ...old, gap: '' }], writing.habits) : writing.habits;
  for (const escaping of ESCAPINGS) {
    const made = printBlock(node, habits, escaping);
    if (escaping === 'all' || saysTheSame(made)) return made;
  }
  return '';
}

function writeParts(node: Node, old: OldBlock, writing: Writing): string | undefined {
  if (node.type !== old.node.type) return undefined;
  if (node.type.name.endsWith('List')) {
    // A list of one item is that item.
    return node.childCount === 1 && old.node.childCount === 1 ? undefined : writeItems(node, old, writing);
  }
  return node.type.name === 'table' ? writeRows(node, old, writing) : undefined;
}

interface SourceItem extends OldBlock {
  /** The blank space after it. */
  gap: string;
}

const NUMBER = /^( {0,3})(\d+)(?=[.)])/;
/** A line that may begin an item of the outermost list. */
const ITEM_START = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?=[ \t\n]|$)/gm;

function writeItems(node: Node, old: OldBlock, writing: Writing): string | undefined {
  const items = toItems(old, writing);
  if (!items || node.attrs.tight !== old.node.attrs.tight || node.attrs.start !== old.node.attrs.start)
    return undefined;
  const before = old.node.children;
  const now = node.children;
  const found = align(before, now);
  const sources = findSources(before, found);
  const habits = readHabits([{ ...old, gap: '' }], writing.habits);
  const isOrdered = node.type.name === 'orderedList';
  let written = '';
  let last = -2;
  now.forEach((item, at) => {
    const index = found[at]!;
    const [made = -1] = index >= 0 ? [index] : sources[at]!;
    const number = node.attrs.start + (habits.isCounting ? at : 0);
    let source =
      items[index]?.source ??
      writeItem(
        node,
        item,
        sources[at]!.map((one) => items[one]!),
        { ...writing, habits },
        number,
      );
    if (isOrdered && now.length !== before.length && habits.isCounting) source = source.replace(NUMBER, `$1${number}`);
    if (at > 0)
      written += last >= 0 && made === last + 1 ? items[last]!.gap : node.attrs.tight === false ? '\n\n' : '\n';
    written += source;
    last = made;
  });
  return written;
}

function writeItem(list: Node, item: Node, olds: readonly SourceItem[], writing: Writing, number: number): string {
  const alone = (one: Node, start: number): Node => {
    const attrs = list.type.name === 'orderedList' ? { ...list.attrs, start } : list.attrs;
    return list.type.create(attrs, one);
  };
  const candidates = olds.map(({ node, source }) => ({
    source,
    node: alone(node, Number(NUMBER.exec(source)?.[2] ?? number)),
  }));
  const start = candidates[0]?.node.attrs.start ?? number;
  return writeBlock(alone(item, start), candidates, writing);
}

/** The items of a list with their sources, or undefined if they cannot be parted. */
function toItems({ node, source }: OldBlock, { read }: Writing): SourceItem[] | undefined {
  const starts = [...source.matchAll(ITEM_START)].map(({ index }) => index);
  const items: SourceItem[] = [];
  let from = 0;
  for (const start of [...starts.filter((at) => at > 0), source.length]) {
    const raw = source.slice(from, start);
    const item = raw.replace(/\s+$/, '');
    const expected = node.maybeChild(items.length);
    const said = read(item);
    // What looks like the start of an item may be inside the one before it.
    if (!expected || said?.childCount !== 1 || !isSameText(said.child(0), expected)) continue;
    items.push({ node: expected, source: item, gap: raw.slice(item.length) });
    from = start;
  }
  return items.length === node.childCount && from === source.length ? items : undefined;
}

function writeRows(node: Node, old: OldBlock, { habits, read }: Writing): string | undefined {
  const lines = old.source.split('\n');
  const [head, ...rows] = node.children;
  const [oldHead, ...oldRows] = old.node.children;
  if (!head || !oldHead || !head.eq(oldHead) || lines.length !== oldRows.length + 2) return undefined;
  const found = align(oldRows, rows);
  const own = readHabits([{ ...old, gap: '' }], habits);
  const hasEdges = lines[0]!.trimStart().startsWith('|');
  const written = rows.map((row, at) => {
    const index = found[at]!;
    if (index >= 0) return lines[index + 2]!;
    for (const escaping of ESCAPINGS) {
      const [line = ''] = printBlock(node.type.create(null, row), { ...own, isTablePadded: false }, escaping).split(
        '\n',
      );
      const said = read(`${lines[0]}\n${lines[1]}\n${line}`);
      if (escaping !== 'all' && !(said?.childCount === 2 && isSameText(said.child(1), row))) continue;
      return hasEdges ? line : line.replace(/^\| | \|$/g, '');
    }
    return '';
  });
  return [lines[0], lines[1], ...written].join('\n');
}
