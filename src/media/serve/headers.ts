// The headers by which a browser knows what it may do with a media file.

/** Everything but what is asked for here is kept from it. */
const NOTHING = "default-src 'none'; style-src 'unsafe-inline'";

/** A drawing opened by itself runs nothing, loads nothing, and is of no origin; pages may frame it. */
export const DRAWING = {
  'Content-Security-Policy': `${NOTHING}; img-src data:; font-src data:; frame-ancestors *; sandbox`,
};

/** Browsers show these in a document of their own, whose parts come from this address. A sandbox has no PDF viewer. */
export const DISPLAYED = {
  'Content-Security-Policy': `${NOTHING}; img-src 'self'; media-src 'self'; object-src 'self'; frame-ancestors *`,
};

/** RFC 6266 and RFC 8187: nothing of a name can end the header or become a path. */
export function attached(name: string): Record<string, string> {
  const plain = name.replace(/[^A-Za-z0-9 ._-]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  const names = plain === name ? `filename="${plain}"` : `filename="${plain}"; filename*=UTF-8''${encoded}`;
  return { 'Content-Disposition': `attachment; ${names}`, 'Content-Security-Policy': `${NOTHING}; sandbox` };
}
