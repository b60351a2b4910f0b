// Keeps what was opened last in this browser, and offers it in the palette as long as it is there.
import { useEffect, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { MANIFEST_URL, type Manifest, titleOf } from '../config/manifest.ts';
import type { StoredDocument } from '../document/stored-document.ts';
import { t } from '../text/translate.ts';
import { type Admin, useAdmin, useResource } from './admin.ts';
import type { Destination } from './destinations.ts';
import type { PaletteOption } from './match-options.ts';
import { ownKey } from './own-key.ts';
import { forget, isPlaceToKeep, parseRecent, type RecentPlace, remember, toDocumentOf } from './recent.ts';

const SHOWN = 6;

function keyOf(admin: Admin): string | undefined {
  return admin.session.state.value.kind === 'signed-in' ? ownKey('recent', admin) : undefined;
}

function change(key: string, make: (list: readonly RecentPlace[]) => RecentPlace[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(make(parseRecent(localStorage.getItem(key)))));
  } catch (error) {
    // A browser that keeps nothing has nothing recent.
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Remembers the screen under its heading; one that is not there is forgotten instead. */
export function useRemember(heading: string, kind: 'place' | 'nothing' | 'failed'): void {
  const key = keyOf(useAdmin());
  const { path } = useRoute();
  useEffect(() => {
    if (key === undefined || kind === 'failed' || !isPlaceToKeep(path)) return;
    const place = path.startsWith('/admin/media') ? '/admin/media' : path;
    change(key, (list) => (kind === 'place' ? remember(list, { path: place, title: heading }) : forget(list, path)));
  }, [key, path, heading, kind]);
}

/** What was opened last, without the present screen and without what is gone. */
export function useRecent(destinations: readonly Destination[], navigate: (path: string) => void): PaletteOption[] {
  const key = keyOf(useAdmin());
  const { path: here } = useLocation();
  const [list] = useState(() => (key === undefined ? [] : parseRecent(localStorage.getItem(key))));
  const titles = useTitles(list, key);
  return list
    .flatMap(({ path, title }) => {
      if (path === here) return [];
      const document = toDocumentOf(path);
      const owner = document ? `/admin/content/${encodeURIComponent(document.collection)}` : path;
      const screen = destinations.find((one) => one.path === owner);
      // What the person may no longer see, and collections that are gone.
      if (!screen && (document || path.startsWith('/admin/content/'))) return [];
      const label = document ? titles.get(path) : (screen?.label ?? title);
      if (label === undefined) return [];
      const kind = document && screen ? t('palette.recentIn', { label: screen.label }) : t('palette.recent');
      return [{ id: `recent ${path}`, kind, label, run: () => navigate(path) }];
    })
    .slice(0, SHOWN);
}

/** The titles of the documents that exist, by their paths. Until the service has answered, those that they had. */
function useTitles(list: readonly RecentPlace[], key: string | undefined): ReadonlyMap<string, string> {
  const { request, session } = useAdmin();
  const { state } = useResource<Manifest>(MANIFEST_URL);
  const manifest = state.kind === 'ready' ? state.data : undefined;
  const [titles, setTitles] = useState(() => new Map(list.map(({ path, title }) => [path, title])));
  useEffect(() => {
    if (!manifest || !session.may('content:read')) return undefined;
    const stop = new AbortController();
    for (const collection of manifest.collections) {
      const own = list.flatMap(({ path }) => {
        const document = toDocumentOf(path);
        return document?.collection === collection.name ? [{ path, slug: document.slug }] : [];
      });
      if (own.length === 0) continue;
      const query = new URLSearchParams({ 'filter[slug][in]': own.map(({ slug }) => slug).join(','), limit: '50' });
      const url = `/api/cms/${encodeURIComponent(collection.name)}?${query}`;
      request<{ documents: readonly StoredDocument[] }>('GET', url, { signal: stop.signal }).then(
        ({ data: { documents } }) => {
          const found = new Map(documents.map((one) => [one.slug, titleOf(one.data, one.slug, collection)]));
          setTitles((before) => {
            const next = new Map(before);
            for (const { path, slug } of own) {
              const title = found.get(slug);
              if (title === undefined) next.delete(path);
              else next.set(path, title);
            }
            return next;
          });
          for (const { path, slug } of own) {
            if (key !== undefined && !found.has(slug)) change(key, (before) => forget(before, path));
          }
        },
        // Offline they stay as they were, and the screen says what is wrong.
        () => undefined,
      );
    }
    return () => stop.abort();
  }, [manifest]);
  return titles;
}
