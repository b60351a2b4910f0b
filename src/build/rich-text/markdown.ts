// Markdown as HTML, with marked. What it writes itself is safe because its renderer escapes and checks addresses; only
// blocks with HTML of their own are sanitised afterwards, because that costs as much as the rest.
import { Marked, type MarkedExtension, type Token, type Tokens } from 'marked';
import { LinearLexer } from '../../lib/markdown/linear-lexer.ts';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml, toAttributes } from '../theme/safe-html.ts';
import { FOOTNOTES, footnotesHtml } from './footnotes.ts';
import { idsOf, levelsIn, shiftOf, toLevel } from './heading-ids.ts';
import { current, type MarkdownRun } from './markdown-run.ts';
import { createOpenElements } from './open-elements.ts';
import { pictureHtml } from './picture.ts';
import type { RichTextOptions } from './rich-text-options.ts';
import { sanitizeHtml } from './sanitize.ts';
import { withinTime } from './text-time.ts';

/** Code and tables scroll on a phone, so that the keyboard has to reach them. */
const RENDERER: MarkedExtension = {
  gfm: true,
  renderer: {
    heading({ tokens, depth }: Tokens.Heading) {
      const { shift, ids } = current.run!;
      const level = toLevel(depth, shift);
      const id = ids.ofHeading(decode(this.parser.parseInline(tokens, this.parser.textRenderer)));
      return `<h${level} id="${id}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, title, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const address = current.run!.page.link(decode(href));
      return `<a${toAttributes({ href: address, title: title ? decode(title) : undefined })}>${inner}</a>`;
    },
    image({ href, title, text, tokens }: Tokens.Image) {
      const alt = tokens ? this.parser.parseInline(tokens, this.parser.textRenderer) : text;
      return pictureHtml(decode(href), decode(alt), title ? decode(title) : undefined, current.run!.page);
    },
    code({ text, lang }: Tokens.Code) {
      const language = /^[\w+#.-]+/.exec(lang ?? '')?.[0];
      return `<pre tabindex="0"><code${toAttributes({ class: language && `language-${language}` })}>${escapeHtml(text)}\n</code></pre>\n`;
    },
    html({ text }: Tokens.HTML | Tokens.Tag) {
      const run = current.run!;
      run.html.push(text);
      return run.shift === 0
        ? text
        : text.replace(
            /(<\/?h)([1-6])(?=[\s/>])/gi,
            (_, start, level) => `${start}${toLevel(Number(level), run.shift)}`,
          );
    },
    list({ ordered, start, items }: Tokens.List) {
      const name = ordered ? 'ol' : 'ul';
      const first = ordered && start !== '' && start !== 1 ? start : undefined;
      const tasks = items.some(({ task }) => task) ? 'tasks' : undefined;
      const inner = items.map((item) => this.listitem(item)).join('');
      return `<${name}${toAttributes({ start: first, class: tasks })}>\n${inner}</${name}>\n`;
    },
    checkbox({ checked }: Tokens.Checkbox) {
      return `<input type="checkbox" disabled${checked ? ' checked' : ''} aria-label="${checked ? '✓' : '–'}"> `;
    },
    table({ header, rows }: Tokens.Table) {
      const toRow = (cells: Tokens.TableCell[]): string =>
        this.tablerow({ text: cells.map((cell) => this.tablecell(cell)).join('') });
      const body = rows.length > 0 ? `<tbody>${rows.map(toRow).join('')}</tbody>` : '';
      return `<table tabindex="0">\n<thead>\n${toRow(header)}</thead>\n${body}</table>\n`;
    },
    tablecell({ tokens, header, align }: Tokens.TableCell) {
      const name = header ? 'th' : 'td';
      const place = align === 'center' || align === 'right' ? `align-${align}` : undefined;
      return `<${name}${toAttributes({ class: place })}>${this.parser.parseInline(tokens)}</${name}>\n`;
    },
  },
};
const plain = new Marked(RENDERER);
/** Each extension makes every text slower, and few have footnotes. */
const withFootnotes = new Marked(RENDERER, FOOTNOTES);

export function markdownHtml(text: string, page: PageContext, options: RichTextOptions): string {
  const outer = current.run;
  const run: MarkdownRun = { page, shift: 0, ids: idsOf(page), html: [], footnotes: new Map(), definitions: new Map() };
  current.run = run;
  try {
    return withinTime(text, page, () => toHtml(text, run, options));
  } finally {
    current.run = outer;
  }
}

function toHtml(text: string, run: MarkdownRun, options: RichTextOptions): string {
  const { page } = run;
  const marked = text.includes('[^') ? withFootnotes : plain;
  let unread = 0;
  const read = (part: string): Token[] => {
    const lexer = new LinearLexer(marked.defaults);
    const tokens = lexer.lex(part);
    unread += lexer.unread;
    return tokens;
  };
  const tokens = read(text);
  run.shift = options.shift ?? shiftOf(levelsOf(tokens));
  const html = text.includes('<') ? piecesHtml(tokens, (part) => marked.parser(part), run) : marked.parser(tokens);
  const notes = footnotesHtml(run, (part) => marked.parser(read(part)));
  if (unread > 0)
    page.warn('a part of a text has more marks within one another than can be read: it is shown as it is written');
  return html + (run.html.length > 0 ? sanitizeHtml(notes, page) : notes);
}

/** Blocks from where HTML opens an element to where it is closed are one piece: the allow-list has to see both. */
function piecesHtml(tokens: readonly Token[], parse: (tokens: Token[]) => string, run: MarkdownRun): string {
  let whole = '';
  let piece = '';
  let isUnsafe = false;
  const elements = createOpenElements();
  for (const [at, token] of tokens.entries()) {
    // Texts beside each other are one paragraph.
    if (token.type === 'text' && tokens[at - 1]?.type === 'text') continue;
    let end = at + 1;
    while (token.type === 'text' && tokens[end]?.type === 'text') end++;
    piece += parse(tokens.slice(at, end));
    for (const html of run.html.splice(0)) {
      isUnsafe = true;
      elements.read(html);
    }
    if (elements.isAnyOpen()) continue;
    whole += isUnsafe ? sanitizeHtml(piece, run.page) : piece;
    piece = '';
    isUnsafe = false;
  }
  return whole + (isUnsafe ? sanitizeHtml(piece, run.page) : piece);
}

function levelsOf(tokens: readonly Token[]): number[] {
  return tokens.flatMap((token) => {
    if (token.type === 'heading') return (token as Tokens.Heading).depth;
    return token.type === 'html' ? levelsIn(token.raw) : [];
  });
}

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|amp|lt|gt|quot|apos|nbsp);/gi;
const NAMED: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': '\u00a0',
};

/** The commonest entities, which marked leaves in addresses, titles and descriptions; any other stays a text. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity, decimal, hex) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
    if (code === undefined) return NAMED[entity.toLowerCase()] ?? entity;
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : '\ufffd';
  });
}
