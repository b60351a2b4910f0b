// A ProseMirror document (TipTap's names, and those of ProseMirror's own schemas) as HTML. A node that is not known
// renders its content; text is escaped, addresses are checked.
import { isObject } from '../../lib/json.ts';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml, toAttributes } from '../theme/safe-html.ts';
import { idsOf, type PageIds, shiftOf, toLevel } from './heading-ids.ts';
import { pictureHtml } from './picture.ts';
import type { RichTextOptions } from './rich-text-options.ts';

interface ProseRun {
  page: PageContext;
  shift: number;
  ids: PageIds;
}

interface ProseNode {
  type: string;
  text: string;
  attrs: Record<string, unknown>;
  marks: unknown[];
  content: unknown[];
}

/** No editor nests deeper; below it only the words are shown. */
const MAX_DEPTH = 100;
const MAX_MARKS = 20;

export function proseHtml(document: object, page: PageContext, options: RichTextOptions): string {
  const root = toNode(document);
  const headings = root.content.map(toNode).filter(({ type }) => type === 'heading');
  const shift = options.shift ?? shiftOf(headings.map(levelOf));
  return nodeHtml(root, { page, shift, ids: idsOf(page) }, 0);
}

function toNode(value: unknown): ProseNode {
  const node = isObject(value) ? value : {};
  const list = (items: unknown): unknown[] => (Array.isArray(items) ? items : []);
  return {
    // `bulletList` and `bullet_list` are one.
    type: typeof node.type === 'string' ? node.type.replaceAll('_', '').toLowerCase() : '',
    text: typeof node.text === 'string' ? node.text : '',
    attrs: isObject(node.attrs) ? node.attrs : {},
    marks: list(node.marks),
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
  table: (inner) => `<table tabindex="0"><tbody>${inner()}</tbody></table>\n`,
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
    const level = toLevel(levelOf(node), run.shift);
    return `<h${level} id="${run.ids.ofHeading(wordsOf(node))}">${inner()}</h${level}>\n`;
  },
  codeblock(_, node) {
    const language = typeof node.attrs.language === 'string' ? /^[\w+#.-]+/.exec(node.attrs.language)?.[0] : undefined;
    const code = `<code${toAttributes({ class: language && `language-${language}` })}>${escapeHtml(wordsOf(node))}\n</code>`;
    return `<pre tabindex="0">${code}</pre>\n`;
  },
  image(_, { attrs }, run) {
    const src = textOf(attrs.src);
    return src ? pictureHtml(src, textOf(attrs.alt), textOf(attrs.title) || undefined, run.page) : '';
  },
  mention: (_, { attrs }) => escapeHtml(textOf(attrs.label) || textOf(attrs.id)),
  emoji: (_, { attrs }) => escapeHtml(textOf(attrs.emoji) || textOf(attrs.name)),
  inlinemath: (_, { attrs }) => `<code>${escapeHtml(textOf(attrs.latex))}</code>`,
  blockmath: (_, { attrs }) => `<pre tabindex="0"><code>${escapeHtml(textOf(attrs.latex))}\n</code></pre>\n`,
  youtube: linkToEmbed,
  iframe: linkToEmbed,
  embed: linkToEmbed,
  video: linkToEmbed,
  audio: linkToEmbed,
};

const MARKS: Record<string, string> = {
  bold: 'strong',
  strong: 'strong',
  italic: 'em',
  em: 'em',
  strike: 's',
  strikethrough: 's',
  delete: 'del',
  insert: 'ins',
  small: 'small',
  kbd: 'kbd',
  underline: 'u',
  code: 'code',
  subscript: 'sub',
  superscript: 'sup',
  highlight: 'mark',
};

/** Frames of other sites are not shown, because they watch visitors; a link leads there. */
function linkToEmbed(_: () => string, { attrs }: ProseNode, { page }: ProseRun): string {
  const src = textOf(attrs.src);
  return src === ''
    ? ''
    : `<p><a${toAttributes({ href: page.link(src) })}>${escapeHtml(textOf(attrs.title) || src)}</a></p>\n`;
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

function nodeHtml(node: ProseNode, run: ProseRun, depth: number): string {
  if (node.type === 'text') return marked(escapeHtml(node.text), node.marks, run);
  if (depth > MAX_DEPTH) return escapeHtml(wordsOf(node));
  const inner = (): string => node.content.map((child) => nodeHtml(toNode(child), run, depth + 1)).join('');
  const render = Object.hasOwn(NODES, node.type) ? NODES[node.type]! : undefined;
  return marked(render ? render(inner, node, run) : inner(), node.marks, run);
}

function marked(html: string, marks: readonly unknown[], { page }: ProseRun): string {
  return marks.slice(0, MAX_MARKS).reduceRight((text: string, mark) => {
    const { type, attrs } = toNode(mark);
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

function levelOf({ attrs }: ProseNode): number {
  return toCount(attrs.level) ?? 2;
}

function toCount(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= 100_000
    ? (value as number)
    : undefined;
}

/** The words of a node, without a stack: a hostile document is nested deeper than one. */
function wordsOf(node: ProseNode): string {
  let words = node.text;
  const waiting = node.content.toReversed();
  while (waiting.length > 0) {
    const next = toNode(waiting.pop());
    words += next.type === 'hardbreak' ? '\n' : next.text;
    for (let at = next.content.length - 1; at >= 0; at--) waiting.push(next.content[at]);
  }
  return words;
}
