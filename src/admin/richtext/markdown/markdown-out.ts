// A document of the editor as Markdown. What was not changed is written as its source, byte by byte; what was changed is
// written in the habits of the text, and read again to see that it says the same. Pure.
import type { Node } from 'prosemirror-model';
import { align, findSources } from './align.ts';
import { linksOf } from './definitions.ts';
import { readHabits } from './habits.ts';
import { type LinkTargets, readMarkdown, type SourceBlock, type SourceText, toDocument } from './markdown-in.ts';
import { printBlock } from './print-block.ts';
import { isNothing, toMeaning } from './same-text.ts';
import { writeBlock } from './write-block.ts';

export interface WrittenMarkdown {
  text: string;
  /** False if the text, read again, is not what the document says. */
  isFaithful: boolean;
}

export interface MarkdownText {
  /** What was read. */
  document: Node;
  /** True if it has too many marks to be read. */
  isUnread: boolean;
  /** What `document` is in Markdown now, in as few changes as possible to what was read. */
  write(document: Node): WrittenMarkdown;
}

interface Line extends SourceBlock {
  /** The index of the block that it was, in the text as it was read. */
  place: number | undefined;
  /** True if it does not say what the screen says. */
  isDoubtful?: true;
  /** As it is in a text whose lines do not end with `\n`. */
  raw?: { source: string; gap: string };
}

export function openMarkdown(text: string): MarkdownText {
  const read = readMarkdown(text.replace(/\r\n?/g, '\n'));
  const hasReturns = text.includes('\r');
  const original = withReturns(read, hasReturns ? text : undefined);
  const lineEnd = hasReturns && /\r\n/.test(text) ? '\r\n' : '\n';
  const habits = readHabits(read.blocks);
  let latest = original.lines;
  let latestLinks = JSON.stringify(linksOf(latest.map(({ node }) => node)));
  return {
    document: toDocument(read.blocks),
    isUnread: read.isUnread === true,
    write(document) {
      const blocks = document.children.filter((node) => !isNothing(node));
      const links = linksOf(blocks);
      const areLinksNew = latestLinks !== JSON.stringify(links);
      const texts = { original: original.lines, latest, habits, links };
      const { lines, isFaithful } = arrange(blocks, texts, areLinksNew);
      latest = lines;
      latestLinks = JSON.stringify(links);
      const parts = lines.map((line) =>
        line.raw ? line.raw.gap + line.raw.source : (line.gap + line.source).replaceAll('\n', lineEnd),
      );
      return {
        text: parts.join('') + (lines.length > 0 || original.lines.length === 0 ? original.tail : ''),
        isFaithful,
      };
    },
  };
}

/** Whether a text says what a document says: the whole of it, which takes longer than what `write` compares. */
export function isFaithful(text: string, document: Node): boolean {
  const { blocks } = readMarkdown(text.replace(/\r\n?/g, '\n'));
  const said = blocks.map(({ node }) => node);
  return toSaid(said, linksOf(said)) === toSaid(document.children, linksOf(document.children));
}

/** The lines of a text; those of one with other line ends know how they are written in it. */
function withReturns({ blocks, tail }: SourceText, text: string | undefined): { lines: Line[]; tail: string } {
  if (text === undefined) return { lines: blocks.map((block, place) => ({ ...block, place })), tail };
  let at = 0;
  const take = (part: string): string => {
    const from = at;
    for (const char of part) {
      if (char === '\n') at += text.startsWith('\r\n', at) ? 2 : 1;
      else at += char.length;
    }
    return text.slice(from, at);
  };
  const lines = blocks.map((block, place) => ({
    ...{ ...block, place },
    raw: { gap: take(block.gap), source: take(block.source) },
  }));
  return { lines, tail: take(tail) };
}

interface Texts {
  original: readonly Line[];
  latest: readonly Line[];
  habits: ReturnType<typeof readHabits>;
  links: LinkTargets;
}

