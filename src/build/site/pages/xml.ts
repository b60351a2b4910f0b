// Text in XML: escaped, and without characters that no XML document can have.

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Most texts are addresses. */
const PLAIN = /^[\w ./:-]*$/;

export function toXmlText(text: string): string {
  if (PLAIN.test(text)) return text;
  const clean = /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character]!) : text;
  return clean.replace(NOT_XML, '').toWellFormed();
}
