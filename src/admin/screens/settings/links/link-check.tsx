// The link check: begun here or by its schedule, followed while it runs, with the links that lead nowhere.
import { useMemo, useRef, useState } from 'preact/hooks';
import { type CollectionInfo, MANIFEST_URL, type Manifest } from '../../../config/manifest.ts';
import { type TitlesAnswer, toTitles } from '../../../config/titles.ts';
import { useAdmin, useResource } from '../../../shell/admin.ts';
import { toExact, toRelative } from '../../../text/times.ts';
import { t } from '../../../text/translate.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { SelectFilter } from '../../../ui/select-field.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { BrokenLinks } from './broken-links.tsx';
import {
  byDocument,
  type FindTitle,
  type LinkFilter,
  type ShownLinkProgress,
  type ShownLinkReport,
  shareOf,
  toTitleUrls,
} from './link-report.ts';
import { useLinkCheck } from './use-link-check.ts';

const NO_FILTER: LinkFilter = { kind: '', words: '' };

export function LinkCheck() {
  const { session } = useAdmin();
  const { state, refresh, progress, isRunning, start } = useLinkCheck();
  return (
    <section class="link-check" aria-label={t('links.report')}>
      <h3>{t('links.report')}</h3>
      {session.may('content:write') && (
        <div class="buttons">
          <button type="button" class="primary" aria-disabled={isRunning} onClick={() => !isRunning && void start()}>
            {t('links.start')}
          </button>
        </div>
      )}
      {isRunning && <Progress progress={progress} />}
      <Loaded state={state} onRetry={refresh}>
        {({ report }) =>
          report === null ? <p class="empty">{isRunning ? '' : t('links.never')}</p> : <Report report={report} />
        }
      </Loaded>
    </section>
  );
}

function Progress({ progress }: { progress: ShownLinkProgress | undefined }) {
  const share = progress && shareOf(progress);
  return (
    <div class="link-progress">
      <progress aria-label={t('links.progress')} max={1} {...(share === undefined ? {} : { value: share })} />
      <p class="help">
        {progress === undefined || progress.due === null
          ? t('links.reading', { count: progress?.documents ?? 0 })
          : t('links.asking', { count: progress.asked, due: progress.due })}
      </p>
    </div>
  );
}

function Report({ report }: { report: ShownLinkReport }) {
  const { now } = useAdmin();
  const manifest = useResource<Manifest>(MANIFEST_URL);
  const [filter, setFilter] = useState(NO_FILTER);
  const search = useRef<HTMLInputElement>(null);
  const collections = manifest.state.kind === 'ready' ? manifest.state.data.collections : [];
  const findTitle = useTitles(report, collections);
  const found = byDocument(report, filter, findTitle);
  return (
    <>
      <p>
        <time datetime={report.finishedAt} title={toExact(report.finishedAt)}>
          {t('links.checked', { when: toRelative(report.finishedAt, now().getTime()) })}
        </time>{' '}
        {t('links.counted', { count: report.links })}{' '}
        <strong>{report.brokenTotal === 0 ? t('links.fine') : t('links.broken', { count: report.brokenTotal })}</strong>
      </p>
      {!report.isComplete && <p class="help">{t('links.incomplete', { count: report.skipped })}</p>}
      {report.unsure > 0 && <p class="help">{t('links.unsure', { count: report.unsure })}</p>}
      {report.broken.length < report.brokenTotal && (
        <p class="help">{t('links.first', { count: report.broken.length })}</p>
      )}
      {report.broken.length > 0 && (
        <>
          <div class="filters">
            <SearchField
              label={t('links.search')}
              value={filter.words}
              inputRef={search}
              onSearch={(words) => setFilter({ ...filter, words })}
            />
            <SelectFilter
              label={t('links.kind')}
              value={filter.kind}
              options={[
                { value: '', label: t('deliveries.any') },
                { value: 'internal', label: t('links.internal') },
                { value: 'external', label: t('links.external') },
              ]}
              onChange={(kind) => setFilter({ ...filter, kind: kind as LinkFilter['kind'] })}
            />
          </div>
          {found.length === 0 ? (
            <div class="buttons">
              <p class="empty">{t('links.noneFound')}</p>
              <button
                type="button"
                onClick={() => {
                  setFilter(NO_FILTER);
                  search.current?.focus();
                  // A box that has the focus keeps its text.
                  if (search.current) search.current.value = '';
                }}
              >
                {t('links.clear')}
              </button>
            </div>
          ) : (
            <BrokenLinks {...{ found, collections, findTitle }} />
          )}
        </>
      )}
    </>
  );
}

/** Titles of the report's documents, each asked for once it is shown or searched for. */
function useTitles(report: ShownLinkReport, collections: readonly CollectionInfo[]): FindTitle {
  const { resources } = useAdmin();
  const urls = useMemo(() => toTitleUrls(byDocument(report, NO_FILTER)), [report]);
  const known = useMemo(() => new WeakMap<TitlesAnswer, ReadonlyMap<string, string>>(), [collections]);
  return (collection, slug) => {
    const info = collections.find(({ name }) => name === collection);
    const url = info && urls.get(`${collection}/${slug}`);
    if (url === undefined) return undefined;
    const { value } = resources.get<TitlesAnswer>(url).state;
    if (value.kind !== 'ready') return undefined;
    const titles = known.get(value.data) ?? toTitles(value.data, info!);
    known.set(value.data, titles);
    return titles.get(slug);
  };
}