/** What a block of the screen was before, as far as it is known. */
interface Origin {
  /** The line that says the same. */
  same: Line | undefined;
  /** Lines that it may have been made from, the likeliest first. */
  olds: readonly Line[];
  /** The index of that line in the text as it was read, and as it was written last. */
  first: number | undefined;
  last: number | undefined;
  /** The index in the text as it was read, of that line or of the likeliest. */
  place: number | undefined;
  /** The same in the text as it was written last. */
  latest: number | undefined;
}

/** `areLinksNew` if any block may be read in another way than before. */
function arrange(blocks: readonly Node[], texts: Texts, areLinksNew: boolean): { lines: Line[]; isFaithful: boolean } {
  const origins = findOrigins(blocks, texts);
  const read = (source: string): Node | undefined => {
    const { blocks: said } = readMarkdown(source, texts.links);
    return said.length === 1 ? said[0]!.node : undefined;
  };
  const lines = blocks.map((node, at): Line => {
    const { same, olds, place } = origins[at]!;
    const gap = gapBefore(origins, at, texts);
    if (same) return toSameLine(same, node, gap, place);
    return { node, source: writeBlock(node, olds, { habits: texts.habits, read }), gap, place };
  });
  return verify(lines, (at) => areLinksNew || lines[at]!.isDoubtful === true || !isKnown(origins, at), texts);
}

function toSameLine(same: Line, node: Node, gap: string, place: number | undefined): Line {
  if (same.gap === gap) return same.node === node && same.place === place ? same : { ...same, node, place };
  return { node, source: same.source, gap, place, ...(same.isDoubtful ? { isDoubtful: true } : {}) };
}

function findOrigins(blocks: readonly Node[], { original, latest }: Texts): Origin[] {
  const [inOriginal, inLatest] = [original, latest].map((lines) => {
    const nodes = lines.map(({ node }) => node);
    const found = align(nodes, blocks);
    return { found, sources: findSources(nodes, found) };
  });
  return blocks.map((_, at) => {
    const [first, last] = [toIndex(inOriginal!.found[at]!), toIndex(inLatest!.found[at]!)];
    const same = original[first ?? -1] ?? latest[last ?? -1];
    if (same) {
      // What was read beside its neighbours last time was its source of then.
      const isAsThen = latest[last ?? -1]?.source === same.source;
      return { same, olds: [], first, last: isAsThen ? last : undefined, place: first ?? same.place, latest: last };
    }
    const fromOriginal = inOriginal!.sources[at]!.slice(0, MOST_SOURCES).map((index) => original[index]!);
    const fromLatest = inLatest!.sources[at]!.slice(0, MOST_SOURCES);
    const olds = [...fromOriginal, ...fromLatest.map((index) => latest[index]!)];
    return { same, olds, first, last, place: olds[0]?.place, latest: fromLatest[0] };
  });
}

function toIndex(found: number): number | undefined {
  return found < 0 ? undefined : found;
}

const MOST_SOURCES = 3;
const BLANK_LINE = '\n\n';

/** What stood between these two before, else a blank line. */
function gapBefore(origins: readonly Origin[], at: number, { original, latest }: Texts): string {
  const now = origins[at]!;
  if (at === 0) return now.place === 0 ? original[0]!.gap : now.latest === 0 ? latest[0]!.gap : '';
  const above = origins[at - 1]!;
  if (isNext(above.first, now.first)) return original[now.first!]!.gap;
  // It may be wider than in the original, because another one would be read in another way.
  if (isNext(above.latest, now.latest)) return latest[now.latest!]!.gap;
  return isNext(above.place, now.place) ? original[now.place!]!.gap : BLANK_LINE;
}

function isNext(above: number | undefined, index: number | undefined): boolean {
  return above !== undefined && index !== undefined && above + 1 === index;
}

