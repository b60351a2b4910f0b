// A drawing without anything that runs or loads: an SVG is parsed as XML, and what is on the lists (svg-names.ts) is
// written anew. What the parser makes of odd input does not matter, because nothing of the input is copied as it is.
import { nextTurn } from '../../lib/queues/slices.ts';
import { cleanCss, isInside } from './css.ts';
import { ATTRIBUTES, ELEMENTS, OPEN_ATTRIBUTE, TEXT_ATTRIBUTES } from './names.ts';
import { findRoot } from './root.ts';

/** Counted up when the same file is to come out differently; it is part of the answer's entity tag. */
export const SVG_RULES = 1;
/** Larger ones are no drawings that a page shows. */
export const SVG_LIMIT_BYTES = 10 << 20;

/** So much is parsed before others get their turn, and text is written after it: a few milliseconds. */
const CHUNK_CHARS = 16 << 10;
/** Deeper ones are made to break those who read them. */
const MAX_DEPTH = 256;
const MAX_ATTRIBUTES = 256;
const NAMESPACES = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

/**
 * A text of megabytes may take seconds, and an attribute of as many is written in one go: svg-apart.ts is for those who
 * serve others meanwhile. The same for its own result. UTF-8, whatever it came in. Undefined for what has no `svg` root, is larger than
 * SVG_LIMIT_BYTES or nested too deeply.
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

/** By its byte order mark, else as its declaration says, else UTF-8. */
function decodeXml(bytes: Buffer): string {
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 256))?.[1];
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  const label = marked ?? declared ?? 'utf-8';
  // A declaration in ASCII that says UTF-16 is wrong.
  const charset = !marked && /^(?:utf-?16|ucs-?2|iso-10646)/i.test(label) ? 'utf-8' : label;
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(bytes); // a charset that nobody knows
    throw error;
  }
}

type Attributes = Map<string, string>;

/** For htmlparser2, which tells of a tag in parts: name, attributes, and then whatever comes next. */
function createWriter(rootName: string) {
  const out: string[] = [];
  const prefix = rootName.slice(0, -'svg'.length);
  /** What is open in the result. */
  const open: string[] = [];
  /** How many are open of what is left out. */
  let skipped = 0;
  let deepest = 0;
  /** The tag whose attributes are being read. */
  let tag: { name: string; attributes: Attributes } | undefined;
  /** The last tag has no `>` yet: without content it closes itself. */
  let isUnended = false;
  let style: string | undefined;
  /** Not written yet: a parser tells of each `&` by itself. */
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
    /** The root is closed: what follows is no part of it. */
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

/** An animation may change how something looks, and not where it leads or what it does. */
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

/** A part of the drawing; images may be inside it as data. */
function isAllowedAddress(element: string, value: string): boolean {
  const address = value.trim();
  return address.startsWith('#') || ((element === 'image' || element === 'feImage') && isInside(address));
}

function toAttribute(name: string, value: string): string {
  return ` ${name}="${toXmlText(value.replace(/[\t\n\r]/g, ' ')).replaceAll('"', '&quot;')}"`;
}

/** Characters that XML cannot have are left out. */
function toXmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
