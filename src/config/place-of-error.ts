// Finds the place of an error in an author's file: line, column and the line itself. A message such as "Expression
// expected" is useless without it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

const MAX_LINE_CHARS = 120;
const CHECK_MS = 5000;

/** `file:line:column: message`, and the line below it; only the message if the error has no place. */
export function describeError(error: unknown, file: string): string {
  if (!(error instanceof Error)) {
    const shown = inspect(error, { depth: 1, breakLength: Number.POSITIVE_INFINITY }).slice(0, MAX_LINE_CHARS);
    return `it threw ${shown}, which is not an Error; throw an Error that says what is wrong`;
  }
  const place =
    placeInStack(error.stack ?? '', file) ?? (error instanceof SyntaxError ? placeOfSyntax(file) : undefined);
  const message = error.message || `${error.name} without a message`;
  if (!place) return message;
  const text = lineOf(place.file, place.line);
  return `${place.file}:${place.line}:${place.column}: ${message}${text === undefined ? '' : `\n      ${text}`}`;
}

interface ErrorPlace {
  file: string;
  line: number;
  column: number;
}

function placeInStack(stack: string, own: string): ErrorPlace | undefined {
  return placeOfStripping(stack) ?? placeOfFrame(stack, own);
}

/**
 * Node puts file and line in front of a syntax error, then the source, with carets below the mistake. If the mistake is
 * the end of the file, there are no carets, and the line may be one past the last.
 */
function placeOfStripping(stack: string): ErrorPlace | undefined {
  const [, name = '', number] = /^(\S.*?):(\d+)\n/.exec(stack) ?? [];
  const file = toPath(name);
  if (number === undefined || !existsSync(file)) return undefined;
  const carets = /^( *)\^+$/m.exec(stack);
  if (carets) return { file, line: Number(number), column: carets[1]!.length + 1 };
  const text = readFileSync(file, 'utf8');
  const end = placeAt(text, text.trimEnd().length, file);
  const line = Number(number);
  if (line >= end.line) return end;
  return { file, line, column: text.split('\n')[line - 1]!.search(/\S|$/) + 1 };
}

/** The same for text that is not JSON. */
export function describeJsonError({ message }: SyntaxError, text: string, file: string): string {
  const { line, column } = placeAt(text, offsetInJson(message, text), file);
  const [what] = message.split(/ in JSON at position| at position|, (?:\.\.\.)?"/);
  const shown = text.split('\n')[line - 1]!.trim().slice(0, MAX_LINE_CHARS);
  return `${file}:${line}:${column}: this is not JSON: ${what}${shown === '' ? '' : `\n      ${shown}`}`;
}

/** V8 names the offset of some errors; for an unexpected character it names only the character. */
function offsetInJson(message: string, text: string): number {
  const [, offset] = /at position (\d+)/.exec(message) ?? [];
  const end = text.trimEnd().length;
  if (offset !== undefined) return Math.min(Number(offset), end);
  if (!message.startsWith(UNEXPECTED)) return end;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (problemOfJson(text.slice(0, middle)).startsWith(UNEXPECTED)) bad = middle;
    else good = middle;
  }
  return bad - 1;
}

const UNEXPECTED = 'Unexpected token';

function problemOfJson(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function placeAt(text: string, offset: number, file: string): ErrorPlace {
  const before = text.slice(0, offset).split('\n');
  return { file, line: before.length, column: before.at(-1)!.length + 1 };
}

/**
 * The first frame in a file of the author's, outside packages and Node. Frames of CommonJS, which a file without
 * `import` and `export` is, have no mark.
 */
function placeOfFrame(stack: string, own: string): ErrorPlace | undefined {
  const frames = stack.matchAll(/\(?((?:file:\/\/)?\/[^\s()]+?):(\d+):(\d+)\)?$/gm);
  for (const [, file = '', line, column] of frames) {
    if (file.includes('colophon-config=') || toPath(file) === own)
      return { file: toPath(file), line: Number(line), column: Number(column) };
  }
  return undefined;
}

/** Node does not report the place of a syntax error in JavaScript, unless it only checks a file. */
function placeOfSyntax(file: string): ErrorPlace | undefined {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { env: {}, encoding: 'utf8', timeout: CHECK_MS });
  return placeOfStripping(stderr);
}

function toPath(file: string): string {
  const plain = file.replace(/\?.*$/, '');
  return plain.startsWith('file:') ? fileURLToPath(plain) : plain;
}

function lineOf(file: string, line: number): string | undefined {
  const text = readFileSync(file, 'utf8').split('\n')[line - 1]?.trim();
  return text === undefined || text === '' ? undefined : text.slice(0, MAX_LINE_CHARS);
}
