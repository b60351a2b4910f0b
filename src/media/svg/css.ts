// Removes everything from a drawing's CSS that loads something or runs: imports, and addresses that are neither a part
// of the drawing nor a raster image or font inside it. Takes linear time, because the input is untrusted.

const INSIDE = /^(?:#|data:(?:image\/(?:png|jpe?g|gif|webp|avif)|(?:application\/(?:x-)?)?font[/-][\w.-]+)[;,])/i;
const IMPORT = /@import[^;{}]*;?/gi;
/** Other ways to load an address, and to run a script in old browsers. */
const LOADS =
  /image-set\s*\(|(?<![\w-])(?:image|src|cross-fade)\s*\(|expression\s*\(|(?:java|vb)script:|-moz-binding|(?<![\w-])behavior\s*:/i;
const HIDDEN = /@import|url\s*\(/i;
const ESCAPE = /\\(?:([0-9a-f]{1,6})[ \t\n\f\r]?|([^\n\r\f]))/gi;
/** Real styles have escapes in a name or two at most; decoding them takes time. */
const MAX_ESCAPED_CHARS = 64 << 10;

/** Whether an address stays inside its file. */
export function isInside(address: string): boolean {
  return INSIDE.test(address.trim());
}

/** Returns the empty text if it is unclear what the CSS would load. */
export function cleanCss(css: string): string {
  // CSS without these characters loads nothing: nearly every attribute, and paths may have megabytes.
  if (!/[\\(@:]/.test(css)) return css;
  const bare = withoutComments(css);
  if (LOADS.test(bare)) return '';
  if (bare.includes('\\')) {
    if (bare.length > MAX_ESCAPED_CHARS) return '';
    const plain = bare.replace(ESCAPE, (_, hex?: string, char?: string) => (hex ? toCharacter(hex) : (char ?? '')));
    if (LOADS.test(plain) || (HIDDEN.test(plain) && plain !== bare)) return '';
  }
  return withoutAddresses(bare.replace(IMPORT, ''));
}

function toCharacter(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** A space replaces each comment, so that the words around it do not join. */
function withoutComments(css: string): string {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const start = css.indexOf('/*', at);
    if (start < 0) return parts.length === 0 ? css : [...parts, css.slice(at)].join(' ');
    parts.push(css.slice(at, start));
    const end = css.indexOf('*/', start + 2);
    if (end < 0) return parts.join(' ');
    at = end + 2;
  }
}

function withoutAddresses(css: string): string {
  const address = /url\s*\(/gi;
  let clean = '';
  let at = 0;
  for (let found = address.exec(css); found; found = address.exec(css)) {
    clean += css.slice(at, found.index);
    const end = css.indexOf(')', address.lastIndex);
    // The rest of the text is one unterminated address.
    if (end < 0) return clean;
    const target = css.slice(address.lastIndex, end).trim();
    clean += isInside(target.replace(/^["']/, '')) ? `url(${target})` : 'url(#)';
    at = address.lastIndex = end + 1;
  }
  return clean + css.slice(at);
}
