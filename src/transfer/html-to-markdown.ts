// HTML of a WordPress post as Markdown. Reads the tags once and keeps no tree: its work grows with the text and with a
// nesting that is bounded. What Markdown has no words for (tables, embeds, forms) stays as the HTML that it was.
import { Parser } from 'htmlparser2';
import { escapeMarkdown, inlineCode, link, prefixLines, wrapInline } from './markdown-pieces.ts';

/** Deeper HTML is nobody's text; the parser's work would grow with the square of it. */
const MAX_DEPTH = 500;
/** Quotations and lists inside each other; what is deeper goes on in the last of them. */
const MAX_CONTAINERS = 6;

const INLINE: Record<string, string> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  cite: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};
const CONTAINERS = new Set(['blockquote', 'ul', 'ol', 'li']);
const BLOCKS = new Set([
  ...[
    'p',
    'div',
    'section',
    'article',
    'header',
    'footer',
    'main',
    'aside',
    'figure',
    'figcaption',
    'center',
    'address',
  ],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dl', 'dt', 'dd', 'hr'],
]);
/** Kept as they are, from their opening to their closing tag. */
const KEPT = new Set(['table', 'iframe', 'video', 'audio', 'object', 'embed', 'form', 'svg', 'details', 'math']);
const DROPPED = new Set(['script', 'style', 'noscript', 'template', 'title', 'head']);

interface Container {
  name: string;
  blocks: string[];
  /** The paragraph under way. */
  text: string;
  /** An ordered list's next number. */
  number: number;
}

interface Inline {
  name: string;
  text: string;
  href: string | undefined;
}

class TooDeep extends Error {}

/** Returns the HTML itself if it is nested too deeply. */
export function htmlToMarkdown(html: string): string {
  const writer = new MarkdownWriter(html);
  try {
    return writer.write();
  } catch (error) {
    if (error instanceof TooDeep) return html;
    throw error;
  }
}

class MarkdownWriter {
  readonly #html: string;
  /** Without block editor comments, lines are paragraphs and breaks, as WordPress shows them. */
  readonly #hasLines: boolean;
  readonly #containers: Container[] = [{ name: 'root', blocks: [], text: '', number: 1 }];
  #inlines: Inline[] = [];
  /** The parser ends a text at each entity, and what needs a backslash depends on what is beside it. */
  #pending = '';
  #depth = 0;
  #heading = 0;
  #paragraphs = 0;
  #pre: { text: string; language: string } | undefined;
  /** An element that is kept or dropped as a whole: where it began, and how many of its name are open. */
  #whole: { name: string; start: number; open: number } | undefined;

  constructor(html: string) {
    this.#html = html;
    this.#hasLines = !html.includes('<!-- wp:');
  }

