// What the service finds for the words in the palette, a moment after one stops typing.
import { useEffect, useState } from 'preact/hooks';
import { type SearchResult, toResultPath } from '../screens/search/result-path.ts';
import { t } from '../text/translate.ts';
import { useAdmin } from './admin.ts';
import type { PaletteOption } from './match-options.ts';

const TYPING_MS = 150;
const MOST = 8;

/** Nothing while it is not known, or if the user may not read. */
export function useFound(query: string, navigate: (path: string) => void): readonly PaletteOption[] {
  const { request, session } = useAdmin();
  const [results, setResults] = useState<readonly SearchResult[]>([]);
  const q = query.trim();
  const isAsked = q !== '' && session.may('content:read');
  useEffect(() => {
    if (!isAsked) return setResults([]);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const url = `/api/search?q=${encodeURIComponent(q)}&status=all&limit=${MOST}`;
      request<readonly SearchResult[]>('GET', url, { signal: stop.signal }).then(
        ({ data }) => setResults(data),
        // The commands are there without it, and the screen of the search says what is wrong.
        () => setResults([]),
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [q, isAsked]);
  if (!isAsked) return [];
  return [
    ...results.map((result) => ({
      kind: result.collection === 'media' ? t('media.title') : result.collectionLabel,
      label: result.title || result.slug,
      path: toResultPath(result),
    })),
    { kind: t('search.title'), label: t('search.all', { query: q }), path: `/admin/search?q=${encodeURIComponent(q)}` },
  ].map(({ path, ...option }) => ({ ...option, id: path, run: () => navigate(path) }));
}
