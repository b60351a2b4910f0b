// The documents beside a configuration (`<folder>/<collection>/<slug>.json` or `.md`) are the first commit of an empty
// site. A file need not repeat its collection and slug; a missing id and missing dates are made.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { LOCK_FILE } from '../../lib/lock-file.ts';
import type { CollectionSchema, SiteSchema } from '../../schema/collection.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import type { StoredDocument } from '../document.ts';
import { isMarkdown, layoutFor, MARKDOWN, pathOf, SHARDED } from '../files/paths.ts';
import { schemaProblem } from '../from-git/warnings.ts';
import { inOrder, type Origin, parseFile, toFile } from '../stored.ts';

export interface Starter {
  files: FileChange[];
  /** Which files were left out, and why. */
  problems: string[];
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
  const problems: string[] = [];
  const idsSeen = new Set<string>();

  function addDocument(collection: CollectionSchema, name: string): void {
    const place = { collection: collection.name, slug: path.parse(name).name };
    const doc = readDocument(path.join(folder, collection.name, name), `content/${collection.name}/${name}`, {
      ...stamp,
      schema: collection,
    });
    const problem =
      typeof doc === 'string'
        ? doc
        : idsSeen.has(doc.id)
          ? `id "${doc.id}" belongs to another document`
          : schemaProblem(doc, collection);
    if (typeof doc === 'string' || problem) {
      problems.push(`starter content: ${collection.name}/${name} is left out: ${problem}`);
      return;
    }
    idsSeen.add(doc.id);
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
      if (left.length && name !== THEME)
        problems.push(`starter content: no collection "${name}"; its documents are left out: ${left.join(', ')}`);
    }
  }
  return { files, problems };
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
  file: string,
  at: string,
  { now, newId, schema }: { now: Date; newId(): string; schema: CollectionSchema },
): StoredDocument | string {
  const made = now.toISOString();
  const originOf = (): Origin => ({ id: newId(), createdAt: made, updatedAt: made });
  return parseFile(fs.readFileSync(file), at, { schema, originOf, status: 'draft' });
}
