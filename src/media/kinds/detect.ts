// Detects a file's kind by its content. The declared type is ignored, and the name only says which kind of text a text
// is. Any other file gets an extension that fits its content (names.ts), so it is never refused for its name. Reads a
// bounded part of the file, whatever its size.
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import type { MediaType } from '../media.ts';
import { sanitizeApart } from '../svg/apart.ts';
import { isSvgText, measureSvg } from '../svg/root.ts';
import { SVG_LIMIT_BYTES } from '../svg/svg.ts';
import { type Charset, decodeHead, findCharset, findTextKind, type Sample } from './detect-text.ts';
import { extensionOf, findKind, getKind, type Kind } from './kinds.ts';
import { measureImage } from './measure.ts';

export interface Inspected {
  type: MediaType;
  /** The Content-Type to serve, with its charset. */
  contentType: string;
  /** The extension for the stored file, without the dot: that of its name if it fits the content. */
  extension: string;
  /** Pixels as displayed, after the camera's rotation. Absent if unknown. */
  width?: number;
  height?: number;
}

/** What serving needs. */
export interface Detected {
  kind: Kind;
  contentType: string;
}

const HEAD_BYTES = 64 << 10;
const TAIL_BYTES = 4 << 10;
/** An old Office file names its streams in its directory, whose sector number is at byte 48 of the header. */
const CFB_DIRECTORY_BYTES = 8 << 10;
const MSI_CLASS = Buffer.from('84100c0000000000c000000000000046', 'hex');
const CFB_STREAMS = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
] as const;

const SIGNATURES = [
  [Buffer.from('89504e470d0a1a0a', 'hex'), 'png'],
  [Buffer.from('ID3'), 'mp3'],
] as const;

/** Returns undefined for a file that media refuses: of no known kind, or one that could be run. */
export async function inspectMedia(path: string, declaredName: string): Promise<Inspected | undefined> {
  const found = await detect(path, declaredName);
  if (!found) return undefined;
  const { kind, contentType, text } = found;
  // A drawing that could not be served is refused now, when the uploader still sees it.
  if (kind.type === 'svg' && !(await isDrawable(path))) return undefined;
  const named = extensionOf(declaredName);
  const size = kind.type === 'image' ? await measureImage(path) : text === undefined ? undefined : measureSvg(text);
  return {
    type: kind.type,
    contentType,
    extension: kind.extensions.includes(named) ? named : kind.extensions[0],
    ...size,
  };
}

async function isDrawable(path: string): Promise<boolean> {
  const { size } = await stat(path);
  return size <= SVG_LIMIT_BYTES && (await sanitizeApart(await readFile(path))) !== undefined;
}

/** Detects the kind without measuring, for serving. */
export async function detectMedia(path: string, declaredName: string): Promise<Detected | undefined> {
  return detect(path, declaredName);
}

/** `text` is the head of the file if it is an SVG. */
async function detect(path: string, declaredName: string): Promise<(Detected & { text?: string }) | undefined> {
  const file = await open(path, 'r');
  try {
    const sample = await readSample(file);
    if (sample.head.length === 0) return undefined;
    const charset = findCharset(sample, declaredName);
    if (charset) return detectText(decodeHead(sample, charset), charset, declaredName);
    const kind = await findBinaryKind(path, file, sample.head);
    return kind && { kind, contentType: kind.contentType };
  } finally {
    await file.close();
  }
}

function detectText(text: string, charset: Charset, declaredName: string): (Detected & { text?: string }) | undefined {
  if (isSvgText(text)) return { kind: getKind('svg'), contentType: getKind('svg').contentType, text };
  // These formats begin with text and may consist of nothing else.
  const signed = text.startsWith('%PDF-') ? 'pdf' : text.startsWith('{\\rtf') ? 'rtf' : undefined;
  if (signed) return { kind: getKind(signed), contentType: getKind(signed).contentType };
  const kind = findTextKind(text, declaredName);
  if (!kind) return undefined;
  const isText = kind.contentType.startsWith('text/') || kind.contentType === 'application/xml';
  return { kind, contentType: isText ? `${kind.contentType}; charset=${charset}` : kind.contentType };
}

async function findBinaryKind(path: string, file: FileHandle, head: Buffer): Promise<Kind | undefined> {
  // The content of a gzip file does not matter here, and file-type would unpack it to find out.
  if (head.readUIntBE(0, Math.min(3, head.length)) === 0x1f8b08) return findKind('gz');
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path);
  if (found?.ext === 'cfb') return findOfficeKind(file, head);
  if (found) return findKind(found.ext);
  // After these two signatures file-type reads on, and gives up if what follows is broken.
  const signed = SIGNATURES.find(([bytes]) => head.subarray(0, bytes.length).equals(bytes));
  return signed && findKind(signed[1]);
}

/** Installers use the same container, but have none of these streams. */
async function findOfficeKind(file: FileHandle, head: Buffer): Promise<Kind | undefined> {
  if (head.length < 512) return undefined;
  const sectorBytes = 1 << Math.min(head.readUInt16LE(30), 16);
  const directory = Buffer.alloc(CFB_DIRECTORY_BYTES);
  const at = (head.readUInt32LE(48) + 1) * sectorBytes;
  const { bytesRead } = await file.read(directory, 0, directory.length, at);
  const entries = directory.subarray(0, bytesRead);
  if (entries.subarray(0, 128).includes(MSI_CLASS)) return undefined;
  const stream = CFB_STREAMS.find(([name]) => entries.includes(Buffer.from(`${name}\0`, 'utf16le')));
  return stream && findKind(stream[1]);
}

async function readSample(file: FileHandle): Promise<Sample> {
  const { size } = await file.stat();
  const isWhole = size <= HEAD_BYTES;
  const head = await readAt(file, 0, Math.min(size, HEAD_BYTES));
  const tail = isWhole ? head.subarray(head.length) : await readAt(file, evenFrom(size), TAIL_BYTES);
  return { head, tail, isWhole };
}

/** The start of the tail, at an even position: a boundary of UTF-16 units. */
function evenFrom(size: number): number {
  const start = size - TAIL_BYTES;
  return start - (start % 2);
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
