// Decides what an import changes in an existing document: only what changed in the file since its last import. Changes
// that people made in the document since then stay, at any depth, and so do defaults. Pure.
import { hash } from 'node:crypto';
import { isEqual } from '../../lib/equal.ts';
import { isObject } from '../../lib/json.ts';
import type { ImportInput } from '../commands.ts';
import type { Data, StoredDocument } from '../document.ts';

/** Digests of a value as the file had it, and as the import left it in the document; empty for an absent one. */
export interface ImportedValue {
  file: string;
  /** Null if it was people's by then. */
  stored: string | null;
}

/** What the last import of a document's file knew, by path: `data/seo/title`, `status`. */
export type ImportRecord = Readonly<Record<string, ImportedValue>>;

export interface MergedImport {
  input: ImportInput;
  /** Paths with another value in file and document, of which the document's stays: `data.seo.title`. */
  kept: string[];
}

const OWN_KEYS = ['status', 'locale', 'translationOf', 'translationGroup', 'publishAt', 'unpublishAt'] as const;
/** A file that does not have these any more clears them. */
const TIMES: ReadonlySet<string> = new Set(['publishAt', 'unpublishAt']);
const ROOT = 'data';

/** Without a record nothing is known of an import, and the file has the last word about what it names. */
export function mergeImport(
  before: StoredDocument,
  input: ImportInput,
  record: ImportRecord | undefined,
): MergedImport {
  const kept: string[] = [];

  function merge(at: string, now: unknown, file: unknown): unknown {
    if (isObject(now) && isObject(file)) return mergeObjects(at, now, file);
    if (isEqual(now, file)) return now;
    const last = valueAt(record, at);
    if (!record || (!last && now === undefined)) return file;
    if (last?.file === toDigest(file)) return now;
    if (last && last.stored === toDigest(now)) return file;
    if (file !== undefined) kept.push(at.split('/').map(decodeURIComponent).join('.'));
    return now;
  }

  function mergeObjects(at: string, now: Data, file: Data): Data {
    const merged: Data = { ...now };
    for (const key of new Set([...Object.keys(file), ...Object.keys(now)])) {
      const path = pathOf(at, key);
      const isGone = !Object.hasOwn(file, key);
      // What the file never had is not missing in it.
      if (isGone && (valueAt(record, path)?.file ?? '') === '') continue;
      const value = merge(path, own(now, key), own(file, key));
      if (value === undefined) delete merged[key];
      else merged[key] = value;
    }
    return merged;
  }

  const data = mergeObjects(ROOT, before.data, input.data);
  const changed: Partial<Record<(typeof OWN_KEYS)[number], unknown>> = {};
  for (const key of OWN_KEYS) {
    if (input[key] === undefined && !(TIMES.has(key) && valueAt(record, key)?.file)) continue;
    const value = merge(key, before[key], input[key]);
    if (value !== before[key]) changed[key] = value ?? null;
  }
  const { locale: _, translationOf: _2, translationGroup: _3, publishAt: _4, unpublishAt: _5, ...rest } = input;
  const unset = Object.keys(before.data).filter((key) => !Object.hasOwn(data, key));
  return { input: { ...rest, status: before.status, ...changed, data, unset } as ImportInput, kept };
}

/** What to remember of an import that left the document as `after`. */
export function toRecord(
  after: StoredDocument,
  input: ImportInput,
  earlier: { before: StoredDocument | undefined; record: ImportRecord | undefined },
): ImportRecord {
  const found: Record<string, ImportedValue> = {};

  function note(at: string, now: unknown, file: unknown): void {
    const last = valueAt(earlier.record, at);
    const isSame = isEqual(now, file);
    // A new document has defaults that the file does not have; in an older one everything else is people's.
    const isOurs = !earlier.before || isSame;
    if (file !== undefined || isOurs || last) {
      const digest = toDigest(file);
      const stored = isSame ? digest : isOurs ? toDigest(now) : (last?.stored ?? null);
      found[at] = { file: digest, stored };
    }
    noteEntries(at, now, file);
  }

  function noteEntries(at: string, now: unknown, file: unknown): void {
    if (!isObject(file) && !isObject(now)) return;
    const [ofFile, ofNow] = [isObject(file) ? file : {}, isObject(now) ? now : {}];
    for (const key of new Set([...Object.keys(ofFile), ...Object.keys(ofNow)])) {
      note(pathOf(at, key), own(ofNow, key), own(ofFile, key));
    }
  }

  noteEntries(ROOT, after.data, input.data);
  for (const key of OWN_KEYS)
    if (input[key] !== undefined || after[key] !== undefined) note(key, after[key], input[key]);
  return found;
}

function toDigest(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value, inOrder) : JSON.stringify(value);
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/** The order of keys does not matter. */
function inOrder(_key: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

function valueAt(record: ImportRecord | undefined, at: string): ImportedValue | undefined {
  return record && Object.hasOwn(record, at) ? record[at] : undefined;
}

function pathOf(at: string, key: string): string {
  return `${at}/${encodeURIComponent(key)}`;
}

function own(value: Data, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
