// A ProseMirror document (TipTap's names, and those of ProseMirror's own schemas) as HTML. A node that is not known
// renders its content; text is escaped, addresses are checked.
import { isObject } from '../../lib/json.ts';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml, toAttributes } from '../theme/safe-html.ts';
import { createHeadingIds, toLevel } from './heading-ids.ts';
import { pictureHtml } from './picture.ts';
import type { RichTextOptions } from './rich-text-options.ts';

interface ProseRun {
  page: PageContext;
  shift: number;
  toId(text: string): string;
}

interface ProseNode {
  type: string;
  text: string;
  attrs: Record<string, unknown>;
  marks: ProseNode[];
  content: unknown[];
}

/** No editor nests deeper; below it only the words are shown. */
const MAX_DEPTH = 100;

export function proseHtml(document: object, page: PageContext, { shift }: RichTextOptions): string {
  return nodeHtml(toNode(document), { page, shift, toId: createHeadingIds() }, 0);
}

function toNode(value: unknown): ProseNode {
  const node = isObject(value) ? value : {};
  const list = (items: unknown): unknown[] => (Array.isArray(items) ? items : []);
  return {
    // `bulletList` and `bullet_list` are one.
    type: typeof node.type === 'string' ? node.type.replaceAll('_', '').toLowerCase() : '',
    text: typeof node.text === 'string' ? node.text : '',
    attrs: isObject(node.attrs) ? node.attrs : {},
    marks: list(node.marks).map(toNode),
    content: list(node.content),
  };
}

type RenderNode = (inner: () => string, node: ProseNode, run: ProseRun) => string;

const wrap =
  (name: string, ending = '\n'): RenderNode =>
  (inner) =>
    `<${name}>${inner()}</${name}>${ending}`;

const NODES: Record<string, RenderNode> = {
  paragraph: wrap('p'),
  blockquote: wrap('blockquote'),
  bulletlist: wrap('ul'),
  listitem: wrap('li'),
  table: (inner) => `<table><tbody>${inner()}</tbody></table>\n`,
  tablerow: wrap('tr'),
  tablecell: (inner, { attrs }) => cell('td', inner(), attrs),
  tableheader: (inner, { attrs }) => cell('th', inner(), attrs),
  details: wrap('details'),
  detailssummary: wrap('summary'),
  figure: wrap('figure'),
  figcaption: wrap('figcaption'),
  horizontalrule: () => '<hr>\n',
  hardbreak: () => '<br>',
  tasklist: (inner) => `<ul class="tasks">${inner()}</ul>\n`,
  taskitem(inner, { attrs }) {
    const isDone = attrs.checked === true;
    return `<li><input type="checkbox" disabled${isDone ? ' checked' : ''} aria-label="${isDone ? '✓' : '–'}"> ${inner()}</li>\n`;
  },
  orderedlist(inner, { attrs }) {
    const start = toCount(attrs.start ?? attrs.order);
    return `<ol${toAttributes({ start: start === 1 ? undefined : start })}>${inner()}</ol>\n`;
  },
  heading(inner, node, run) {
    const level = toLevel(toCount(node.attrs.level) ?? 2, run.shift);
    return `<h${level} id="${escapeHtml(run.toId(wordsOf(node)))}">${inner()}</h${level}>\n`;
  },
  codeblock(_, node) {
    const language = typeof node.attrs.language === 'string' ? /^[\w+#.-]+/.exec(node.attrs.language)?.[0] : undefined;
    const code = `<code${toAttributes({ class: language && `language-${language}` })}>${escapeHtml(wordsOf(node))}\n</code>`;
    return `<pre>${code}</pre>\n`;
  },
  image(_, { attrs }, run) {
    const [src, alt, title] = [attrs.src, attrs.alt, attrs.title].map((one) => (typeof one === 'string' ? one : ''));
    return src ? pictureHtml(src, alt!, title || undefined, run.page) : '';
  },
  mention: (_, { attrs }) => escapeHtml(String(attrs.label ?? attrs.id ?? '')),
};

const MARKS: Record<string, string> = {
  bold: 'strong',
  strong: 'strong',
  italic: 'em',
  em: 'em',
  strike: 's',
  underline: 'u',
  code: 'code',
  subscript: 'sub',
  superscript: 'sup',
  highlight: 'mark',
};

function nodeHtml(node: ProseNode, run: ProseRun, depth: number): string {
  if (node.type === 'text') return marked(escapeHtml(node.text), node.marks, run);
  if (depth > MAX_DEPTH) return escapeHtml(wordsOf(node));
  const inner = (): string => node.content.map((child) => nodeHtml(toNode(child), run, depth + 1)).join('');
  const render = Object.hasOwn(NODES, node.type) ? NODES[node.type]! : undefined;
  return marked(render ? render(inner, node, run) : inner(), node.marks, run);
}

function marked(html: string, marks: readonly ProseNode[], { page }: ProseRun): string {
  return marks.reduceRight((text, { type, attrs }) => {
    if (type === 'link') {
      const href = typeof attrs.href === 'string' ? page.link(attrs.href) : '#';
      const title = typeof attrs.title === 'string' && attrs.title !== '' ? attrs.title : undefined;
      return `<a${toAttributes({ href, title })}>${text}</a>`;
    }
    const name = Object.hasOwn(MARKS, type) ? MARKS[type] : undefined;
    return name ? `<${name}>${text}</${name}>` : text;
  }, html);
}

function cell(name: string, html: string, attrs: Record<string, unknown>): string {
  const [colspan, rowspan] = [toCount(attrs.colspan), toCount(attrs.rowspan)];
  const spans = { colspan: colspan === 1 ? undefined : colspan, rowspan: rowspan === 1 ? undefined : rowspan };
  return `<${name}${toAttributes(spans)}>${html}</${name}>`;
}

function toCount(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= 100_000
    ? (value as number)
    : undefined;
}

/** The words of a node, without a stack: a hostile document is nested deeper than one. */
function wordsOf(node: ProseNode): string {
  let words = node.text;
  const waiting: unknown[] = [...node.content].reverse();
  while (waiting.length > 0) {
    const next = toNode(waiting.pop());
    words += next.type === 'hardbreak' ? '\n' : next.text;
    waiting.push(...[...next.content].reverse());
  }
  return words;
}