  write(): string {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => {
          const start = parser.startIndex;
          this.#endText();
          this.#open(name, attributes, start);
        },
        ontext: (text) => {
          this.#pending += text;
        },
        onclosetag: (name) => {
          this.#endText();
          this.#close(name, parser.endIndex + 1);
        },
      },
      { decodeEntities: true },
    );
    parser.end(this.#html);
    this.#endText();
    while (this.#containers.length > 1) this.#closeContainer();
    this.#flush();
    return this.#containers[0]!.blocks.join('\n\n');
  }

  get #container(): Container {
    return this.#containers.at(-1)!;
  }

  #open(name: string, attributes: Record<string, string>, start: number): void {
    if (++this.#depth > MAX_DEPTH) throw new TooDeep();
    if (this.#whole) {
      if (this.#whole.name === name) this.#whole.open++;
      return;
    }
    if (KEPT.has(name) || DROPPED.has(name)) {
      this.#whole = { name, start, open: 1 };
    } else if (this.#pre) {
      this.#pre.language ||= /\blang(?:uage)?-([\w+#-]+)/.exec(attributes.class ?? '')?.[1] ?? '';
      if (name === 'br') this.#pre.text += '\n';
    } else if (name === 'pre') {
      this.#flush();
      this.#pre = { text: '', language: /\blang(?:uage)?-([\w+#-]+)/.exec(attributes.class ?? '')?.[1] ?? '' };
    } else if (CONTAINERS.has(name)) this.#openContainer(name, attributes);
    else if (BLOCKS.has(name)) this.#openBlock(name);
    else if (name === 'br') this.#add(this.#heading ? ' ' : '\\\n');
    else if (name === 'img') this.#add(link(`!`, attributes.alt ?? '', attributes.src, attributes.title));
    else if (name === 'a' || name === 'code' || name in INLINE) {
      this.#inlines.push({ name, text: '', href: name === 'a' ? attributes.href : undefined });
    }
  }

  #endText(): void {
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') this.#text(text);
  }

  #text(text: string): void {
    if (this.#whole) return;
    if (this.#pre) this.#pre.text += text;
    else if (this.#inlines.some(({ name }) => name === 'code')) this.#add(text.replace(/\s+/g, ' '));
    else if (
      this.#hasLines &&
      this.#paragraphs + this.#heading === 0 &&
      this.#container.name !== 'ul' &&
      this.#container.name !== 'ol'
    ) {
      const [first = '', ...paragraphs] = text.split(/\n[ \t]*\n\s*/);
      this.#add(withBreaks(first));
      for (const paragraph of paragraphs) {
        this.#flush();
        this.#add(withBreaks(paragraph));
      }
    } else this.#add(escapeMarkdown(text.replace(/\s+/g, (space) => (space.includes('\u00a0') ? '\u00a0' : ' '))));
  }

  #close(name: string, end: number): void {
    this.#depth--;
    if (this.#whole) {
      if (this.#whole.name === name && --this.#whole.open === 0) this.#endWhole(this.#whole, end);
    } else if (this.#pre) {
      if (name === 'pre') this.#endPre(this.#pre);
    } else if (CONTAINERS.has(name)) {
      if (this.#containers.some((one) => one.name === name)) {
        while (this.#container.name !== name) this.#closeContainer();
        this.#closeContainer();
      }
    } else if (BLOCKS.has(name)) this.#closeBlock(name);
    else if (this.#inlines.some((one) => one.name === name)) {
      let closed = '';
      do closed = this.#closeInline();
      while (closed !== name);
    }
  }

  #endWhole({ name, start }: { name: string; start: number }, end: number): void {
    this.#whole = undefined;
    if (DROPPED.has(name)) return;
    this.#flush();
    // A blank line would end the HTML in Markdown.
    this.#container.blocks.push(this.#html.slice(start, end).replace(/\n\s*\n/g, '\n'));
  }

  #endPre({ text, language }: { text: string; language: string }): void {
    this.#pre = undefined;
    const code = text.replace(/^\n/, '').replace(/\n$/, '');
    const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
    const fence = '`'.repeat(longest + 1);
    this.#container.blocks.push(`${fence}${language}\n${code}\n${fence}`);
  }

  #openBlock(name: string): void {
    this.#flush();
    if (name === 'hr') this.#container.blocks.push('---');
    else if (/^h[1-6]$/.test(name)) this.#heading = Number(name[1]);
    if (name === 'p') this.#paragraphs = 1;
  }

  #closeBlock(name: string): void {
    this.#flush();
    if (/^h[1-6]$/.test(name)) this.#heading = 0;
    if (name === 'p') this.#paragraphs = 0;
  }

  #openContainer(name: string, { start }: Record<string, string>): void {
    this.#flush();
    if (this.#containers.length > MAX_CONTAINERS) return;
    const number = /^\d{1,8}$/.test(start ?? '') ? Number(start) : 1;
    this.#containers.push({ name, blocks: [], text: '', number });
  }

  #closeContainer(): void {
    this.#flush();
    const { name, blocks } = this.#containers.pop()!;
    const parent = this.#container;
    if (blocks.length === 0) return;
    if (name === 'blockquote') parent.blocks.push(prefixLines(blocks.join('\n\n'), '> ', '> '));
    else if (name === 'li') {
      const marker = parent.name === 'ol' ? `${parent.number++}. ` : '- ';
      const isTight = blocks.every((block, index) => index === 0 || /^(- |\d+\. )/.test(block));
      parent.blocks.push(prefixLines(blocks.join(isTight ? '\n' : '\n\n'), marker, ' '.repeat(marker.length)));
    } else parent.blocks.push(blocks.join('\n'));
  }

  #closeInline(): string {
    const { name, text, href } = this.#inlines.pop()!;
    if (name === 'a') this.#add(link('', text, href, undefined));
    else if (name === 'code') this.#add(inlineCode(text));
    else {
      const mark = INLINE[name]!;
      const isInside = this.#inlines.some((one) => INLINE[one.name] === mark);
      this.#add(isInside ? text : wrapInline(text, mark));
    }
    return name;
  }

  #add(text: string): void {
    const target = this.#inlines.at(-1) ?? this.#container;
    target.text += text;
  }

  /** Ends the paragraph under way. */
  #flush(): void {
    while (this.#inlines.length > 0) this.#closeInline();
    const container = this.#container;
    const text = trimBreaks(container.text);
    container.text = '';
    if (text === '') return;
    const start = text.replace(/^(#{1,6}|[-+=>]+|\d{1,9}(?=[.)]))/, (run) =>
      /^\d/.test(run) ? `${run}\\` : `\\${run}`,
    );
    container.blocks.push(this.#heading ? `${'#'.repeat(this.#heading)} ${text.replace(/#$/, '\\#')}` : start);
  }
}

/** Lines of the classic editor are breaks. */
function withBreaks(text: string): string {
  return escapeMarkdown(text.replace(/[ \t]+/g, ' ')).replace(/ ?\n ?/g, '\\\n');
}

/** Without breaks and spaces at its ends; loops, because an expression would look at a long run again and again. */
function trimBreaks(text: string): string {
  let [start, end] = [0, text.length];
  const isSpace = (at: number) => text[at] === ' ' || text[at] === '\n';
  while (start < end && (isSpace(start) || (text[start] === '\\' && text[start + 1] === '\n'))) start++;
  while (end > start && isSpace(end - 1)) {
    end--;
    // The backslash of a break; an escaped one has another before it.
    if (text[end] === '\n' && text[end - 1] === '\\' && text[end - 2] !== '\\') end--;
  }
  return text.slice(start, end);
}
