// The documents beside a configuration (`<folder>/<collection>/<slug>.json`) are the first commit of an empty site. A
// file need not repeat its collection and slug; a missing id and missing dates are made.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { isObject } from '../../lib/json.ts';
import { LOCK_FILE } from '../../lib/lock-file.ts';
import type { CollectionSchema, SiteSchema } from '../../schema/collection.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import type { StoredDocument } from '../document.ts';
import { schemaProblem } from '../from-git/warnings.ts';
import { inOrder, parseFile, pathOf, toFile } from '../stored.ts';

export interface Starter {
  files: FileChange[];
  /** Which files were left out, and why. */
  problems: string[];
}

/** Errors of folders beside a configuration that are not ours to read. */
const NOT_OURS = ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'];

/** A folder beside the configuration that has one of these is a theme, and its `theme.json` no document. */
const THEME_FOLDERS = ['layouts', 'assets', 'partials'];

export function readStarter(folder: string, schema: SiteSchema, stamp: { now: Date; newId(): string }): Starter {
  const files: FileChange[] = [];
  const problems: string[] = [];
  const idsSeen = new Set<string>();

  function addDocument(collection: CollectionSchema, name: string): void {
    const place = { collection: collection.name, slug: name.slice(0, -'.json'.length) };
    const doc = readDocument(path.join(folder, collection.name, name), place, stamp);
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
    files.push({ path: pathOf(place, collection.config.sharded === true), content: toFile(inOrder(doc, collection)) });
  }

  for (const name of fs.readdirSync(folder).sort()) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    if (fs.existsSync(path.join(folder, name, LOCK_FILE))) continue; // a data folder, ours or another service's
    const collection = schema.collections.get(name);
    if (!collection && THEME_FOLDERS.some((inner) => fs.existsSync(path.join(folder, name, inner)))) continue;
    const documents = listDocuments(path.join(folder, name));
    if (collection) for (const file of documents) addDocument(collection, file);
    else if (documents.length)
      problems.push(`starter content: no collection "${name}"; its documents are left out: ${documents.join(', ')}`);
  }
  return { files, problems };
}

/** Names of the JSON files in a folder, sorted; empty if it is not a folder, or not ours to read. */
function listDocuments(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.json') && fs.statSync(path.join(folder, name)).isFile())
      .sort();
  } catch (error) {
    if (isCode(error, ...NOT_OURS)) return [];
    throw error;
  }
}

function readDocument(
  file: string,
  place: { collection: string; slug: string },
  stamp: { now: Date; newId(): string },
): StoredDocument | string {
  const bytes = fs.readFileSync(file);
  const at = stamp.now.toISOString();
  let given: unknown;
  try {
    given = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return 'not valid JSON';
    throw error;
  }
  const made = { id: stamp.newId(), ...place, status: 'draft', createdAt: at, updatedAt: at };
  // A complete file is parsed from its own bytes, so that parseFile finds numbers that cannot be represented.
  if (!isObject(given) || Object.keys(made).every((key) => Object.hasOwn(given, key))) return parseFile(bytes, place);
  return parseFile(Buffer.from(JSON.stringify({ ...made, ...given })), place);
}
