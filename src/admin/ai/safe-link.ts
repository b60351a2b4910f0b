// The addresses that a link in an answer of a model may lead to: a screen of the admin, or a page. Pure. The service takes foreign
// addresses out of chats (src/chat/README.md); what is left must still not be a script.

export type SafeLink = { kind: 'screen' | 'page'; href: string };

const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** Never asked for: only what makes a path into a whole address. */
const BASE = 'https://colophon.invalid';
const ADMIN = /^\/admin(?:$|[/?#])/;

/** Undefined for what is no address, or leads to anything else. */
export function toSafeLink(address: string): SafeLink | undefined {
  const text = address.trim();
  // An anchor has nothing to lead to; the service writes `#removed`.
  if (text === '' || text.startsWith('#') || !URL.canParse(text, BASE)) return undefined;
  const url = new URL(text, BASE);
  if (!SCHEMES.has(url.protocol)) return undefined;
  if (url.origin !== BASE) return { kind: 'page', href: url.href };
  const path = url.pathname + url.search + url.hash;
  return { kind: ADMIN.test(path) ? 'screen' : 'page', href: path };
}
