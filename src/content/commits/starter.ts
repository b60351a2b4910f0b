// The documents beside a configuration (`<folder>/<collection>/<slug>.json` or `.md`) are the first commit of an empty
// site. A file need not repeat its collection and slug; a missing id and missing dates are made.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { LOCK_FILE } from '../../lib/lock-file.ts';
import { findConflicts } from '../../lib/text/merge-conflicts.ts';
import type { CollectionSchema, SiteSchema } from '../../schema/collection.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import type { StoredDocument } from '../document.ts';
import { isMarkdown, layoutFor, MARKDOWN, pathOf, SHARDED } from '../files/paths.ts';
import { schemaProblems, toConflictMessage, toSchemaProblem, unknownKeyProblem } from '../from-git/warnings.ts';
import { type FileContext, inOrder, type Origin, parseFile, toFile } from '../stored.ts';

export interface Starter {
  files: FileChange[];
  /** The documents in them, each with its path below the folder. */
  documents: { path: string; doc: StoredDocument }[];
  /** Which files were left out, and all reasons. */
  problems: { path: string; messages: string[] }[];
  /** Folders with documents of no collection. */
  unknown: { path: string; message: string }[];
}

/** Errors of folders beside a configuration that are not ours to read. */
const NOT_OURS = ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'];
/** What people write about a folder is no document of it. */
const DOCUMENT_NAME = /^(?!readme\.md$).*\.(?:json|md)$/i;
/** The site's theme, which has a JSON file too. */
const THEME = 'theme';

/** A folder beside the configuration that has one of these is a theme, and its `theme.json` no document. */
const THEME_FOLDERS = ['layouts', 'assets', 'partials'];

export function readStarter(folder: string, schema: SiteSchema, stamp: { now: Date; newId(): string }): Starter {
  const files: FileChange[] = [];
  const documents: Starter['documents'] = [];
  const problems: Starter['problems'] = [];
  const unknownFolders: Starter['unknown'] = [];
  const idsSeen = new Set<string>();

  function addDocument(collection: CollectionSchema, name: string): void {
    const place = { collection: collection.name, slug: path.parse(name).name };
    const found = `${collection.name}/${name}`;
    const bytes = fs.readFileSync(path.join(folder, found));
    const messages = Array.from(findConflicts(bytes.toString('utf8'), !isMarkdown(name)), toConflictMessage);
    const unknown: string[] = [];
    const onUnknownKey = (key: string): void => void unknown.push(key);
    const doc = readDocument(bytes, `content/${found}`, { ...stamp, schema: collection, onUnknownKey });
    if (typeof doc === 'string') {
      problems.push({ path: found, messages: messages.length > 0 ? messages : [doc] });
      return;
    }
    if (idsSeen.has(doc.id)) messages.push(`id "${doc.id}" belongs to another document`);
    const unfit = [...unknown.map((key) => unknownKeyProblem(key, collection)), ...schemaProblems(doc, collection)];
    messages.push(...unfit.map(toSchemaProblem));
    if (messages.length > 0) {
      problems.push({ path: found, messages });
      return;
    }
    idsSeen.add(doc.id);
    documents.push({ path: found, doc });
    // A file keeps its format, whatever the collection's is: both are read.
    const layout = (layoutFor(collection.config) & SHARDED) + (isMarkdown(name) ? MARKDOWN : 0);
    files.push({ path: pathOf(place, layout), content: toFile(inOrder(doc, collection), layout, collection) });
  }

  for (const name of fs.readdirSync(folder).sort()) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    if (fs.existsSync(path.join(folder, name, LOCK_FILE))) continue; // a data folder, ours or another service's
    const collection = schema.collections.get(name);
    if (!collection && THEME_FOLDERS.some((inner) => fs.existsSync(path.join(folder, name, inner)))) continue;
    const documents = listDocuments(path.join(folder, name));
    if (collection) for (const file of documents) addDocument(collection, file);
    else {
      // Notes in Markdown may be anywhere.
      const left = documents.filter((file) => !isMarkdown(file));
      const message = `no collection "${name}"; its documents are left out: ${left.join(', ')}`;
      if (left.length && name !== THEME) unknownFolders.push({ path: name, message });
    }
  }
  return { files, documents, problems, unknown: unknownFolders };
}

/** Names of the documents' files in a folder, sorted; empty if it is not a folder, or not ours to read. */
function listDocuments(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => DOCUMENT_NAME.test(name) && fs.statSync(path.join(folder, name)).isFile())
      .sort();
  } catch (error) {
    if (isCode(error, ...NOT_OURS)) return [];
    throw error;
  }
}

/** A draft, unless the file says otherwise: what a person copies from somewhere is not published by a start. */
function readDocument(
  bytes: Buffer,
  at: string,
  { now, newId, ...context }: { now: Date; newId(): string } & Pick<FileContext, 'schema' | 'onUnknownKey'>,
): StoredDocument | string {
  const made = now.toISOString();
  const originOf = (): Origin => ({ id: newId(), createdAt: made, updatedAt: made });
  return parseFile(bytes, at, { ...context, originOf, status: 'draft' });
}
