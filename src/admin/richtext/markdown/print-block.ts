// One block of the editor as Markdown, written anew in the habits of its text. Pure.
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import { type Handle, type Options, toMarkdown } from 'mdast-util-to-markdown';
import type { Node } from 'prosemirror-model';
import type { Habits } from './habits.ts';
import { type MarkdownNode, toPhrasing } from './phrasing.ts';
import { isNothing } from './same-text.ts';

/** `none` writes words as they are, `some` lets underscores inside words be, `all` escapes what might be read. */
export type Escaping = 'none' | 'some' | 'all';
export const ESCAPINGS: readonly Escaping[] = ['none', 'some', 'all'];

export function printBlock(node: Node, habits: Habits, escaping: Escaping): string {
  return print(toBlockNode(node), habits, escaping);
}

/** Words within a block. */
export function printWords(children: readonly Node[], habits: Habits, escaping: Escaping): string {
  return print({ type: 'paragraph', children: toPhrasing(children) }, habits, escaping);
}

function print(tree: MarkdownNode, habits: Habits, escaping: Escaping): string {
  const text = toMarkdown(tree as never, toOptions(habits, escaping)).replace(/\n$/, '');
  return escaping === 'some' ? text.replace(/(?<=\w)\\_(?=\w)/g, '_') : text;
}

const strike: Handle = (node, _, state, info) =>
  `~~${state.containerPhrasing(node, { ...info, before: '~', after: '~' })}~~`;

function toOptions(habits: Habits, escaping: Escaping): Options {
  const [mark = '-'] = habits.rule;
  return {
    bullet: habits.bullet,
    bulletOther: habits.bullet === '*' ? '-' : '*',
    bulletOrdered: habits.numberEnd,
    listItemIndent: habits.isIndentedByTab ? 'tab' : 'one',
    incrementListMarker: habits.isCounting,
    emphasis: habits.emphasis,
    strong: habits.strong,
    fence: habits.fence === 'indent' ? '`' : habits.fence,
    fences: habits.fence !== 'indent',
    rule: mark as '-',
    ruleRepetition: Math.max(3, habits.rule.split(mark).length - 1),
    ruleSpaces: habits.rule.includes(' '),
    setext: habits.isUnderlined,
    closeAtx: habits.isHeadingClosed,
    quote: habits.quote,
    extensions: [gfmTableToMarkdown({ tablePipeAlign: habits.isTablePadded }), gfmTaskListItemToMarkdown()],
    handlers: {
      delete: strike,
      break: () => (habits.lineEnd === 'spaces' ? '  \n' : '\\\n'),
      ...(escaping === 'none' ? { text: ({ value }: { value: string }) => value } : {}),
    },
  };
}

function toBlockNodes(node: Node): MarkdownNode[] {
  return node.children.filter((child) => !isNothing(child)).map(toBlockNode);
}

function toBlockNode(node: Node): MarkdownNode {
  const { attrs } = node;
  switch (node.type.name) {
    case 'heading':
      return { type: 'heading', depth: attrs.level, children: toPhrasing(node.children) };
    case 'blockquote':
      return { type: 'blockquote', children: toBlockNodes(node) };
    case 'codeBlock': {
      const [lang = null, meta = null] = (attrs.language ?? '').match(/^\S+|(?<=\s)\S.*$/g) ?? [];
      return { type: 'code', lang, meta, value: node.textContent };
    }
    case 'horizontalRule':
      return { type: 'thematicBreak' };
    case 'markdownSource':
      return { type: 'html', value: node.textContent };
    case 'bulletList':
    case 'orderedList':
    case 'taskList':
      return toList(node);
    case 'table':
      return toTable(node);
    default:
      return { type: 'paragraph', children: toPhrasing(node.children) };
  }
}

function toList(node: Node): MarkdownNode {
  const spread = node.attrs.tight === false;
  const children = node.children.map((item) => ({
    type: 'listItem',
    spread,
    checked: item.type.name === 'taskItem' ? item.attrs.checked === true : null,
    children: toBlockNodes(item),
  }));
  const ordered = node.type.name === 'orderedList';
  return { type: 'list', ordered, start: ordered ? node.attrs.start : null, spread, children };
}

function toTable(node: Node): MarkdownNode {
  const rows = node.children;
  return {
    type: 'table',
    align: rows[0] ? rows[0].children.map(({ attrs }) => attrs.align) : [],
    children: rows.map((row) => ({
      type: 'tableRow',
      children: row.children.map((cell) => ({
        type: 'tableCell',
        children: cell.children.flatMap((block) => toPhrasing(block.children)),
      })),
    })),
  };
}
