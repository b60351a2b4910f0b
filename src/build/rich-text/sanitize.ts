// HTML that people or programs wrote, reduced to elements, attributes and addresses of the allow-list.
import { createRequire } from 'node:module';
import type { Parser } from 'htmlparser2';
import type Sanitize from 'sanitize-html';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml } from '../theme/safe-html.ts';
import { toLevel } from './heading-ids.ts';

const TEXT = 'p br hr blockquote pre code h1 h2 h3 h4 h5 h6 ul ol li dl dt dd div span a';
const MARKS = 'strong b em i u s del ins mark small sub sup kbd samp var abbr cite q dfn time bdi bdo ruby rt rp wbr';
const TABLES = 'table caption colgroup col thead tbody tfoot tr th td';
const OTHERS = 'figure figcaption img picture source details summary section article aside header footer input address';
const MEDIA = 'audio video track';

const OPTIONS: Sanitize.IOptions = {
  allowedTags: [TEXT, MARKS, TABLES, OTHERS, MEDIA].flatMap((names) => names.split(' ')),
  allowedAttributes: {
    '*': ['lang', 'dir', 'title', 'class', 'aria-label', 'aria-hidden'],
    a: ['href', 'hreflang', 'rel', 'id'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding', 'fetchpriority'],
    source: ['src', 'type'],
    audio: ['src', 'controls', 'preload'],
    video: ['src', 'controls', 'preload', 'width', 'height', 'poster', 'muted', 'loop', 'playsinline'],
    track: ['src', 'kind', 'srclang', 'label'],
    ol: ['start', 'type', 'reversed'],
    li: ['value', 'id'],
    th: ['colspan', 'rowspan', 'scope', 'abbr'],
    td: ['colspan', 'rowspan'],
    col: ['span'],
    colgroup: ['span'],
    time: ['datetime'],
    q: ['cite'],
    pre: ['tabindex'],
    table: ['tabindex'],
    details: ['open'],
    input: [{ name: 'type', values: ['checkbox'] }, 'disabled', 'checked'],
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'sup'].map((name) => [name, ['id']])),
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 100,
  parser: { decodeEntities: true },
};

/** Attributes that the page must know of: a media file becomes part of the build, an unsafe address becomes `#`. */
const ADDRESSES = ['href', 'src', 'poster'];

/** Loaded on demand: many sites have no such HTML, and it needs as long to load as a page to be made. */
let library: typeof Sanitize | undefined;
const require = createRequire(import.meta.url);

/** For each element that opens or ends, the library goes through all that are open. */
const MAX_OPEN = 1000;
/** Shorter HTML costs nothing that matters. */
const CHECKED_CHARS = 16_000;

class TooDeep extends Error {}

function isTooDeep(html: string): boolean {
  if (html.length < CHECKED_CHARS || html.split('<', MAX_OPEN + 2).length < MAX_OPEN + 2) return false;
  const { Parser: Reader } = require('htmlparser2') as { Parser: typeof Parser };
  let open = 0;
  const reader = new Reader({
    onopentagname() {
      if (++open > MAX_OPEN) throw new TooDeep();
    },
    onclosetag: () => void open--,
  });
  try {
    reader.end(html);
    return false;
  } catch (error) {
    if (error instanceof TooDeep) return true;
    throw error;
  }
}

/** `shift` moves the levels of headings. */
export function sanitizeHtml(html: string, page: PageContext, shift = 0): string {
  if (isTooDeep(html)) {
    page.warn('HTML has too many elements within one another: it is shown as it is written');
    return `<p>${escapeHtml(html)}</p>\n`;
  }
  library ??= require('sanitize-html') as typeof Sanitize;
  return library(html, {
    ...OPTIONS,
    exclusiveFilter: ({ tag, attribs }) => tag === 'input' && attribs.type !== 'checkbox',
    transformTags: {
      '*': (tagName, attribs) => {
        for (const name of ADDRESSES) {
          if (attribs[name] !== undefined) attribs[name] = page.link(attribs[name]);
        }
        // They scroll on a phone, so that the keyboard has to reach them.
        if (tagName === 'pre' || tagName === 'table') attribs.tabindex = '0';
        // A checkbox of a list of tasks, and no other control.
        if (tagName === 'input') attribs.disabled = '';
        const level = shift > 0 && /^h[1-6]$/.test(tagName) ? toLevel(Number(tagName[1]), shift) : 0;
        return { tagName: level > 0 ? `h${level}` : tagName, attribs };
      },
    },
  });
}
