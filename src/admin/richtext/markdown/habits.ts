// How the author of a text writes Markdown: which of the ways to say the same they use. Pure.
import type { SourceBlock } from './markdown-in.ts';

export interface Habits {
  bullet: '*' | '-' | '+';
  /** True if the text of an item begins at a tab stop, and not one space after its bullet. */
  isIndentedByTab: boolean;
  numberEnd: '.' | ')';
  /** True for 1, 2, 3 and false for 1, 1, 1. */
  isCounting: boolean;
  emphasis: '*' | '_';
  strong: '*' | '_';
  fence: '`' | '~' | 'indent';
  rule: string;
  isUnderlined: boolean;
  isHeadingClosed: boolean;
  lineEnd: 'spaces' | 'backslash';
  quote: '"' | "'";
  isTablePadded: boolean;
}

export const USUAL: Habits = {
  bullet: '-',
  isIndentedByTab: false,
  numberEnd: '.',
  isCounting: true,
  emphasis: '*',
  strong: '*',
  fence: '`',
  rule: '---',
  isUnderlined: false,
  isHeadingClosed: false,
  lineEnd: 'backslash',
  quote: '"',
  isTablePadded: true,
};

type Vote = (habit: keyof Habits, value: unknown) => void;

/** What most of the blocks do; for a habit that none of them shows, that of `others`. */
export function readHabits(blocks: readonly SourceBlock[], others: Habits = USUAL): Habits {
  const votes = new Map<keyof Habits, Map<unknown, number>>();
  const vote: Vote = (habit, value) => {
    const counts = votes.get(habit) ?? new Map<unknown, number>();
    votes.set(habit, counts.set(value, (counts.get(value) ?? 0) + 1));
  };
  for (const block of blocks) observe(block, vote);
  const most = [...votes].map(([habit, counts]) => [habit, [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]] as const);
  return { ...others, ...Object.fromEntries(most) };
}

function observe({ node, source }: SourceBlock, vote: Vote): void {
  const type = node.type.name;
  if (type === 'heading') {
    vote('isUnderlined', source.includes('\n'));
    if (!source.includes('\n')) vote('isHeadingClosed', /\s#+\s*$/.test(source));
  } else if (type === 'codeBlock') {
    vote('fence', /^ {0,3}`/.test(source) ? '`' : /^ {0,3}~/.test(source) ? '~' : 'indent');
    return;
  } else if (type === 'horizontalRule') vote('rule', source.trim());
  else if (type === 'table') vote('isTablePadded', new Set(source.split('\n').map((line) => line.length)).size === 1);
  else if (type === 'markdownSource') return;
  else observeItems(source, type, vote);
  observeWords(source, vote);
}

const ITEM = /^ {0,3}(?:([-*+])|(\d+)([.)]))([ \t]+)\S/;

function observeItems(source: string, type: string, vote: Vote): void {
  if (!type.endsWith('List')) return;
  const [, bullet, first, end, spaces = ''] = ITEM.exec(source) ?? [];
  if (bullet) vote('bullet', bullet);
  if (end) vote('numberEnd', end);
  if (spaces !== '') vote('isIndentedByTab', spaces.includes('\t') || (spaces.length > 1 && spaces.length < 5));
  const second = /\n {0,3}(\d+)[.)]/.exec(source)?.[1];
  if (first !== undefined && second !== undefined) vote('isCounting', first !== second);
}

function observeWords(source: string, vote: Vote): void {
  const words = source.replace(/`[^`]*`|\]\([^)]*\)/g, '');
  for (const [, , mark] of words.matchAll(/(^|[^\w*_])(\*\*|__)(?=\S)(?!\2)[^*_]+\2/g)) vote('strong', mark?.[0]);
  for (const [, , mark] of words.matchAll(/(^|[^\w*_])([*_])(?=[^\s*_])[^*_]+\2(?![*_\w])/g)) vote('emphasis', mark);
  for (const [end] of source.matchAll(/(?: {2}|\\)\n/g)) vote('lineEnd', end === '\\\n' ? 'backslash' : 'spaces');
  for (const [, quote] of source.matchAll(/\]\([^)\s]+ (["'])/g)) vote('quote', quote);
}
