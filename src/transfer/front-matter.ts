// Splits a text file into its front matter (YAML, TOML or JSON) and its text. Knows nothing of collections; markdown.ts
// decides what a key of the front matter means.
import { parse as parseToml, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';
import { invalid } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import { toPlainObject } from './plain.ts';
import { timestampTag } from './timestamp.ts';

export interface FrontMatter {
  /** Undefined if the file has no front matter. */
  data: Record<string, unknown> | undefined;
  /** The text after it, without blank lines at its start and end. */
  body: string;
}

type Language = 'yaml' | 'toml' | 'json';

/** For reading and writing: what is written plainly reads back as the same value. */
export const YAML_OPTIONS = { customTags: [timestampTag], merge: true };

const FENCES: Record<string, Language> = { '---': 'yaml', '+++': 'toml', ';;;': 'json' };

/** Turns line ends into LF, so that a checkout with CRLF imports as the same documents. */
export function parseFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const opening = /^(---|\+\+\+|;;;)(yaml|toml|json)?[ \t]*$/.exec(lines[0] ?? '');
  if (opening) {
    const fence = opening[1] as string;
    const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === fence);
    if (end < 0) throw invalid(`the front matter has no closing ${fence} line`);
    const language = (opening[2] as Language | undefined) ?? FENCES[fence] ?? 'yaml';
    return { data: parseLanguage(language, lines.slice(1, end).join('\n')), body: trimBlank(lines.slice(end + 1)) };
  }
  const json = findJsonEnd(lines);
  if (json === undefined) return { data: undefined, body: trimBlank(lines) };
  const all = lines.join('\n');
  return { data: parseLanguage('json', all.slice(0, json)), body: trimBlank(all.slice(json).split('\n')) };
}

/** Parses one object of the language; dates become ISO strings. */
export function parseLanguage(language: Language, text: string): Record<string, unknown> {
  if (language === 'toml') return toPlainObject(tomlValue(text));
  if (language === 'json') return toPlainObject(parseJson(text));
  return toPlainObject(yamlValue(text) ?? {});
}

function tomlValue(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError) && !(error instanceof RangeError)) throw error;
    // The message goes on with a picture of the place; the line number says it in short (the fence is line 1).
    const line = error instanceof TomlError ? `line ${error.line + 1}: ` : '';
    throw invalid(`the TOML front matter cannot be read: ${line}${firstLine(error.message)}`);
  }
}

function yamlValue(text: string): unknown {
  const parsed = parseDocument(text, { ...YAML_OPTIONS, prettyErrors: false, logLevel: 'silent' });
  const [error] = parsed.errors;
  if (error) {
    const line = text.slice(0, error.pos[0]).split('\n').length + 1;
    throw invalid(`the YAML front matter cannot be read: line ${line}: ${firstLine(error.message)}`);
  }
  try {
    return parsed.toJS();
  } catch (cause) {
    // Aliases that multiply without end or name nothing, merges of a value that is not a mapping, nesting deeper than
    // the stack.
    throw invalid(`the YAML front matter cannot be read: ${firstLine((cause as Error).message)}`);
  }
}

/**
 * Index of the end of the JSON object at the start of the file; undefined if the file starts otherwise. A `{` that no
 * quote or `}` follows is text: a template's `{% tag %}`, an MDX `{expression}`.
 */
function findJsonEnd(lines: string[]): number | undefined {
  if (!lines[0]?.startsWith('{')) return undefined;
  const text = lines.join('\n');
  if (!/^\{\s*["}]/.test(text)) return undefined;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  throw invalid('the JSON front matter has no end');
}

function trimBlank(lines: string[]): string {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]?.trim() === '') start++;
  while (end > start && lines[end - 1]?.trim() === '') end--;
  return lines.slice(start, end).join('\n');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}
