// Reads a folder of Markdown and JSON files, or a WordPress export, as documents to import, one at a time. Decides nothing that needs the other
// files or the site's documents; plan.ts does.
import fs from 'node:fs';
import path from 'node:path';
import { invalid, ServiceError } from '../lib/errors.ts';
import { toSlug } from '../lib/text/slug.ts';
import {
  type Candidate,
  type FileProblem,
  type TransferCollection,
  type TransferConfig,
  toFileProblems,
} from './candidate.ts';
import { type FieldRules, NO_RULES } from './field-rules.ts';
import { listFiles, readText } from './files.ts';
import { findCollection, parseJsonFile } from './json.ts';
import { type FileInput, fromMatter, parseMarkdown } from './markdown.ts';
import { type FilePlace, importPlaceOf } from './place.ts';
import { toPlainObject } from './plain.ts';
import { collectionNames, isContent, toMatter } from './wordpress.ts';
import { readWxr, type WxrItem } from './wxr.ts';

export interface ReadFolderOptions {
  config: TransferConfig;
  /** All files belong to this collection; if absent, the first folder names it. */
  collection?: string | undefined;
  localeFromPath?: boolean | undefined;
  rules?: FieldRules | undefined;
}

export type FolderFile =
  | { kind: 'candidate'; candidate: Candidate }
  | { kind: 'problems'; problems: FileProblem[] }
  /** A link that leaves the folder. */
  | { kind: 'skipped'; file: string };

/** The limit for a document's `data` in a request. */
const MAX_DATA_BYTES = 1024 * 1024;

/**
 * A file that is not in the shape of a stored document must not have this key; a stored document's field metadata is
 * left out.
 */
export const FIELD_META = '_fieldMeta';
const NOT_IMPORTED = 'locks and AI marks of fields are not imported; remove this key';

/** In the order of the files' names. Throws if the folder cannot be read or `collection` is unknown. */
export function* readPlace(place: string, options: ReadFolderOptions): Generator<FolderFile> {
  const isExport = place.toLowerCase().endsWith('.xml') && fs.statSync(place, { throwIfNoEntry: false })?.isFile();
  yield* isExport ? readExport(place, options) : readFolder(place, options);
}

export function* readFolder(folder: string, options: ReadFolderOptions): Generator<FolderFile> {
  if (options.collection !== undefined) getCollection(options.config, options.collection);
  const { files, skipped } = listFiles(folder);
  for (const file of skipped) yield { kind: 'skipped', file };
  for (const file of files) {
    try {
      yield { kind: 'candidate', candidate: readCandidate(folder, file, options) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      yield { kind: 'problems', problems: toFileProblems(file, error) };
    }
  }
}

function readCandidate(folder: string, file: string, options: ReadFolderOptions): Candidate {
  const isJson = file.toLowerCase().endsWith('.json');
  const locales = options.localeFromPath ? options.config.locales : [];
  const place = importPlaceOf(file, { collection: options.collection, locales });
  // An unknown collection is reported before anything that may be wrong with the file.
  if (place.collection !== undefined) getCollection(options.config, place.collection);
  const text = readText(folder, file);
  const name = place.collection ?? (isJson ? findCollection(text) : undefined);
  if (name === undefined)
    throw invalid('no folder names the collection; put the file into a folder or use --collection');
  const collection = getCollection(options.config, name);
  const parsed = isJson
    ? parseJsonFile(text, collection, options.rules)
    : parseMarkdown(text, collection, place.name, options.rules);
  checkData(parsed);
  return toCandidate(file, collection.name, parsed, place);
}

/** In the order of the export. An item's name is the file's with its id. */
function* readExport(file: string, options: ReadFolderOptions): Generator<FolderFile> {
  if (options.collection !== undefined) getCollection(options.config, options.collection);
  for (const item of readWxr(file)) {
    const name = `${path.basename(file)}#${item.id}`;
    try {
      if ('error' in item) throw item.error;
      if (isContent(item)) yield { kind: 'candidate', candidate: readItem(name, item, options) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      yield { kind: 'problems', problems: toFileProblems(name, error) };
    }
  }
}

function readItem(name: string, item: WxrItem, options: ReadFolderOptions): Candidate {
  const names = options.collection === undefined ? collectionNames(item) : [options.collection];
  const collection = options.config.collections.find((one) => names.includes(one.name));
  if (!collection) throw invalid(`unknown collection "${names.at(-1)}"; add it or use --collection`);
  const { data, body } = toMatter(item);
  const parsed = fromMatter(toPlainObject(data), body, collection, options.rules ?? NO_RULES);
  checkData(parsed);
  const title = typeof parsed.data.title === 'string' ? parsed.data.title : '';
  const place = importPlaceOf(`${toSlug(title) || `wordpress-${item.id}`}.md`, {
    collection: collection.name,
    locales: [],
  });
  return toCandidate(name, collection.name, parsed, place);
}

function checkData(parsed: FileInput): void {
  if (Object.hasOwn(parsed.data, FIELD_META)) throw invalid([{ path: FIELD_META, message: NOT_IMPORTED }]);
  if (Buffer.byteLength(JSON.stringify(parsed.data)) > MAX_DATA_BYTES) {
    throw new ServiceError('too_large', 'the document is larger than 1 MiB');
  }
}

function toCandidate(file: string, collection: string, parsed: FileInput, place: FilePlace): Candidate {
  const { slug = place.slug, locale = place.locale, ...rest } = parsed;
  return {
    file,
    collection,
    input: { ...rest, slug, ...(locale === undefined ? {} : { locale }) },
    isSlugFromPath: parsed.slug === undefined,
    isLocaleFromPath: parsed.locale === undefined && place.locale !== undefined,
  };
}

function getCollection(config: TransferConfig, name: string): TransferCollection {
  const collection = config.collections.find((candidate) => candidate.name === name);
  if (!collection) throw invalid(`unknown collection "${name}"`);
  return collection;
}
