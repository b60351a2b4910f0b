// The part of a row that a start reads before its body: a JSON array of the keys that are in no column.
import type { Row } from './row.ts';

export type RowHead = Omit<Row, 'collection' | 'status' | 'locale' | 'etag' | 'layout' | 'isByHand' | 'body'>;

/** Absent texts are null. The second date is null if the document was never changed. */
type WrittenHead = [
  id: string,
  slug: string,
  createdAt: string,
  updatedAt: string | null,
  tags: readonly string[],
  sort: Row['sort'],
  extra: readonly string[],
  ...rest: (string | null)[],
];

const NONE: readonly string[] = [];

export function fromHead(row: Row): string {
  const { id, slug, createdAt, updatedAt, tags, sort, extra } = row;
  const { translationOf, translationGroup, publishAt, unpublishAt, meta } = row;
  const rest = [translationOf, translationGroup, publishAt, unpublishAt, meta];
  const written: WrittenHead = [id, slug, createdAt, updatedAt === createdAt ? null : updatedAt, tags, sort, extra];
  if (rest.some((text) => text !== undefined)) written.push(...rest.map((text) => text ?? null));
  return JSON.stringify(written);
}

export function toHead(bytes: Buffer): RowHead {
  const [id, slug, createdAt, updatedAt, tags, sort, extra, ...rest] = JSON.parse(
    bytes.toString('utf8'),
  ) as WrittenHead;
  const [translationOf, translationGroup, publishAt, unpublishAt, meta] = rest;
  return {
    id,
    slug,
    createdAt,
    // One string in memory if the document was never changed.
    updatedAt: updatedAt ?? createdAt,
    tags: tags.length ? tags : NONE,
    sort,
    extra: extra.length ? extra : NONE,
    translationOf: translationOf ?? undefined,
    translationGroup: translationGroup ?? undefined,
    publishAt: publishAt ?? undefined,
    unpublishAt: unpublishAt ?? undefined,
    meta: meta ?? undefined,
  };
}
