// Merges documents that are Markdown with front matter, also those that people wrote: key by key, so that neighbouring
// lines are not a conflict. Whatever only one side changed keeps its lines, with their comments and quotes. Pure.
import { isEqual } from '../../lib/equal.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import { isDateTime } from '../../lib/time/date-time.ts';
import type { StoredDocument } from '../document.ts';
import { parseMarkdown, splitMarkdown } from '../markdown/parse.ts';
import { OWN_KEYS, printFront, printMarkdown, toMarkdownParts } from '../markdown/print.ts';
import { mergeDocuments } from '../merge.ts';
import { DOCUMENT_MEMBERS } from '../stored.ts';

export interface MergedFile {
  text: string;
  /** Fields that both sides changed in the same place; the text has ours. */
  conflicts: string[];
}

interface MarkdownSide {
  doc: StoredDocument;
  /** The lines of each key of the front matter, in their order. */
  lines: Map<string, string>;
  isDated: boolean;
}

/** Stands for the field below the front matter, whose name only the configuration knows. */
const TEXT = '\n';
const NO_DATE = new Date(0).toISOString();

/** Undefined if one of the files has no front matter that can be read. */
export function mergeMarkdownFiles(base: string, ours: string, theirs: string): MergedFile | undefined {
  const [before, own, other] = [base, ours, theirs].map(readSide);
  if (!before || !own || !other) return undefined;
  const { doc, notShown } = mergeDocuments(before.doc, own.doc, other.doc);
  const merged = doc as Partial<StoredDocument>;
  if (!own.isDated && !other.isDated) delete merged.updatedAt;
  if (Object.keys(doc._fieldMeta ?? {}).length === 0) delete merged._fieldMeta;
  const printed = printMarkdown(doc, TEXT);
  const text = withLinesOf(doc, own, other);
  return {
    // Lines that the front matter cannot be put together from again, such as those of an alias.
    text: isSame(readSide(text)?.doc, readSide(printed)?.doc) ? text : printed,
    conflicts: notShown.map((field) => (field === TEXT ? 'the text' : field)),
  };
}

function readSide(file: string): MarkdownSide | undefined {
  try {
    const source = file.replace(/^\ufeff/, '');
    const { data, updatedAt, _fieldMeta: meta, ...keys } = parseMarkdown(source, [TEXT], DOCUMENT_MEMBERS);
    if (!isObject(data) || !(meta === undefined || isObject(meta))) return undefined;
    if (!(updatedAt === undefined || isDateTime(updatedAt))) return undefined;
    const dated = { ...keys, updatedAt: updatedAt ?? NO_DATE, data, ...(meta && { _fieldMeta: meta }) };
    const doc = dated as unknown as StoredDocument;
    return { doc, lines: linesByKey(splitMarkdown(source)[0]), isDated: updatedAt !== undefined };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function isSame(one: StoredDocument | undefined, other: StoredDocument | undefined): boolean {
  return one !== undefined && isEqual(one, other);
}

/** The merged document with the lines of the side that it has a value from; new keys come before the service's own. */
function withLinesOf(doc: StoredDocument, own: MarkdownSide, other: MarkdownSide): string {
  const { front, text } = toMarkdownParts(doc, TEXT);
  const values = new Map(front.filter(([, value]) => !isEqual(value, {})));
  const sides = [own, other].map(({ doc: side, lines }) => {
    return { lines, values: new Map(toMarkdownParts(side, TEXT).front) };
  });
  const kept = [...own.lines.keys()].filter((key) => values.has(key));
  const added = [...values.keys()].filter((key) => !own.lines.has(key));
  const firstOwn = kept.findIndex((key) => OWN_KEYS.includes(key));
  kept.splice(firstOwn < 0 ? kept.length : firstOwn, 0, ...added.filter((key) => !OWN_KEYS.includes(key)));
  const keys = [...kept, ...added.filter((key) => OWN_KEYS.includes(key))];
  const written = keys.map((key) => {
    const value = values.get(key);
    const side = sides.find(({ lines, values }) => lines.has(key) && isEqual(values.get(key), value));
    return side?.lines.get(key) ?? printFront([[key, value]]);
  });
  return `---\n${written.join('')}---\n${text === undefined ? '' : `${text}\n`}`;
}

/** A key with an escape counts as a line of the key above it, and the front matter is printed anew. */
const KEY_LINE = /^(?:"([^"\\]*)"|'([^']*)'|([^\s#"'\-?][^:]*?))\s*:(?:\s|$)/;

/** Comments and blank lines belong to the key below them; those at the end to the last one. */
function linesByKey(matter: string): Map<string, string> {
  const lines = new Map<string, string>();
  let key: string | undefined;
  let above = '';
  for (const line of matter.split('\n').slice(0, -1)) {
    const found = KEY_LINE.exec(line);
    if (found) {
      key = found.slice(1).find((name) => name !== undefined)!;
      lines.set(key, `${above}${line}\n`);
      above = '';
    } else if (line.startsWith('#') || line === '') above += `${line}\n`;
    else {
      if (key !== undefined) lines.set(key, `${lines.get(key)}${above}${line}\n`);
      above = '';
    }
  }
  if (key !== undefined) lines.set(key, `${lines.get(key)}${above}`);
  return lines;
}
