// Titles in the place of the slugs that relations hold, for the rows in view; they follow what happens to them.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { MOST_TITLES, type TitlesAnswer, toTitles, toTitlesUrl } from '../../config/titles.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { type Column, titleKeyOf } from './columns.ts';
import type { ListDocument } from './row-pages.ts';

/** Undefined until it is known, and for what is not there. */
export type RelatedTitle = (collection: string, slug: string) => string | undefined;

/** `version` changes when the rows may have. */
export function useRelatedTitles(
  rows: readonly (ListDocument | undefined)[],
  columns: readonly Column[],
  version: unknown,
): RelatedTitle {
  const { request, live } = useAdmin();
  const shown = columns.map(({ key }) => key).join();
  const related = columns.flatMap(({ field }) => (field?.type === 'relation' && field.collection ? [field] : []));
  const manifest = useResource<Manifest>(related.length > 0 ? MANIFEST_URL : undefined).state;
  const titles = useSignal<ReadonlyMap<string, string>>(new Map());
  const changes = useSignal(0);
  const asked = useRef(new Set<string>());

  async function load(collection: Manifest['collections'][number], slugs: readonly string[]): Promise<void> {
    const url = `${toTitlesUrl(collection.name, slugs)}&fields=${titleKeyOf(collection) ?? '_'}`;
    try {
      const { data } = await request<TitlesAnswer>('GET', url);
      const found = toTitles(data, collection);
      const next = new Map(titles.value);
      for (const slug of slugs) {
        const title = found.get(slug);
        if (title === undefined) next.delete(toKey(collection.name, slug));
        else next.set(toKey(collection.name, slug), title);
      }
      titles.value = next;
    } catch {
      // The slug stands there, and is asked about again with the next rows.
      for (const slug of slugs) asked.current.delete(toKey(collection.name, slug));
    }
  }

  useEffect(
    () =>
      live.listen(({ event, data }) => {
        if (event !== 'change' && event !== 'hello') return;
        const { collection } = data as { collection?: string };
        if (collection !== undefined && !related.some((field) => field.collection === collection)) return;
        asked.current.clear();
        changes.value += 1;
      }),
    [shown],
  );

  useEffect(() => {
    if (manifest.kind !== 'ready') return;
    const wanted = new Map<string, Set<string>>();
    for (const { name, collection = '' } of related) {
      for (const row of rows) for (const slug of toSlugs(row?.data[name])) ensure(wanted, collection).add(slug);
    }
    for (const [name, slugs] of wanted) {
      const collection = manifest.data.collections.find((one) => one.name === name);
      const missing = [...slugs].filter((slug) => !asked.current.has(toKey(name, slug)));
      for (const slug of missing) asked.current.add(toKey(name, slug));
      for (let at = 0; collection && at < missing.length; at += MOST_TITLES) {
        void load(collection, missing.slice(at, at + MOST_TITLES));
      }
    }
  }, [rows[0]?.id, rows.length, shown, version, changes.value, manifest.kind]);

  return (collection, slug) => titles.value.get(toKey(collection, slug));
}

const toKey = (collection: string, slug: string): string => `${collection}/${slug}`;

function toSlugs(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === 'string' && one !== '') as string[];
}

function ensure(sets: Map<string, Set<string>>, key: string): Set<string> {
  let found = sets.get(key);
  if (!found) sets.set(key, (found = new Set()));
  return found;
}