/** Whether a block and the one above stood like that before, so that both together have been read. */
function isKnown(origins: readonly Origin[], at: number): boolean {
  const { first, last } = origins[at]!;
  if (at === 0) return first === 0 || last === 0;
  const above = origins[at - 1]!;
  return isNext(above.first, first) || isNext(above.last, last);
}

/** Reads what is new together with what is beside it, and writes it more carefully where it does not say the same. */
function verify(
  given: readonly Line[],
  isDirty: (at: number) => boolean,
  texts: Texts,
): { lines: Line[]; isFaithful: boolean } {
  const lines = [...given];
  let isAllFaithful = true;
  for (let from = 0; from < lines.length; from++) {
    if (!isDirty(from)) continue;
    let to = from;
    while (to + 1 < lines.length && isDirty(to + 1)) to++;
    const [start, end] = [Math.max(0, from - 1), Math.min(lines.length, to + 2)];
    const careful = (): Line[] => lines.slice(start, end);
    const attempts = [
      careful,
      () => widen(careful(), start),
      () => rewrite(widen(careful(), start), isDirty, start, texts),
    ];
    const good = attempts
      .values()
      .map((attempt) => attempt())
      .find((part) => readsAs(part, texts.links));
    for (let at = from; at <= to && !good; at++) lines[at] = { ...lines[at]!, isDoubtful: true };
    if (good) lines.splice(start, end - start, ...good.map(withoutDoubt));
    else isAllFaithful = false;
    from = to;
  }
  return { lines, isFaithful: isAllFaithful };
}

function withoutDoubt(line: Line): Line {
  const { isDoubtful, ...rest } = line;
  return isDoubtful ? rest : line;
}

function readsAs(lines: readonly Line[], links: LinkTargets): boolean {
  const text = lines.map(({ gap, source }, at) => (at === 0 ? '' : gap) + source).join('');
  const said = toSaid(
    readMarkdown(text, links).blocks.map(({ node }) => node),
    links,
  );
  return (
    said ===
    toSaid(
      lines.map(({ node }) => node),
      links,
    )
  );
}

/** What blocks say; people write anything into a block of source, which then says what is read from it. */
function toSaid(nodes: readonly Node[], links: LinkTargets): string {
  const parts = nodes.flatMap((node) => {
    if (!isSource(node)) return isNothing(node) ? [] : [toMeaning(node)];
    return readMarkdown(node.textContent, links).blocks.flatMap((block) =>
      isNothing(block.node) ? [] : [toMeaning(block.node)],
    );
  });
  return parts.join('\n');
}

function isSource({ type }: Node): boolean {
  return type.name === 'markdownSource';
}

function widen(lines: readonly Line[], start: number): Line[] {
  return lines.map((line, at) =>
    (at === 0 && start === 0) || /\n[ \t]*\n/.test(line.gap)
      ? line
      : { node: line.node, source: line.source, gap: BLANK_LINE, place: line.place },
  );
}

/** Everything escaped, and a list below another one with another bullet, so that the two stay apart. */
function rewrite(lines: readonly Line[], isDirty: (at: number) => boolean, start: number, { habits }: Texts): Line[] {
  const made: Line[] = [];
  lines.forEach(({ node, source, gap, place }, at) => {
    const above = made.at(-1);
    const isBesideList = above !== undefined && isList(node) && isList(above.node);
    const bullet = above?.source.trimStart().startsWith('-') ? '*' : '-';
    const numberEnd = /^\s*\d+\./.test(above?.source ?? '') ? ')' : '.';
    if (isBesideList)
      made.push({ node, gap, place, source: printBlock(node, { ...habits, bullet, numberEnd }, 'all') });
    else if (isDirty(start + at)) made.push({ node, gap, place, source: printBlock(node, habits, 'all') });
    else made.push({ node, gap, place, source });
  });
  return made;
}

function isList({ type }: Node): boolean {
  return type.name.endsWith('List');
}
