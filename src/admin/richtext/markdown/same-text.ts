// Whether two documents say the same in Markdown: what it cannot write, such as an empty paragraph or a space at the
// edge of bold words, makes no difference. Pure.
import type { Mark, Node } from 'prosemirror-model';

/** By node: while one types, the same neighbours are compared again and again. */
const meanings = new WeakMap<Node, string>();

/** A text of what a node says; equal texts are equal in Markdown. */
export function toMeaning(node: Node): string {
  let meaning = meanings.get(node);
  if (meaning === undefined) {
    meaning = JSON.stringify(meaningOf(node));
    meanings.set(node, meaning);
  }
  return meaning;
}

export function isSameText(one: Node, other: Node): boolean {
  return one === other || one.eq(other) || toMeaning(one) === toMeaning(other);
}

type Meaning = readonly unknown[];

/** How something is written, not what it says. */
const LOOKS = new Set(['form', 'label', 'colwidth', 'colspan', 'rowspan']);

function meaningOf(node: Node): Meaning {
  const head = [node.type.name, attributesOf(node)];
  if (node.type.name === 'codeBlock') return [...head, node.textContent];
  // The last spaces of a line of source go with the line.
  if (node.type.name === 'markdownSource') return [...head, node.textContent.trim()];
  if (node.inlineContent) return [...head, runsOf(node)];
  const inside: Node[] = [];
  node.forEach((child) => void inside.push(child));
  const said = inside.filter((child) => !isNothing(child));
  return [...head, said.map(meaningOf)];
}

/** True for a block that Markdown has no way to write. */
export function isNothing(node: Node): boolean {
  const { type, content, firstChild } = node;
  if (type.name === 'markdownSource') return node.textContent.trim() === '';
  if (type.name !== 'paragraph') return false;
  // Nearly every paragraph begins with words; reading all of each would take longer than anything else here.
  if (firstChild?.text?.trim()) return false;
  const { textContent } = node;
  return content.size === 0 || (content.size === textContent.length && !textContent.trim());
}

function attributesOf({ attrs, type }: Node): Record<string, unknown> {
  const said = Object.entries(attrs).filter(([name]) => !LOOKS.has(name));
  if (type.name.endsWith('List')) return Object.fromEntries(said.filter(([name]) => name !== 'tight'));
  return Object.fromEntries(said.map(([name, value]) => [name, value === '' ? null : value]));
}

interface Run {
  text: string;
  marks: string;
  node?: unknown;
}

/** The inline content as runs of text with the same marks, and other nodes between them. */
function runsOf(block: Node): Meaning {
  const runs: Run[] = [];
  block.forEach((child) => {
    const marks = toMarkText(child.marks);
    if (child.type.name === 'hardBreak') runs.push({ text: '', marks: '', node: 'hardBreak' });
    else if (!child.isText) runs.push({ text: '', marks, node: [child.type.name, attributesOf(child)] });
    else for (const run of toRuns(child, marks)) addRun(runs, run);
  });
  while (runs.at(-1)?.node === 'hardBreak') runs.pop();
  return runs.map((run, at) => trim(run, runs[at - 1], runs[at + 1])).filter(({ text, node }) => text !== '' || node);
}

/** A space has no marks, and several are one. */
function toRuns({ text = '', marks: own }: Node, marks: string): Run[] {
  if (own.some(({ type }) => type.name === 'code' || type.name === 'source')) return [{ text, marks }];
  const isItself = own.some(({ type, attrs }) => type.name === 'link' && isAddressOf(attrs.href, text));
  const rest = isItself ? toMarkText(own.filter(({ type }) => type.name !== 'link')) : marks;
  return text.split(/(\s+)/).flatMap((part) => {
    if (part === '') return [];
    return [part.trim() === '' ? { text: ' ', marks: '' } : { text: part, marks: rest }];
  });
}

/** An address among words is a link to itself, with and without a mark. */
function isAddressOf(href: unknown, text: string): boolean {
  return href === text || href === `http://${text}` || href === `mailto:${text}`;
}

function addRun(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  if (run.marks === '' && run.text === ' ' && last?.node === undefined && last?.text.endsWith(' ')) return;
  if (last && last.node === undefined && last.marks === run.marks) last.text += run.text;
  else runs.push(run);
}

/** Spaces at the edges of a line are nothing. */
function trim(run: Run, before: Run | undefined, after: Run | undefined): Run {
  if (run.node !== undefined || run.marks !== '') return run;
  const isFirst = before === undefined || before.node === 'hardBreak';
  const isLast = after === undefined || after.node === 'hardBreak';
  const text = isFirst ? run.text.trimStart() : run.text;
  return { ...run, text: isLast ? text.trimEnd() : text };
}

function toMarkText(marks: readonly Mark[]): string {
  const said = marks
    .filter(({ type }) => type.name !== 'softBreak')
    .map(({ type, attrs }) => (type.name === 'link' ? [type.name, attrs.href, attrs.title || null] : [type.name]));
  return JSON.stringify(said.sort()).replace(/^\[\]$/, '');
}
