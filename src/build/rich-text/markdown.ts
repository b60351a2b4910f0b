// Markdown as HTML, with marked. What it writes itself is safe because its renderer escapes and checks addresses; only a
// text with HTML of its own is sanitised afterwards, because that costs as much as the rest.
import { Marked, type Tokens } from 'marked';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml, toAttributes } from '../theme/safe-html.ts';
import { createHeadingIds, toLevel } from './heading-ids.ts';
import { pictureHtml } from './picture.ts';
import type { RichTextOptions } from './rich-text-options.ts';
import { sanitizeHtml } from './sanitize.ts';

/** The text that is being rendered; marked is synchronous. */
interface MarkdownRun {
  page: PageContext;
  shift: number;
  toId(text: string): string;
  hasHtml: boolean;
}

let run: MarkdownRun | undefined;

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading) {
      const level = toLevel(depth, run!.shift);
      const inner = this.parser.parseInline(tokens);
      return `<h${level} id="${escapeHtml(run!.toId(text))}">${inner}</h${level}>\n`;
    },
    link({ href, title, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      return `<a${toAttributes({ href: run!.page.link(href), title: title || undefined })}>${inner}</a>`;
    },
    image({ href, title, text }: Tokens.Image) {
      return pictureHtml(href, text, title || undefined, run!.page);
    },
    code({ text, lang }: Tokens.Code) {
      const language = /^[\w+#.-]+/.exec(lang ?? '')?.[0];
      return `<pre><code${toAttributes({ class: language && `language-${language}` })}>${escapeHtml(text)}\n</code></pre>\n`;
    },
    html({ text }: Tokens.HTML | Tokens.Tag) {
      run!.hasHtml = true;
      return text;
    },
    checkbox({ checked }: Tokens.Checkbox) {
      return `<input type="checkbox" disabled${checked ? ' checked' : ''} aria-label="${checked ? '✓' : '–'}"> `;
    },
  },
});

export function markdownHtml(text: string, page: PageContext, { shift }: RichTextOptions): string {
  const outer = run;
  const own: MarkdownRun = { page, shift, toId: createHeadingIds(), hasHtml: false };
  run = own;
  try {
    const html = marked.parse(text, { async: false });
    return own.hasHtml ? sanitizeHtml(html, page) : html;
  } finally {
    run = outer;
  }
}
