import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { ApiError } from '../../api/client.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { type CollectionInfo, titleOf } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { useKeys } from '../../shell/use-keys.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { AddTags } from '../../ui/add-tags.tsx';
import { Failures } from '../../ui/failures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { countSelected, EVERYTHING, isSelected, NOTHING, select, unselect } from '../../ui/selection.ts';
import { type SelectionAction, SelectionBar } from '../../ui/selection-bar.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import type { BulkAction } from './bulk-actions.ts';
import { collect, exportDocuments } from './collect.ts';
import { firstColumns, listColumns, titleKeyOf } from './columns.ts';
import { DeleteQuestion } from './delete-question.tsx';
import { downloadJson } from './download.ts';
import { type ListFacets, toFacetsUrl } from './facets.ts';
import { Grid } from './grid.tsx';
import { HiddenNew } from './hidden-new.tsx';
import { ListBar } from './list-bar.tsx';
import { isFiltered, type ListState, parseListState, toSearch } from './list-query.ts';
import { ACTION_KINDS, countOffers, isPossible } from './possible.ts';
import type { ListDocument } from './row-pages.ts';
import { type DocumentSelection, refreshSelection, type SelectedDocument } from './selection.ts';
import { useBulk } from './use-bulk.ts';
import { useChosenColumns } from './use-chosen-columns.ts';
import { useRows } from './use-rows.ts';

export interface CollectionScreenProps {
  collection: CollectionInfo;
  locales: readonly string[];
  defaultLocale: string | null;
}

export function CollectionScreen({ collection, locales, defaultLocale }: CollectionScreenProps) {
  const { session, request } = useAdmin();
  const { url, path } = useLocation();
  const navigate = useNavigate();
  const { name, label } = collection;
  const searched = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const state = useMemo(() => parseListState(searched, collection), [searched]);
  // Typing is reported a moment later, when another part of the address may be newer than what is drawn.
  const change = (part: Partial<ListState>): void =>
    navigate(path + toSearch({ ...parseListState(location.search, collection), ...part }, collection), true);

  const columns = useMemo(() => listColumns(collection, locales.length > 1), [collection, locales]);
  const [shown, choose] = useChosenColumns(name, firstColumns(collection, columns));
  const shownColumns = columns.filter(({ key }) => shown.includes(key));
  const titleKey = titleKeyOf(collection);
  const fields = [...new Set([titleKey, ...shownColumns.map(({ field }) => field?.name)])].filter(
    (one) => one !== undefined,
  );
  const { pages, isOld } = useRows(name, state, fields);
  const total = pages.total.value;
  const error = pages.error.value;

  const facets = useFacets(toFacetsUrl(name, state));
  const allTags = useFacets(toFacetsUrl(name, { ...state, tag: '' }));
  const hasTags = collection.fields.some((field) => field.name === 'tags' && field.type === 'tags');
  const mayWrite = session.may('content:draft');

  const [selection, setSelection] = useState<DocumentSelection>(NOTHING);
  const [isTagging, setTagging] = useState(false);
  const anchor = useRef<number | undefined>(undefined);
  const found = toSearch({ ...state, sort: '', order: 'asc' }, collection);
  // What was selected by a query is not what another one finds.
  useEffect(() => setSelection((now) => (now.kind === 'query' ? NOTHING : now)), [found]);
  const bulk = useBulk(
    name,
    () => pages.refresh(),
    (ids) => setSelection((now) => unselect(now, ids)),
  );
  // A selected document changes as others do: what can be done with it is that of now.
  useEffect(
    () => pages.version.subscribe(() => setSelection((now) => refreshSelection(now, pages.known().map(toSelected)))),
    [pages],
  );
  const count = countSelected(selection, total ?? 0);

  const newPath = toDocumentPath(name, 'new');
  const search = useRef<HTMLInputElement>(null);
  const panelId = useId();
  useKeys({
    '/': () => search.current?.focus(),
    n: () => mayWrite && navigate(newPath),
    Escape: () => setSelection(NOTHING),
  });
  const titleOfRow = (document: ListDocument): string => titleOf(document.data, document.slug, collection);
  const toSelected = (document: ListDocument): SelectedDocument => ({ ...document, title: titleOfRow(document) });

  async function toggle(index: number, isRange: boolean): Promise<void> {
    const document = pages.at(index);
    if (!document) return;
    const from = anchor.current;
    anchor.current = index;
    if (!isRange || from === undefined) {
      setSelection((now) => select(now, [toSelected(document)], !isSelected(now, document.id)));
      return;
    }
    const range = await pages.range(Math.min(from, index), Math.max(from, index) + 1);
    setSelection((now) => select(now, range.map(toSelected), true));
  }

  const find = (signal: AbortSignal) =>
    collect(selection, {
      request,
      collection: name,
      state,
      signal,
      titleOf: titleOfRow,
      fields: titleKey ? [titleKey] : [],
    });

  const run = (action: BulkAction): void =>
    void bulk.run(action, async (signal) =>
      (await find(signal)).filter((one) => isPossible(action.kind, one, session.may)),
    );
  const offers = countOffers(selection, { state, facets, may: session.may });
  const actions: SelectionAction[] = ACTION_KINDS.filter((kind) => offers.has(kind) && (kind !== 'tag' || hasTags)).map(
    (kind) => ({
      label: t(`bulk.${kind}`),
      possible: offers.get(kind),
      run: () => {
        if (kind === 'tag') setTagging(true);
        else run(kind === 'delete' ? { kind, ifUnreferenced: true } : { kind });
      },
    }),
  );

  const exportSelected = () =>
    bulk.follow(t('bulk.export'), async ({ signal, begin, onProgress }) => {
      const documents = await find(signal);
      begin(documents.length);
      downloadJson(`${name}.json`, await exportDocuments(documents, { request, collection: name, signal }, onProgress));
    });

  return (
    <Screen heading={label}>
      <div class="list-screen">
        <div class="list-head">
          {collection.description && <p class="help">{collection.description}</p>}
          {mayWrite && (
            <a class="button primary" href={newPath} aria-keyshortcuts="n">
              <Icon name="plus" />
              <span>{t('list.new')}</span>
            </a>
          )}
        </div>
        <ListBar
          {...{ label, state, facets, locales, hasTags, columns, shown, panelId }}
          tags={allTags?.tags ?? []}
          sorts={[
            { key: titleKey ?? 'slug', label: t('list.title') },
            ...columns.flatMap((one) => (one.sort ? [{ key: one.sort, label: one.label }] : [])),
          ]}
          searchRef={search}
          onChange={change}
          onColumns={choose}
        />
        <HiddenNew collection={name} state={state} onClear={() => change(CLEARED)} />
        <Failures
          title={t('bulk.failed', { count: bulk.failures.length })}
          failures={bulk.failures.map(({ document: { id, slug, title }, reason }) => ({
            ...{ id, title, reason, href: toDocumentPath(name, slug) },
          }))}
          onClose={bulk.forgetFailures}
        />
        <div class="list-panel" role="tabpanel" id={panelId} aria-labelledby={`${panelId}-${state.status}`}>
          {error !== undefined && <ListFailed error={error} onRetry={pages.refresh} />}
          {total === undefined && error === undefined && <Loading lines={8} />}
          {total !== undefined && (
            <Grid
              {...{ collection, pages, total, state, titleKey, defaultLocale, selection }}
              isBusy={isOld}
              columns={shownColumns}
              address={path + searched}
              onSort={(sort) => change({ sort, order: state.sort === sort && state.order === 'asc' ? 'desc' : 'asc' })}
              onToggle={(index, isRange) => void toggle(index, isRange)}
            />
          )}
          {total === 0 && error === undefined && (
            <Nothing {...{ collection, state, mayWrite, newPath }} onClear={() => change(CLEARED)} />
          )}
        </div>
        {(count > 0 || bulk.job) && (
          <SelectionBar
            {...{ count, total }}
            actions={[...actions, { label: t('bulk.export'), run: () => void exportSelected() }]}
            job={bulk.job}
            onSelectAll={() => setSelection(EVERYTHING)}
            onClear={() => setSelection(NOTHING)}
          />
        )}
        {bulk.question && (
          <DeleteQuestion
            question={bulk.question}
            onDelete={(documents, ifUnreferenced) => {
              bulk.answer();
              void bulk.run({ kind: 'delete', ifUnreferenced }, async () => documents, true);
            }}
            onClose={bulk.answer}
          />
        )}
        {isTagging && (
          <AddTags
            help={t('bulk.tagHelp', { count: offers.get('tag') ?? count })}
            known={allTags?.tags.map(({ value }) => value) ?? []}
            onClose={() => setTagging(false)}
            onAdd={(tags) => {
              setTagging(false);
              run({ kind: 'tag', tags });
            }}
          />
        )}
      </div>
    </Screen>
  );
}

