// The headers that limit what a browser does with a media file.

/** Forbids everything but inline styles; the policies below allow more. */
const NOTHING = "default-src 'none'; style-src 'unsafe-inline'";

/** A drawing opened by itself runs nothing, loads nothing and has no origin; pages may frame it. */
export const DRAWING = {
  'Content-Security-Policy': `${NOTHING}; img-src data:; font-src data:; frame-ancestors *; sandbox`,
};

/** Browsers wrap these in a document that loads the file from its own address. A sandbox would disable PDF viewers. */
export const DISPLAYED = {
  'Content-Security-Policy': `${NOTHING}; img-src 'self'; media-src 'self'; object-src 'self'; frame-ancestors *`,
};

/** RFC 6266 and RFC 8187: nothing in a name can end the header or become a path. */
export function attached(name: string): Record<string, string> {
  const plain = name.replace(/[^A-Za-z0-9 ._-]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  const names = plain === name ? `filename="${plain}"` : `filename="${plain}"; filename*=UTF-8''${encoded}`;
  return { 'Content-Disposition': `attachment; ${names}`, 'Content-Security-Policy': `${NOTHING}; sandbox` };
}
