// Everything that a few words find: documents of all collections, and files.
import '../../text/en-lists.ts';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAdmin } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useKeys } from '../../shell/use-keys.ts';
import { useMore } from '../../shell/use-more.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { type SearchResult, toResultPath } from './result-path.ts';

export default function Search() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <SearchScreen />;
}

function SearchScreen() {
  const { url, query } = useLocation();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const q = (query.q ?? '').trim();
  const found = useMore(
    q ? `/api/search?q=${encodeURIComponent(q)}&status=all` : undefined,
    (data: SearchResult[]) => data,
  );
  useKeys({ '/': () => input.current?.focus() });
  useEffect(() => {
    if (!q) input.current?.focus();
  }, [url]);
  const search = (text: string): void =>
    navigate(text ? `/admin/search?q=${encodeURIComponent(text)}` : '/admin/search', true);
  const results = found.items;
  return (
    <Screen heading={t('search.title')}>
      <div class="narrow">
        <SearchField label={t('search.box')} value={q} inputRef={input} onSearch={search} />
        {!q && <p class="empty">{t('search.begin')}</p>}
        {q && found.error !== undefined && <Failed error={found.error} onRetry={found.reload} />}
        {q && results === undefined && found.error === undefined && <Loading />}
        {q && results?.length === 0 && (
          <div class="nothing">
            <p>{t('palette.none', { query: q })}</p>
            <button type="button" onClick={() => search('')}>
              {t('search.clear')}
            </button>
          </div>
        )}
        {!(q && results === undefined) && (
          <ul class="rows results" aria-label={t('search.results')}>
            {results?.map((result) => (
              <li key={`${result.collection}/${result.slug}`}>
                <a class="row-title" href={toResultPath(result)}>
                  <bdi>{result.title || result.slug}</bdi>
                </a>
                <span class="help">
                  <bdi>{result.collection === 'media' ? t('media.title') : result.collectionLabel}</bdi>
                  {result.collection !== 'media' && isStatus(result.status) && (
                    <StatusMark document={{ status: result.status }} />
                  )}
                  {result.matchedIn === 'body' && t('search.inBody')}
                </span>
              </li>
            ))}
          </ul>
        )}
        {q && results !== undefined && !found.isDone && (
          <button type="button" onClick={found.more}>
            {t('media.more')}
          </button>
        )}
      </div>
    </Screen>
  );
}

function isStatus(status: string): status is 'draft' | 'published' | 'archived' {
  return status === 'draft' || status === 'published' || status === 'archived';
}
