// Text as a kind of file: it has no signature, so its bytes decide whether it is text at all, and its name which kind.
// A text that a browser or a system would run is refused, by its bytes or by its name.
import { extensionOf, getKind, type Kind } from './kinds.ts';

/** The bytes of a file that are examined, and whether they are the whole file. */
export interface Sample {
  head: Buffer;
  tail: Buffer;
  isWhole: boolean;
}

export type Charset = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Characters that no text contains: the binary data bytes of the WHATWG's MIME sniffing, and DEL. */
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;
/** Extensions of files that old spreadsheets and editors write in the system's code page. */
const MAY_BE_LATIN = new Set(['txt', 'text', 'log', 'csv', 'tsv', 'srt', 'xml', 'svg']);

/**
 * Extensions of text that is run by browsers, by Windows on a double click, or by web servers that serve the folder of
 * a static site. Text under the extension of a binary program, such as `notes-example.com`, is just text misnamed.
 */
const ACTIVE = new Set(
  (
    'html htm xhtml xht shtml shtm mhtml mht hta htc xsl xslt js mjs cjs ' +
    'bat cmd vb vbs vbe jse ws wsf wsh ps1 psm1 reg url inf scf sct ' +
    'php php3 php4 php5 php7 phtml asp aspx ashx cer jsp jspx cgi pl htaccess'
  ).split(' '),
);

const SPACE = '[\\t\\n\\f\\r ]*';
const COMMENTS = `(?:<!--(?:[^-]|-(?!->))*-->${SPACE}|<\\?(?:[^?]|\\?(?!>))*\\?>${SPACE})*`;
/** A page: after comments and declarations it begins with a tag that only HTML begins with. */
const PAGE = new RegExp(
  `^${SPACE}${COMMENTS}<(?:!doctype\\s+html|(?:[a-z]+:)?html|head|body|script|iframe|frameset|title|base|meta|link|style|object|embed)[\\s/>]`,
  'i',
);
/** Text that the WHATWG's sniffing may consider markup: not shown in place, whatever its type. */
const MARKUP = /^[\t\n\f\r ]*<(?:!|\?|\/?[a-z])/i;

export interface Text {
  kind: Kind;
  charset: Charset;
  text: string;
}

/** The charset of the bytes, or undefined if they cannot be text. */
export function findCharset({ head, tail, isWhole }: Sample, declaredName: string): Charset | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return isText(head, tail, isWhole, 'utf-16le') ? 'utf-16le' : undefined;
  if (head[0] === 0xfe && head[1] === 0xff) return isText(head, tail, isWhole, 'utf-16be') ? 'utf-16be' : undefined;
  if (isText(head, tail, isWhole, 'utf-8')) return 'utf-8';
  const mayBeLatin = MAY_BE_LATIN.has(extensionOf(declaredName));
  return mayBeLatin && isText(head, tail, isWhole, 'windows-1252') ? 'windows-1252' : undefined;
}

function isText(head: Buffer, tail: Buffer, isWhole: boolean, charset: Charset): boolean {
  const first = decode(head, charset, !isWhole);
  if (first === undefined || BINARY.test(first)) return false;
  if (isWhole) return true;
  // The tail may begin in the middle of a character.
  const start = charset === 'utf-8' ? tail.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
  const last = start < 0 || start > 3 ? undefined : decode(tail.subarray(start), charset, false);
  return last !== undefined && !BINARY.test(last);
}

function decode(bytes: Buffer, charset: Charset, goesOn: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: goesOn });
  } catch (error) {
    if (error instanceof TypeError) return undefined; // bytes that are not of this charset
    throw error;
  }
}

/** The text of a sample's head; bytes that are invalid in the charset are replaced. */
export function decodeHead({ head }: Sample, charset: Charset): string {
  return new TextDecoder(charset).decode(head);
}

/** The kind of a text, by its beginning and then by its name; undefined if it could be run. */
export function findTextKind(text: string, declaredName: string): Kind | undefined {
  const extension = extensionOf(declaredName);
  if (ACTIVE.has(extension) || PAGE.test(text)) return undefined;
  const named = NAMED.get(extension);
  if (named && (named.begins === undefined || named.begins.test(text))) return named.kind;
  const plain = getKind('txt');
  return MARKUP.test(text) ? { ...plain, display: false } : plain;
}

const NAMED: ReadonlyMap<string, { kind: Kind; begins?: RegExp }> = new Map(
  (
    [
      ['csv'],
      ['tsv'],
      ['md'],
      ['yaml'],
      ['vtt', /^WEBVTT/],
      ['ics', /^BEGIN:VCALENDAR/i],
      ['vcf', /^BEGIN:VCARD/i],
      ['json', /^\s*(?:[[{"\-0-9]|(?:true|false|null)\b)/],
      ['geojson', /^\s*\{/],
      ['xml', /^\s*</],
    ] as [string, RegExp?][]
  ).flatMap(([name, begins]) => {
    const kind = getKind(name);
    return kind.extensions.map((extension) => [extension, { kind, ...(begins ? { begins } : {}) }] as const);
  }),
);
