// Writes a site's documents as files that the import reads back as the same documents. Must not write anywhere but
// below the folder, whatever links are in it.
import fs from 'node:fs';
import path from 'node:path';
import { DOCUMENT_KEYS, type Document } from '../content/document.ts';
import { conflict, invalid } from '../lib/errors.ts';
import { makeFolders } from '../lib/make-folders.ts';
import { isSlug } from '../lib/text/slug.ts';
import type { TransferCollection, TransferConfig } from './candidate.ts';
import { toMarkdown } from './markdown-file.ts';

export type ExportFormat = 'md' | 'json';

export interface ExportSource {
  config: TransferConfig;
  /** Every document of a collection; they may carry field metadata, which is not exported. */
  each(collection: string): Iterable<Document> | AsyncIterable<Document>;
}

export interface ExportOptions {
  format: ExportFormat;
  /** Write into a folder that already has files. */
  force?: boolean | undefined;
  /** Only these; every collection of the configuration if absent. */
  collections?: readonly string[] | undefined;
  onProgress?(done: number): void;
}

export interface ExportReport {
  written: number;
  /** Documents that Markdown cannot carry, written as JSON. */
  asJson: string[];
}

const KEY_ORDER = [...DOCUMENT_KEYS, 'data'] as const;

/** One file per document: `<folder>/<collection>/<slug>.md` or `.json`. */
export async function writeFolder(folder: string, source: ExportSource, options: ExportOptions): Promise<ExportReport> {
  const collections = chosen(source.config, options.collections);
  makeFolders(fs, folder);
  const root = fs.realpathSync(folder);
  if (!options.force && fs.readdirSync(root).length > 0) {
    throw conflict(`folder "${folder}" is not empty; --force writes into it all the same`);
  }
  const report: ExportReport = { written: 0, asJson: [] };
  for (const collection of collections) {
    const below = path.join(root, collection.name);
    for await (const document of source.each(collection.name)) {
      if (!isSlug(document.slug)) throw invalid(`document "${document.id}" has the slug "${document.slug}"`);
      makeOwnFolder(below);
      const exported = onlyDocument(document);
      const markdown = options.format === 'md' ? toMarkdown(exported, collection) : undefined;
      if (markdown === undefined && options.format === 'md') report.asJson.push(`${collection.name}/${document.slug}`);
      const file = path.join(below, document.slug);
      // The same document in the other format would be imported as a duplicate.
      fs.rmSync(markdown === undefined ? `${file}.md` : `${file}.json`, { force: true });
      if (markdown === undefined) replaceFile(`${file}.json`, `${JSON.stringify(exported, null, 2)}\n`);
      else replaceFile(`${file}.md`, markdown);
      report.written++;
      options.onProgress?.(report.written);
    }
  }
  return report;
}

function chosen(config: TransferConfig, names: readonly string[] | undefined): readonly TransferCollection[] {
  if (!names) return config.collections;
  return names.map((name) => {
    const collection = config.collections.find((one) => one.name === name);
    if (!collection) throw invalid(`unknown collection "${name}"`);
    return collection;
  });
}

function onlyDocument(document: Document): Document {
  const entries = KEY_ORDER.map((key) => [key, document[key]] as const);
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined && value !== null),
  ) as unknown as Document;
}

function makeOwnFolder(folder: string): void {
  makeFolders(fs, folder);
  if (!fs.lstatSync(folder).isDirectory()) throw conflict(`"${folder}" is a link to another folder`);
}

/** A rename replaces a link, while a write would follow it. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.tmp-${process.pid}`;
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, text, { flag: 'wx' });
  fs.renameSync(temporary, file);
}
