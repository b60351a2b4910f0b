// Reads front matter that the printer wrote: some twenty times as fast as a parser of all of YAML. Returns undefined
// for everything that the printer does not write, which is left to that parser; never another value than it. Pure.
import { isPlain, isPlainKey } from './scalar.ts';

const NUMBER = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,17})?(?:e[+-][0-9]{1,3})?$/;
const KEY = /([A-Za-z_][A-Za-z0-9_-]*):(?: |$)/y;
const QUOTED_KEY = /("(?:[^"\\]|\\.)*"):(?: |$)/y;
const BLOCK = /^\|(2?)([-+]?)$/;
/** Deeper values are left to the parser, which has bounds of its own. */
const DEEPEST = 70;

/** Thrown where the text is not the printer's; never leaves this file. */
class Unlike extends Error {}
const UNLIKE = new Unlike();

export function readFrontLines(text: string): Record<string, unknown> | undefined {
  if (text === '' || !text.endsWith('\n')) return undefined;
  const lines = text.slice(0, -1).split('\n');
  try {
    const reader = { lines, at: 0 };
    const map = readMap(reader, 0);
    return reader.at === lines.length ? map : undefined;
  } catch (error) {
    if (error === UNLIKE) return undefined;
    throw error;
  }
}

interface FrontReader {
  lines: string[];
  at: number;
}

/** Number of spaces at the start; a line of spaces only is not the printer's. */
function indentOf(line: string): number {
  let i = 0;
  while (line.charCodeAt(i) === 0x20) i++;
  if (i === line.length) throw UNLIKE;
  return i;
}

function readMap(reader: FrontReader, indent: number): Record<string, unknown> {
  if (indent > 2 * DEEPEST) throw UNLIKE;
  const map: Record<string, unknown> = {};
  for (; reader.at < reader.lines.length; ) {
    const line = reader.lines[reader.at]!;
    const found = indentOf(line);
    if (found < indent) break;
    if (found > indent) throw UNLIKE;
    const [key, start] = readKey(line, indent) ?? fail();
    if (key === '__proto__' || Object.hasOwn(map, key)) throw UNLIKE;
    map[key] = readAfter(reader, line.slice(start), indent);
  }
  return map;
}

/** The key at this place of the line, and where what follows its colon begins. */
function readKey(line: string, indent: number): [key: string, start: number] | undefined {
  const pattern = line[indent] === '"' ? QUOTED_KEY : KEY;
  pattern.lastIndex = indent;
  const written = pattern.exec(line)?.[1];
  if (written === undefined || written.length > 1000) return undefined;
  const key = pattern === KEY ? written : unquote(written);
  if (pattern === KEY && !isPlainKey(key)) throw UNLIKE;
  return [key, Math.min(indent + written.length + 2, line.length)];
}

/** The value behind a key or a dash: on the rest of its line, or in the lines below. */
function readAfter(reader: FrontReader, rest: string, indent: number): unknown {
  reader.at++;
  if (rest !== '') return readScalar(reader, rest, indent);
  const next = reader.lines[reader.at];
  if (next === undefined || indentOf(next) !== indent + 2) throw UNLIKE;
  return isDash(next, indent + 2) ? readList(reader, indent + 2) : readMap(reader, indent + 2);
}

function isDash(line: string, at: number): boolean {
  return line[at] === '-' && line[at + 1] === ' ';
}

function readList(reader: FrontReader, indent: number): unknown[] {
  if (indent > 2 * DEEPEST) throw UNLIKE;
  const list: unknown[] = [];
  const inner = indent + 2;
  for (; reader.at < reader.lines.length; ) {
    const line = reader.lines[reader.at]!;
    const found = indentOf(line);
    if (found < indent) break;
    if (found > indent || !isDash(line, indent)) throw UNLIKE;
    const isList = isDash(line, inner);
    if (isList || readKey(line, inner)) {
      // Its first line without the dash is a line like the others.
      reader.lines[reader.at] = ' '.repeat(inner) + line.slice(inner);
      list.push(isList ? readList(reader, inner) : readMap(reader, inner));
    } else {
      reader.at++;
      list.push(readScalar(reader, line.slice(inner), indent));
    }
  }
  return list;
}

function readScalar(reader: FrontReader, text: string, indent: number): unknown {
  switch (text) {
    case 'null':
      return null;
    case 'true':
      return true;
    case 'false':
      return false;
    case '[]':
      return [];
    case '{}':
      return {};
  }
  if (text.startsWith('"')) return unquote(text);
  if (text.startsWith('|')) return readBlock(reader, BLOCK.exec(text) ?? fail(), indent);
  if (NUMBER.test(text)) return Number(text);
  return isPlain(text) ? text : fail();
}

function readBlock(reader: FrontReader, [, digit, chomping]: RegExpExecArray, indent: number): string {
  const pad = ' '.repeat(indent + 2);
  const block: string[] = [];
  for (; reader.at < reader.lines.length; reader.at++) {
    const line = reader.lines[reader.at]!;
    if (line !== '' && !line.startsWith(pad)) break;
    // Neither spaces only nor a tab at the start are the printer's.
    if (line !== '' && !/[^ \t]/.test(line)) throw UNLIKE;
    block.push(line.slice(pad.length));
  }
  const first = block.find((line) => line !== '');
  if (first === undefined || (!digit && (block[0] === '' || /^[ \t]/.test(first)))) throw UNLIKE;
  const text = block.join('\n');
  if (chomping === '+') return `${text}\n`;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x0a) end--;
  return text.slice(0, end) + (chomping === '-' ? '' : '\n');
}

/** JSON's strings mean the same in YAML. */
function unquote(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : fail();
  } catch (error) {
    if (error instanceof SyntaxError) throw UNLIKE;
    throw error;
  }
}

function fail(): never {
  throw UNLIKE;
}
