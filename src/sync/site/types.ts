// Content types by extension, and which names never change their bytes.

const TEXT = '; charset=utf-8';

const TYPES: Record<string, string> = {
  html: `text/html${TEXT}`,
  htm: `text/html${TEXT}`,
  css: `text/css${TEXT}`,
  js: `text/javascript${TEXT}`,
  mjs: `text/javascript${TEXT}`,
  json: `application/json${TEXT}`,
  map: `application/json${TEXT}`,
  webmanifest: `application/manifest+json${TEXT}`,
  jsonld: `application/ld+json${TEXT}`,
  geojson: `application/geo+json${TEXT}`,
  xml: `application/xml${TEXT}`,
  rss: `application/rss+xml${TEXT}`,
  atom: `application/atom+xml${TEXT}`,
  xsl: `application/xslt+xml${TEXT}`,
  txt: `text/plain${TEXT}`,
  md: `text/markdown${TEXT}`,
  csv: `text/csv${TEXT}`,
  ics: `text/calendar${TEXT}`,
  vcf: `text/vcard${TEXT}`,
  vtt: `text/vtt${TEXT}`,
  yaml: `application/yaml${TEXT}`,
  yml: `application/yaml${TEXT}`,
  svg: 'image/svg+xml',
  png: 'image/png',
  apng: 'image/apng',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
  zip: 'application/zip',
  gz: 'application/gzip',
  wasm: 'application/wasm',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

export function contentTypeOf(path: string): string {
  const extension = /\.([A-Za-z0-9]{1,16})$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined) ?? 'application/octet-stream';
}

/** `site.3f2a9c1e.css`, `photo-3f2a9c1e0b.webp`: hex with letters and digits, so that no date and no word is one. */
const HEX = /^(?=.*[0-9])(?=.*[a-f])[0-9a-f]{8,64}$/;
/** `index-BxK3f9aZ.js`, as bundlers make them: letters of both cases and digits. */
const MIXED = /^(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[0-9A-Za-z_]{8,32}$/;

/** Whether the name has a fingerprint of the bytes: other bytes then have another name. */
export function isFingerprinted(path: string): boolean {
  const [, stem = '', extension = ''] = /([^/]{1,255})\.([A-Za-z0-9]{1,16})$/.exec(path) ?? [];
  if (stem === '' || /^html?$/i.test(extension)) return false;
  const parts = stem.replace(/\.min$/, '').split(/[.-]/);
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return HEX.test(last) && last.length >= 16;
  return HEX.test(last) || MIXED.test(last);
}

export function cacheControlOf(path: string): string {
  return isFingerprinted(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}
