// HTML from the clipboard (Word, Google Docs, web pages, this editor) with what means something and without the rest.
// ProseMirror reads it afterwards; what runs or loads something is gone by then.
import { isHarmless } from '../addresses.ts';
import { parseInert } from './trusted.ts';

/** Without their content, of which nothing is text that people see. */
const DROPPED =
  'script, style, link, meta, title, base, template, noscript, iframe, object, embed, svg, math, audio, video, form, input, button, select, textarea, o\\:p, xml, [hidden]';
/** `data-` attributes are those that the editor writes itself when one copies from it. */
const KEPT_ATTRIBUTES =
  /^(?:href|src|alt|title|start|colspan|rowspan|data-(?:pm-slice|src|alt|href|form|label|tight|type|checked|language|source|soft-break|align))$/;

export function cleanPaste(markup: string): string {
  const { body } = parseInert(disarm(markup));
  for (const element of body.querySelectorAll(DROPPED)) element.remove();
  removeComments(body);
  unwrapGoogle(body);
  readWordLists(body);
  for (const element of body.querySelectorAll<HTMLElement>('*')) {
    readStyles(element);
    cleanAttributes(element);
  }
  for (const element of body.querySelectorAll('span:not([data-src], [data-source], [data-soft-break]), font')) {
    element.replaceWith(...element.childNodes);
  }
  return body.innerHTML;
}

const STYLE_ELEMENT = /<style\b[\s\S]*?(?:<\/style\s*>|$)|<base\b[^>]*>/gi;
const TAG = /<[a-z][^\s/>]*(?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/** A document that is only parsed has the policy of the page too: each style and handler in it would be reported. */
function disarm(markup: string): string {
  const unstyled = markup.replace(STYLE_ELEMENT, '');
  return unstyled.replace(TAG, (tag) => tag.replace(/([\s/"'])(style|on[a-z]+|srcdoc)(?=\s*=)/gi, '$1data-$2'));
}

function styleOf(element: Element): string {
  return element.getAttribute('data-style') ?? '';
}

function removeComments(body: HTMLElement): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

/** Google Docs wraps everything in a `b` that is not bold, and puts paragraphs around the text of items. */
function unwrapGoogle(body: HTMLElement): void {
  for (const element of body.querySelectorAll('b[id^="docs-internal-guid"]'))
    element.replaceWith(...element.childNodes);
  for (const element of body.querySelectorAll('li > p:only-child')) element.replaceWith(...element.childNodes);
  // A list in a list without an item around it, as Docs nests them.
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    const item = list.previousElementSibling;
    if (item?.tagName === 'LI') item.append(list);
  }
  for (const element of body.querySelectorAll('br.Apple-interchange-newline')) element.remove();
}

const WORD_ITEM = /mso-list:\s*l(\d+)\s+level(\d+)/i;
/** What Word draws before an item: digits or letters with a sign for ordered lists. */
const NUMBERED = /^\s*(?:\d+|[a-z]{1,4})[.)]/i;

/** Word writes the items of its lists as paragraphs, with the bullet as text. */
function readWordLists(body: HTMLElement): void {
  let open: { list: HTMLElement; level: number }[] = [];
  let previous: Element | null = null;
  for (const paragraph of body.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6')) {
    const [, , levelText] = WORD_ITEM.exec(styleOf(paragraph)) ?? [];
    if (levelText === undefined) continue;
    const level = Number(levelText);
    const bullet = findBullet(paragraph);
    const tag = NUMBERED.test(bullet?.textContent ?? '') ? 'ol' : 'ul';
    bullet?.remove();
    if (previous === null || paragraph.previousElementSibling !== previous) open = [];
    while (open.length > 0 && open.at(-1)!.level > level) open.pop();
    if (open.at(-1)?.level !== level) {
      const list = body.ownerDocument.createElement(tag);
      const parent = open.at(-1)?.list.lastElementChild;
      if (parent) parent.append(list);
      else paragraph.before(list);
      open.push({ list, level });
    }
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    open.at(-1)!.list.append(item);
    paragraph.remove();
    previous = open[0]!.list;
  }
}

function findBullet(paragraph: HTMLElement): Element | undefined {
  return [...paragraph.querySelectorAll('span')].find((span) => /mso-list:\s*ignore/i.test(styleOf(span)));
}

const MARKS: [pattern: RegExp, tag: string][] = [
  [/(?<![\w-])font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/(?<![\w-])font-style:\s*italic/i, 'em'],
  [/text-decoration[^;]*:[^;]*line-through/i, 's'],
];

/** Styles that are marks become elements; a `b` that is styled as not bold is unwrapped. */
function readStyles(element: HTMLElement): void {
  const style = styleOf(element);
  if (/^(?:b|strong)$/i.test(element.tagName) && /(?<![\w-])font-weight:\s*(?:normal|400)/i.test(style)) {
    element.replaceWith(...element.childNodes);
    return;
  }
  if (element.tagName !== 'SPAN' || style === '' || element.textContent?.trim() === '') return;
  for (const [pattern, tag] of MARKS) {
    if (!pattern.test(style) || element.closest(tag === 'strong' ? 'h1, h2, h3, h4, h5, h6, th' : 'nowhere')) continue;
    const mark = element.ownerDocument.createElement(tag);
    mark.append(...element.childNodes);
    element.append(mark);
  }
}

function cleanAttributes(element: HTMLElement): void {
  if (/^mso/i.test(element.className)) readWordHeading(element);
  for (const { name, value } of [...element.attributes]) {
    const isAddress = name === 'href' || name === 'src' || name === 'data-href' || name === 'data-src';
    const isKept = KEPT_ATTRIBUTES.test(name) && (!isAddress || isHarmless(value));
    if (!isKept) element.removeAttribute(name);
  }
  // Without an address that others can load: a file of this device, or bytes in the text itself (`data-images.ts`).
  if (element.tagName === 'IMG' && !element.hasAttribute('src')) element.remove();
}

/** `MsoTitle` is a heading of the page that Word made, whose elements are paragraphs. */
function readWordHeading(element: HTMLElement): void {
  const level = /^mso(?:title|heading(\d))/i.exec(element.className);
  if (element.tagName !== 'P' || !level) return;
  const heading = element.ownerDocument.createElement(`h${level[1] ?? 1}`);
  heading.append(...element.childNodes);
  element.replaceWith(heading);
}
