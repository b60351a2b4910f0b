// Files of some kinds, a page at a time, the newest first. The API lists one type, and some kinds are several types, so
// their lists are merged; a kind that is only a part of a type is picked from it.
import { type FileKind, isOfKinds, type MediaFile, typesOf } from './media-file.ts';

export interface FileQuery {
  kinds?: readonly FileKind[];
  /** Undefined for all folders. */
  folder?: string | undefined;
  q?: string;
  /** More of the query, as the API has it. */
  more?: Readonly<Record<string, string>>;
}

export interface FilePages {
  /** At most `count` more files; fewer only at the end. */
  next(count: number): Promise<readonly MediaFile[]>;
  /** True once everything was returned. */
  isDone(): boolean;
  /** All matches; undefined until the end is reached. */
  total(): number | undefined;
}

export type FetchFiles = (url: string) => Promise<{ files: readonly MediaFile[]; total: number }>;

interface Lane {
  type: MediaFile['type'] | undefined;
  waiting: MediaFile[];
  offset: number;
  total: number;
}

const PAGE = 100;

export function createFilePages(fetchFiles: FetchFiles, query: FileQuery): FilePages {
  const kinds = query.kinds ?? [];
  const lanes: Lane[] = typesOf(kinds).map((type) => ({
    type,
    waiting: [],
    offset: 0,
    total: Number.POSITIVE_INFINITY,
  }));
  const seen = new Set<string>();

  async function fill(lane: Lane): Promise<void> {
    while (lane.waiting.length === 0 && lane.offset < lane.total) {
      const { files, total } = await fetchFiles(toFilesUrl(query, lane));
      lane.total = files.length === 0 ? 0 : total;
      lane.offset += files.length;
      for (const file of files) {
        // An upload meanwhile moves everything by one.
        if (seen.has(file.url) || !isOfKinds(file, kinds)) continue;
        seen.add(file.url);
        lane.waiting.push(file);
      }
    }
  }

  return {
    async next(count) {
      const files: MediaFile[] = [];
      while (files.length < count) {
        await Promise.all(lanes.map(fill));
        const [newest] = lanes.filter((lane) => lane.waiting.length > 0).sort(byNewestFirst);
        if (!newest) break;
        files.push(newest.waiting.shift()!);
      }
      return files;
    },
    isDone: () => lanes.every((lane) => lane.waiting.length === 0 && lane.offset >= lane.total),
    total: () => (kinds.includes('video') || lanes.length > 1 ? undefined : lanes[0]?.total),
  };
}

function byNewestFirst(a: Lane, b: Lane): number {
  const [mine, theirs] = [a.waiting[0]!.createdAt ?? '', b.waiting[0]!.createdAt ?? ''];
  return mine === theirs ? 0 : mine < theirs ? 1 : -1;
}

export function toFilesUrl(
  { folder, q, more }: FileQuery,
  { type, offset, limit = PAGE }: Pick<Lane, 'type' | 'offset'> & { limit?: number },
): string {
  const params = new URLSearchParams({ limit: String(limit), offset: String(offset), ...more });
  if (type) params.set('type', type);
  if (folder !== undefined) params.set('folder', folder);
  if (q) params.set('q', q);
  return `/api/media?${params}`;
}
