// What rich text consists of, by TipTap's names of nodes and marks. There are two schemas, because Markdown and JSON can
// say different things: one has source that is kept as it is, the other nodes and marks that are not known here.
import { type DOMOutputSpec, type Mark, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model';
import { isHarmless, isOurs } from './addresses.ts';

export type ValueKind = 'markdown' | 'json';

/** What the schema reads of an element: Node, which has no DOM, checks this file too. */
interface Element {
  getAttribute(name: string): string | null;
}

type Attributes = Record<string, { default: unknown }>;

const HEADING_LEVELS = [1, 2, 3, 4, 5, 6] as const;

function attributeOf(name: string): (dom: Element) => string | null {
  return (dom) => dom.getAttribute(name);
}

const IMAGE: Attributes = { src: { default: null }, alt: { default: null }, title: { default: null } };
/** How Markdown writes a link or an image, and the label of its definition. */
const WRITTEN: Attributes = { form: { default: null }, label: { default: null } };
/** Lists of Markdown have paragraphs in their items if they are not tight. */
const TIGHT: Attributes = { tight: { default: true } };
const CELL: Attributes = {
  colspan: { default: 1 },
  rowspan: { default: 1 },
  colwidth: { default: null },
  align: { default: null },
};

function readImage(dom: Element): Record<string, string | null> {
  return {
    src: dom.getAttribute('data-src') ?? dom.getAttribute('src'),
    alt: dom.getAttribute('data-alt') ?? dom.getAttribute('alt'),
    title: dom.getAttribute('title'),
    form: dom.getAttribute('data-form'),
    label: dom.getAttribute('data-label'),
  };
}

/** Pictures of other hosts are named and not shown: the page's policy refuses them. */
function drawImage({ attrs }: Node): DOMOutputSpec {
  const src = String(attrs.src ?? '');
  const data = { 'data-src': src, 'data-alt': attrs.alt, 'data-form': attrs.form, 'data-label': attrs.label };
  if (isOurs(src)) return ['img', { src, alt: attrs.alt ?? '', title: attrs.title, class: 'rt-image', ...data }];
  return ['span', { class: 'rt-image rt-image-elsewhere', title: attrs.title, ...data }, attrs.alt || src || '·'];
}

const IMAGE_RULES = [
  { tag: 'img[src]', getAttrs: readImage },
  { tag: 'span[data-src]', getAttrs: readImage },
];

function readCell(dom: Element): Record<string, unknown> {
  return {
    colspan: Number(dom.getAttribute('colspan') ?? 1),
    rowspan: Number(dom.getAttribute('rowspan') ?? 1),
    align: dom.getAttribute('data-align') ?? dom.getAttribute('align'),
  };
}

function cell(tag: 'td' | 'th', content: string): NodeSpec {
  return {
    content,
    attrs: CELL,
    tableRole: tag === 'td' ? 'cell' : 'header_cell',
    isolating: true,
    parseDOM: [{ tag, getAttrs: readCell }],
    toDOM: ({ attrs }) => [
      tag,
      {
        ...(attrs.colspan === 1 ? {} : { colspan: attrs.colspan }),
        ...(attrs.rowspan === 1 ? {} : { rowspan: attrs.rowspan }),
        'data-align': attrs.align,
      },
      0,
    ],
  };
}

const ITEMS = '(listItem | taskItem)+';

function readTight(dom: Element): Record<string, unknown> {
  const start = Number(dom.getAttribute('start') ?? 1);
  return { tight: dom.getAttribute('data-tight') !== 'false', start: Number.isInteger(start) ? start : 1 };
}

function drawTight({ attrs }: Node): Record<string, unknown> {
  return { 'data-tight': attrs.tight === false ? 'false' : null };
}

const LISTS: Record<string, NodeSpec> = {
  bulletList: {
    content: ITEMS,
    group: 'block list',
    attrs: TIGHT,
    parseDOM: [{ tag: 'ul', getAttrs: readTight }],
    toDOM: (node) => ['ul', drawTight(node), 0],
  },
  orderedList: {
    content: ITEMS,
    group: 'block list',
    attrs: { start: { default: 1 }, ...TIGHT },
    parseDOM: [{ tag: 'ol', getAttrs: readTight }],
    toDOM: (node) => ['ol', { start: node.attrs.start === 1 ? null : node.attrs.start, ...drawTight(node) }, 0],
  },
  listItem: {
    content: 'block+',
    defining: true,
    parseDOM: [{ tag: 'li' }],
    toDOM: () => ['li', 0],
  },
  taskList: {
    content: 'taskItem+',
    group: 'block list',
    attrs: TIGHT,
    parseDOM: [{ tag: 'ul[data-type="taskList"]', priority: 60, getAttrs: readTight }],
    toDOM: (node) => ['ul', { 'data-type': 'taskList', ...drawTight(node) }, 0],
  },
  taskItem: {
    content: 'block+',
    defining: true,
    attrs: { checked: { default: false } },
    parseDOM: [
      {
        tag: 'li[data-checked]',
        priority: 60,
        getAttrs: (dom) => ({ checked: attributeOf('data-checked')(dom) === 'true' }),
      },
    ],
    toDOM: ({ attrs }) => ['li', { 'data-checked': String(attrs.checked === true) }, 0],
  },
};

const BLOCKS: Record<string, NodeSpec> = {
  doc: { content: 'block+' },
  paragraph: { content: 'inline*', group: 'block', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
  heading: {
    content: 'inline*',
    group: 'block',
    defining: true,
    attrs: { level: { default: 2 } },
    parseDOM: HEADING_LEVELS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  },
  codeBlock: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    attrs: { language: { default: null } },
    parseDOM: [
      {
        tag: 'pre',
        preserveWhitespace: 'full',
        getAttrs: (dom) => ({ language: attributeOf('data-language')(dom) }),
      },
    ],
    toDOM: ({ attrs }) => ['pre', { 'data-language': attrs.language }, ['code', 0]],
  },
  horizontalRule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  ...LISTS,
};

function tables(cellContent: string): Record<string, NodeSpec> {
  return {
    table: {
      content: 'tableRow+',
      tableRole: 'table',
      isolating: true,
      group: 'block',
      parseDOM: [{ tag: 'table' }],
      toDOM: () => ['div', { class: 'rt-table' }, ['table', ['tbody', 0]]],
    },
    tableRow: {
      content: '(tableCell | tableHeader)*',
      tableRole: 'row',
      parseDOM: [{ tag: 'tr' }],
      toDOM: () => ['tr', 0],
    },
    tableCell: cell('td', cellContent),
    tableHeader: cell('th', cellContent),
  };
}

const INLINE: Record<string, NodeSpec> = {
  hardBreak: { inline: true, group: 'inline', selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'] },
  /** An image among words. TipTap has one name for both; the JSON has `image`. */
  imageInline: {
    inline: true,
    group: 'inline',
    draggable: true,
    attrs: { ...IMAGE, ...WRITTEN },
    parseDOM: IMAGE_RULES,
    toDOM: drawImage,
  },
  text: { group: 'inline' },
};

function simpleMark(tag: string, others: readonly string[] = []): MarkSpec {
  return { parseDOM: [tag, ...others].map((name) => ({ tag: name })), toDOM: () => [tag, 0] };
}

function link(extra: Attributes): MarkSpec {
  return {
    inclusive: false,
    attrs: { href: { default: null }, title: { default: null }, ...extra },
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (dom) => ({
          href: attributeOf('data-href')(dom) ?? attributeOf('href')(dom),
          title: attributeOf('title')(dom),
          form: attributeOf('data-form')(dom),
          label: attributeOf('data-label')(dom),
        }),
      },
    ],
    toDOM: ({ attrs }: Mark) => {
      const href = String(attrs.href ?? '');
      const data = { 'data-href': href, 'data-form': attrs.form, 'data-label': attrs.label };
      return ['a', { href: isHarmless(href) ? href : '#', title: attrs.title, ...data }, 0];
    },
  };
}

