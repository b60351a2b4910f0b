// What imports knew of each document's file, at `_data/imports/<collection>/<hex digit>.json`: sixteen files, each written
// as a whole, half a second after a change at the latest and when the site closes. A file for each document would cost an
// import more than its commits do. Without a record an import works like a first one, so a damaged file counts as missing,
// and a crash loses the records of half a second.
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { DataFolder } from '../../data/data-folder.ts';
import { parseStoredJson } from '../../lib/stored-json.ts';
import type { ImportRecord } from './merge-import.ts';

export interface ImportRecords {
  read(collection: string, id: string): Promise<ImportRecord | undefined>;
  write(collection: string, id: string, record: ImportRecord): Promise<void>;
  /** Resolves once everything is durable. */
  flush(): Promise<void>;
  /** The files were replaced: what is in memory, waiting or not, is about other documents. */
  reload(): void;
}

interface Shard {
  folder: DataFolder;
  file: string;
  records: Map<string, ImportRecord>;
  isDirty: boolean;
}

const ShardFile = z.object({
  version: z.literal(1),
  records: z.record(z.string(), z.record(z.string(), z.object({ file: z.string(), stored: z.string().nullable() }))),
});

const FLUSH_MS = 500;
/** Shards that stay in memory although nothing of them waits: those of two collections. */
const MAX_IDLE = 32;

export function createImportRecords(data: DataFolder, warn: (message: string, error?: unknown) => void): ImportRecords {
  const shards = new Map<string, Promise<Shard>>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  async function load(collection: string, file: string): Promise<Shard> {
    const folder = data.folder('imports').folder(collection);
    const bytes = await folder.read(file);
    const found = bytes && parseStoredJson(ShardFile, String(bytes));
    return { folder, file, records: new Map(Object.entries(found?.records ?? {})), isDirty: false };
  }

  function shardOf(collection: string, id: string): Promise<Shard> {
    const file = `${hash('sha256', id)[0]}.json`;
    const key = `${collection}/${file}`;
    const shard = shards.get(key) ?? load(collection, file);
    // The one that was asked last is the last to go.
    shards.delete(key);
    shards.set(key, shard);
    shard.catch(() => shards.delete(key));
    return shard;
  }

  async function writeDirty(): Promise<void> {
    for (const [key, loading] of [...shards]) {
      const shard = await loading;
      if (shard.isDirty) {
        shard.isDirty = false;
        const text = JSON.stringify({ version: 1, records: Object.fromEntries(shard.records) });
        await shard.folder.write(shard.file, text).catch((error) => {
          shard.isDirty = true;
          throw error;
        });
      } else if (shards.size > MAX_IDLE) shards.delete(key);
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // An earlier failure was reported, and what it left is written now.
    flushing = flushing.catch(() => undefined).then(writeDirty);
    return flushing;
  }

  return {
    async read(collection, id) {
      return (await shardOf(collection, id)).records.get(id);
    },
    async write(collection, id, record) {
      const shard = await shardOf(collection, id);
      shard.records.set(id, record);
      shard.isDirty = true;
      timer ??= setTimeout(() => {
        flush().catch((error) => warn('what the last import knew could not be written', error));
      }, FLUSH_MS);
    },
    flush,
    reload() {
      clearTimeout(timer);
      timer = undefined;
      shards.clear();
    },
  };
}
