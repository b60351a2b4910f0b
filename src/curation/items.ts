// The items of a site: one JSON file each at `_data/curation/<id>.json`, replaced as a whole, and an index in memory,
// computed from the files at the first request.
import type { DataFolder } from '../data/data-folder.ts';
import type { Logger } from '../lib/logger.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import { CurationItem, type ItemStatus, isItemId, parseItem } from './item.ts';
import { createItemIndex, type ItemIndex, toItemEntry } from './item-index.ts';

export interface Items {
  index(): Promise<ItemIndex>;
  /** Undefined if there is no such item, or its file is damaged; any text is safe to pass. */
  find(id: string): Promise<CurationItem | undefined>;
  /** Durable once it resolves. @throws ServiceError `storage_full`; then nothing has changed */
  write(item: CurationItem): Promise<void>;
  /** An item that should not have been written. */
  remove(id: string): Promise<void>;
  /** Reads the files again after something else changed them (a restored backup). */
  reload(): void;
}

export interface CurationNews {
  id: string;
  /** Undefined if it is gone. */
  status?: ItemStatus;
  /** How many wait now. */
  waiting: number;
}

export interface ItemsParts {
  /** `_data`. */
  data: DataFolder;
  logger: Pick<Logger, 'warn'>;
}

const FOLDER = 'curation';
const EXTENSION = '.json';
/** Files read at a time. */
const AT_ONCE = 32;

export function createItems({ data, logger }: ItemsParts): Items {
  let folder = data.folder(FOLDER);
  let opened: Promise<ItemIndex> | undefined;

  async function read(id: string): Promise<CurationItem | undefined> {
    const bytes = await folder.read(id + EXTENSION);
    const item = bytes && parseItem(bytes.toString('utf8'));
    if (item?.id === id) return item;
    if (bytes) logger.warn({ item: id }, 'an item of the curation queue is damaged and was skipped; its file is kept');
    return undefined;
  }

  async function load(): Promise<ItemIndex> {
    const index = createItemIndex();
    const breathe = createBreathe();
    const ids = (await folder.list()).flatMap((name) => {
      const id = name.slice(0, -EXTENSION.length);
      return name.endsWith(EXTENSION) && isItemId(id) ? [id] : [];
    });
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      for (const item of await Promise.all(ids.slice(at, at + AT_ONCE).map(read))) {
        if (item) index.put(toItemEntry(item));
      }
      await breathe();
    }
    return index;
  }

  function index(): Promise<ItemIndex> {
    const opening = (opened ??= load());
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  }

  return {
    index,
    find: async (id) => (isItemId(id) ? read(id) : undefined),
    async write(item) {
      const known = await index();
      // Parsed to put the keys into the schema's order.
      await folder.write(item.id + EXTENSION, `${JSON.stringify(CurationItem.parse(item), null, 2)}\n`);
      known.put(toItemEntry(item));
    },
    async remove(id) {
      await folder.remove(id + EXTENSION);
      (await index()).remove(id);
    },
    reload() {
      opened = undefined;
      folder = data.folder(FOLDER);
    },
  };
}

/** The same items; each one that is written or removed is reported. */
export function withNews(items: Items, report: (news: CurationNews) => void): Items {
  async function say(news: Omit<CurationNews, 'waiting'>): Promise<void> {
    const { ready, in_review } = (await items.index()).counts();
    report({ ...news, waiting: ready + in_review });
  }
  return {
    ...items,
    async write(item) {
      await items.write(item);
      await say({ id: item.id, status: item.status });
    },
    async remove(id) {
      await items.remove(id);
      await say({ id });
    },
  };
}