const MARKS: Record<string, MarkSpec> = {
  bold: simpleMark('strong', ['b']),
  italic: simpleMark('em', ['i']),
  strike: simpleMark('s', ['del', 'strike']),
  code: simpleMark('code'),
};

/** What Markdown can say. Source of other kinds is text that is written as it stands. */
export const MARKDOWN = new Schema({
  nodes: {
    ...BLOCKS,
    ...tables('paragraph'),
    markdownSource: {
      content: 'text*',
      marks: '',
      group: 'block',
      code: true,
      defining: true,
      isolating: true,
      parseDOM: [{ tag: 'pre[data-source]', preserveWhitespace: 'full', priority: 60 }],
      toDOM: () => ['pre', { 'data-source': '', class: 'rt-source' }, ['code', 0]],
    },
    ...INLINE,
  },
  marks: {
    link: link(WRITTEN),
    ...MARKS,
    source: {
      inclusive: false,
      excludes: 'code',
      parseDOM: [{ tag: 'span[data-source]' }],
      toDOM: () => ['span', { 'data-source': '', class: 'rt-source' }, 0],
    },
    /** A space that is a line break in the source. */
    softBreak: {
      inclusive: false,
      parseDOM: [{ tag: 'span[data-soft-break]' }],
      toDOM: () => ['span', { 'data-soft-break': '' }, 0],
    },
  },
});

/** Nodes and marks of a value keep what else their JSON has, and those that are not known all of it. */
const JSON_ATTRIBUTE: Attributes = { json: { default: null } };

function withJson<T extends NodeSpec | MarkSpec>(specs: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      name === 'doc' || name === 'text' ? spec : { ...spec, attrs: { ...spec.attrs, ...JSON_ATTRIBUTE } },
    ]),
  );
}

function drawUnknown({ attrs }: Node): string {
  return String((attrs.json as { type?: unknown } | null)?.type ?? '');
}

export const JSON_DOCUMENT = new Schema({
  nodes: withJson<NodeSpec>({
    ...BLOCKS,
    ...tables('block+'),
    image: { group: 'block', draggable: true, attrs: IMAGE, parseDOM: IMAGE_RULES, toDOM: drawImage },
    unknownBlock: {
      group: 'block',
      atom: true,
      toDOM: (node) => ['div', { class: 'rt-unknown' }, drawUnknown(node)],
    },
    unknownInline: {
      inline: true,
      group: 'inline',
      atom: true,
      toDOM: (node) => ['span', { class: 'rt-unknown' }, drawUnknown(node)],
    },
    ...INLINE,
  }),
  marks: withJson<MarkSpec>({
    link: link({}),
    ...MARKS,
    underline: simpleMark('u'),
    highlight: simpleMark('mark'),
    subscript: simpleMark('sub'),
    superscript: simpleMark('sup'),
    unknownMark: { excludes: '', toDOM: () => ['span', 0] },
  }),
});

export function schemaOf(kind: ValueKind): Schema {
  return kind === 'markdown' ? MARKDOWN : JSON_DOCUMENT;
}