const CLEARED = { q: '', locale: '', tag: '', status: 'all' } as const;

/** Counts of another question stay until those of this one are there. */
function useFacets(url: string): ListFacets | undefined {
  const { state } = useResource<ListFacets>(url);
  const last = useRef<ListFacets | undefined>(undefined);
  if (state.kind === 'ready') last.current = state.data;
  return last.current;
}

function ListFailed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const seconds = error instanceof ApiError && error.status === 503 ? (error.retryAfter ?? 2) : undefined;
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const timer = setTimeout(onRetry, seconds * 1000);
    return () => clearTimeout(timer);
  }, [error]);
  if (seconds === undefined) return <Failed error={error} onRetry={onRetry} />;
  return <p class="empty">{t('list.indexing')}</p>;
}

interface NothingProps {
  collection: CollectionInfo;
  state: ListState;
  mayWrite: boolean;
  newPath: string;
  onClear(): void;
}

function Nothing({ collection: { label }, state, mayWrite, newPath, onClear }: NothingProps) {
  if (isFiltered(state) || state.status !== 'all') {
    return (
      <div class="nothing">
        <p>{t('list.noneFound')}</p>
        <button type="button" onClick={onClear}>
          {t('list.clear')}
        </button>
      </div>
    );
  }
  return (
    <div class="nothing">
      <Icon name="posts" />
      <p>{t('list.empty', { label })}</p>
      {mayWrite && (
        <a class="button" href={newPath}>
          {t('list.first')}
        </a>
      )}
    </div>
  );
}
