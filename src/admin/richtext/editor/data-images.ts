// Pictures that pasted HTML has inside of it, as addresses that begin with `data:`. They become files, since a text that
// holds its pictures is read and stored with each of their bytes.

/** Without the quote, which cannot be in such an address. */
const IMAGE = /<img\b[^>]*?\ssrc\s*=\s*(["'])\s*(data:[^"']*)\1/gi;
const ADDRESS = /^data:(image\/(?:png|jpeg|gif|webp|avif))(?:;[^;,]*)*;base64,([A-Za-z0-9+/=\s]*)$/i;

/** More in one paste are not for a person to look at. */
const MAX_IMAGES = 20;

/** They come after the text, one by one; true if some are left out. */
export function takeDataImages(markup: string, upload: (file: File) => boolean): boolean {
  let taken = 0;
  let isSomeLeftOut = false;
  for (const [, , address = ''] of markup.matchAll(IMAGE)) {
    const file = taken < MAX_IMAGES ? toFile(address, taken + 1) : undefined;
    if (file && upload(file)) taken++;
    else isSomeLeftOut = true;
  }
  return isSomeLeftOut;
}

function toFile(address: string, number: number): File | undefined {
  const [, type = '', base64 = ''] = ADDRESS.exec(address) ?? [];
  const bytes = decode(base64.replace(/\s+/g, ''));
  if (type === '' || bytes.length === 0) return undefined;
  const extension = type.slice('image/'.length).toLowerCase().replace('jpeg', 'jpg');
  return new File([bytes], `pasted-${number}.${extension}`, { type: type.toLowerCase() });
}

/** Nothing of what is no base64. */
function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return new Uint8Array();
  }
}
