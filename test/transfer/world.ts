// A folder of files and a site in memory, for the tests of import and export.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ImportInput } from '../../src/content/commands.ts';
import type { Document } from '../../src/content/document.ts';
import { invalid, ServiceError } from '../../src/lib/errors.ts';
import type { TransferConfig } from '../../src/transfer/candidate.ts';
import type { ImportTarget } from '../../src/transfer/import-folder.ts';
import type { ExportSource } from '../../src/transfer/write-folder.ts';

export const CONFIG: TransferConfig = {
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'richtext' },
        { name: 'aside', type: 'richtext' },
        { name: 'views', type: 'number' },
      ],
    },
    { name: 'notes', fields: [{ name: 'text', type: 'textarea' }] },
    {
      name: 'tasks',
      fields: [
        { name: 'status', type: 'text' },
        { name: 'draft', type: 'boolean' },
        { name: 'slug', type: 'text' },
      ],
    },
  ],
  locales: ['en', 'da', 'pt-BR'],
  defaultLocale: 'en',
};

export interface Folder extends Disposable {
  path: string;
  write(file: string, content: string | Buffer): void;
  read(file: string): string;
}

export function makeFolder(files: Record<string, string | Buffer> = {}): Folder {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-transfer-'));
  const folder: Folder = {
    path: root,
    write(file, content) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.writeFileSync(path.join(root, file), content);
    },
    read: (file) => fs.readFileSync(path.join(root, file), 'utf8'),
    [Symbol.dispose]: () => fs.rmSync(root, { recursive: true, force: true }),
  };
  for (const [file, content] of Object.entries(files)) folder.write(file, content);
  return folder;
}

export interface MemorySite extends ImportTarget, ExportSource {
  documents: Map<string, Document>;
  /** `collection/slug` of every write, in order. */
  writes: string[];
}

/**
 * A site with the rules that import depends on: slugs are unique, a translation's source exists, `views` is a number.
 */
export function makeSite(config: TransferConfig = CONFIG): MemorySite {
  const documents = new Map<string, Document>();
  const writes: string[] = [];
  let made = 0;

  function check(collection: string, input: ImportInput): void {
    const { translationOf, data } = input;
    if (translationOf !== undefined && !documents.has(`${collection}/${translationOf}`)) {
      throw invalid([{ path: 'translationOf', message: 'no such document' }]);
    }
    if (data.views !== undefined && typeof data.views !== 'number') {
      throw invalid([{ path: 'data.views', message: 'expected a number' }]);
    }
  }

  return {
    config,
    documents,
    writes,
    find: async (collection, slug) => documents.get(`${collection}/${slug}`),
    *each(collection) {
      for (const document of documents.values()) if (document.collection === collection) yield document;
    },
    async importDocument(collection, input, { dryRun }) {
      const key = `${collection}/${input.slug}`;
      const existing = documents.get(key);
      check(collection, input);
      const made12 = `A${String(++made).padStart(11, '0')}`;
      const at = '2024-05-01T00:00:00.000Z';
      const base = existing ?? { id: made12, collection, createdAt: at, updatedAt: at };
      const next = { ...base, ...input, data: { ...existing?.data, ...input.data } } as Document;
      if (isDeepStrictEqual(existing, next)) return { outcome: 'unchanged', warnings: [] };
      if (!dryRun) {
        documents.set(key, next);
        writes.push(key);
      }
      return { outcome: existing ? 'updated' : 'created', warnings: [] };
    },
    // This site imports one by one.
    importAll: () => Promise.reject(new ServiceError('too_large', 'too much')),
  };
}
