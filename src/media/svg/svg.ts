// Removes everything from a drawing that runs or loads: parses an SVG as XML, and writes the elements and attributes on
// the lists (names.ts) anew. The parser may read odd input in any way, because no markup is copied from the input.
import { nextTurn } from '../../lib/queues/slices.ts';
import { cleanCss, isInside } from './css.ts';
import { ATTRIBUTES, ELEMENTS, OPEN_ATTRIBUTE, TEXT_ATTRIBUTES } from './names.ts';
import { findRoot } from './root.ts';

/** Count up when the output for the same file changes; it is part of the answer's entity tag. */
export const SVG_RULES = 1;
/** No page shows larger drawings. */
export const SVG_LIMIT_BYTES = 10 << 20;

/** Parsed in one turn of the event loop, after which its text is written: a few milliseconds. */
const CHUNK_CHARS = 16 << 10;
/** Deeper drawings are made to break their readers. */
const MAX_DEPTH = 256;
const MAX_ATTRIBUTES = 256;
const NAMESPACES = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

/**
 * Returns the clean drawing in UTF-8, or undefined if the input has no `svg` root, is larger than SVG_LIMIT_BYTES or is
 * nested too deeply. Idempotent. A text of megabytes may take seconds, and an attribute of megabytes is written in one
 * turn: a thread that serves other requests should call `sanitizeApart` (apart.ts).
 */
export async function sanitizeSvg(bytes: Buffer): Promise<Buffer | undefined> {
  if (bytes.length > SVG_LIMIT_BYTES) return undefined;
  const text = decodeXml(bytes);
  const root = findRoot(text);
  if (!root) return undefined;
  const { Parser } = await import('htmlparser2');
  const writer = createWriter(root.name);
  const parser = new Parser(writer, { xmlMode: true });
  for (let at = root.start, end = 0; at < text.length && !writer.isDone(); at = end) {
    end = at + CHUNK_CHARS;
    // A pair of surrogates stays together.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    parser.write(text.slice(at, end));
    writer.flush();
    if (writer.isTooDeep()) return undefined;
    await nextTurn();
  }
  parser.end();
  return writer.isDone() && !writer.isTooDeep() ? Buffer.from(writer.toString()) : undefined;
}

/** Decodes by the byte order mark, else by the XML declaration, else as UTF-8. */
function decodeXml(bytes: Buffer): string {
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 256))?.[1];
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  const label = marked ?? declared ?? 'utf-8';
  // A readable declaration that says UTF-16 is wrong.
  const charset = !marked && /^(?:utf-?16|ucs-?2|iso-10646)/i.test(label) ? 'utf-8' : label;
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(bytes); // an unknown charset
    throw error;
  }
}

type Attributes = Map<string, string>;

/** A handler for htmlparser2, which reports a tag in parts: name, attributes, and then whatever comes next. */
function createWriter(rootName: string) {
  const out: string[] = [];
  const prefix = rootName.slice(0, -'svg'.length);
  /** Open elements of the result. */
  const open: string[] = [];
  /** Number of open elements that are left out. */
  let skipped = 0;
  let deepest = 0;
  /** The tag whose attributes are being read. */
  let tag: { name: string; attributes: Attributes } | undefined;
  /** The last tag has no `>` yet: if it stays empty, it ends with `/>`. */
  let isUnended = false;
  let style: string | undefined;
  /** Text not written yet: the parser reports each `&` separately. */
  let text = '';
  let isDone = false;

  function endTag(): void {
    if (isUnended) out.push('>');
    isUnended = false;
  }

  function openTag(): void {
    if (!tag) return;
    flush();
    const { attributes } = tag;
    const name = tag.name.startsWith(prefix) ? tag.name.slice(prefix.length) : '';
    tag = undefined;
    if (skipped > 0 || style !== undefined || !ELEMENTS.has(name) || !isHarmless(name, attributes)) {
      skipped++;
    } else {
      endTag();
      out.push(`<${name}${open.length === 0 ? NAMESPACES : ''}${toAttributes(name, attributes)}`);
      open.push(name);
      isUnended = true;
      if (name === 'style') style = '';
    }
    deepest = Math.max(deepest, open.length + skipped);
  }

  function flush(): void {
    const written = toXmlText(text);
    text = '';
    if (written === '') return;
    endTag();
    out.push(written);
  }

  return {
    flush,
    isTooDeep: () => deepest > MAX_DEPTH,
    /** Whether the root is closed; whatever follows is ignored. */
    isDone: () => isDone,
    toString: () => `${out.join('')}\n`,

    onopentagname(name: string): void {
      openTag();
      if (!isDone) tag = { name, attributes: new Map() };
    },
    onattribute(name: string, value: string): void {
      if (tag && tag.attributes.size < MAX_ATTRIBUTES && !tag.attributes.has(name)) tag.attributes.set(name, value);
    },
    ontext(part: string): void {
      openTag();
      if (isDone || skipped > 0 || open.length === 0) return;
      if (style === undefined) text += part;
      else style += part;
    },
    onclosetag(): void {
      openTag();
      if (isDone) return;
      if (skipped > 0) {
        skipped--;
        return;
      }
      const name = open.pop();
      if (name === undefined) return;
      if (style !== undefined) text = cleanCss(style);
      style = undefined;
      flush();
      out.push(isUnended ? '/>' : `</${name}>`);
      isUnended = false;
      isDone = open.length === 0;
    },
  };
}

/** An animation may change how an element looks, but not where it links to or what it does. */
function isHarmless(name: string, attributes: Attributes): boolean {
  if (name !== 'set' && !name.startsWith('animate')) return true;
  const target = (attributes.get('attributeName') ?? '').trim().replace(/^.*:/, '');
  return target === '' || (target !== 'href' && ATTRIBUTES.has(target));
}

function toAttributes(element: string, attributes: Attributes): string {
  let text = '';
  for (const [name, value] of attributes) {
    if (name.endsWith(':href') || name === 'href') {
      // Some tools give XLink's namespace another prefix.
      const written = name === 'href' ? name : 'xlink:href';
      if (isAllowedAddress(element, value) && !text.includes(` ${written}=`))
        text += toAttribute(written, value.trim());
      continue;
    }
    if (!ATTRIBUTES.has(name) && !OPEN_ATTRIBUTE.test(name)) continue;
    const isText = TEXT_ATTRIBUTES.has(name) || !ATTRIBUTES.has(name);
    text += toAttribute(name, isText ? value : cleanCss(value));
  }
  return text;
}

/** Whether an address is a part of the drawing or, for images, data inside it. */
function isAllowedAddress(element: string, value: string): boolean {
  const address = value.trim();
  return address.startsWith('#') || ((element === 'image' || element === 'feImage') && isInside(address));
}

function toAttribute(name: string, value: string): string {
  return ` ${name}="${toXmlText(value.replace(/[\t\n\r]/g, ' ')).replaceAll('"', '&quot;')}"`;
}

/** Escapes text, and leaves out characters that XML does not allow. */
function toXmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
