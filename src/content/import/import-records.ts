// What imports knew of each document's file, at `_data/imports/<collection>/<id>.json`. Without a record an import works
// as the first one does; so a damaged one is as good as none.
import { z } from 'zod';
import type { DataFolder } from '../../data/data-folder.ts';
import { parseStoredJson } from '../../lib/stored-json.ts';
import type { ImportRecord } from './merge-import.ts';

export interface ImportRecords {
  read(collection: string, id: string): Promise<ImportRecord | undefined>;
  /** Durable once it resolves. */
  write(collection: string, id: string, record: ImportRecord): Promise<void>;
}

const RecordFile = z.object({
  version: z.literal(1),
  values: z.record(z.string(), z.object({ file: z.string(), stored: z.string().nullable() })),
});

export function createImportRecords(data: DataFolder): ImportRecords {
  const folders = new Map<string, DataFolder>();
  const folderOf = (collection: string): DataFolder => {
    const folder = folders.get(collection) ?? data.folder('imports').folder(collection);
    folders.set(collection, folder);
    return folder;
  };
  return {
    async read(collection, id) {
      const bytes = await folderOf(collection).read(`${id}.json`);
      return bytes && parseStoredJson(RecordFile, String(bytes))?.values;
    },
    write: (collection, id, values) => folderOf(collection).write(`${id}.json`, JSON.stringify({ version: 1, values })),
  };
}
