// Above the list: search, the tabs of the status, filters, and which columns are shown.
import type { Ref } from 'preact';
import { useRef } from 'preact/hooks';
import { toLanguage } from '../../text/languages.ts';
import { toNumber } from '../../text/reader.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Popover } from '../../ui/popover.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import type { Column } from './columns.ts';
import type { ListFacets } from './facets.ts';
import { type ListState, type StatusTab, TABS } from './list-query.ts';

export interface ListBarProps {
  label: string;
  state: ListState;
  facets: ListFacets | undefined;
  /** All of them, whichever is chosen. */
  tags: ListFacets['tags'];
  locales: readonly string[];
  hasTags: boolean;
  columns: readonly Column[];
  shown: readonly string[];
  sorts: readonly { key: string; label: string }[];
  searchRef: Ref<HTMLInputElement>;
  panelId: string;
  onChange(part: Partial<ListState>): void;
  onColumns(shown: readonly string[]): void;
}

export function ListBar(props: ListBarProps) {
  const { state, tags, locales, hasTags, columns, shown, onChange, onColumns } = props;
  return (
    <div class="list-bar">
      <SearchField
        label={t('list.search', { label: props.label })}
        value={state.q}
        inputRef={props.searchRef}
        onSearch={(q) => onChange({ q })}
      />
      <StatusTabs {...props} />
      <div class="list-filters">
        {locales.length > 1 && (
          <select
            aria-label={t('list.locale')}
            value={state.locale}
            onChange={({ currentTarget }) => onChange({ locale: currentTarget.value })}
          >
            <option value="">{t('list.allLocales')}</option>
            {locales.map((locale) => (
              <option key={locale} value={locale}>
                {toLanguage(locale)}
              </option>
            ))}
            {locales.map((locale) => (
              <option key={locale} value={`!${locale}`}>
                {t('list.missing', { language: toLanguage(locale) })}
              </option>
            ))}
          </select>
        )}
        {hasTags && (
          <select
            aria-label={t('list.tag')}
            value={state.tag}
            onChange={({ currentTarget }) => onChange({ tag: currentTarget.value })}
          >
            <option value="">{t('list.allTags')}</option>
            {state.tag && !tags.some(({ value }) => value === state.tag) && (
              <option value={state.tag}>{state.tag}</option>
            )}
            {tags.map(({ value, count }) => (
              <option key={value} value={value}>
                {t('list.tagCount', { tag: value, number: count })}
              </option>
            ))}
          </select>
        )}
        <SortChoice {...props} />
        <Popover
          label={
            <>
              <Icon name="columns" />
              {t('list.columns')}
            </>
          }
          title={t('list.columns')}
        >
          {columns.map(({ key, label }) => (
            <label class="column-choice" key={key}>
              <input
                type="checkbox"
                checked={shown.includes(key)}
                onChange={({ currentTarget: { checked } }) => {
                  const next = columns
                    .map((one) => one.key)
                    .filter((one) => (one === key ? checked : shown.includes(one)));
                  onColumns(next);
                }}
              />
              <bdi>{label}</bdi>
            </label>
          ))}
        </Popover>
      </div>
    </div>
  );
}

function countOf(tab: StatusTab, facets: ListFacets | undefined): number | undefined {
  if (!facets) return undefined;
  if (tab === 'all') return facets.total;
  return tab === 'scheduled' ? facets.scheduled : (facets.status[tab] ?? 0);
}

function StatusTabs({ state, facets, panelId, onChange }: ListBarProps) {
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const at = TABS.indexOf(state.status);
    const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (step === undefined) return;
    const isMirrored = getComputedStyle(event.currentTarget as Element).direction === 'rtl';
    const isStep = event.key.startsWith('Arrow');
    const next = (((isMirrored && isStep ? 2 * at - step : step) % TABS.length) + TABS.length) % TABS.length;
    event.preventDefault();
    onChange({ status: TABS[next]! });
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  }

  return (
    <div class="tabs" role="tablist" aria-label={t('list.status')} ref={list} onKeyDown={onKeyDown}>
      {TABS.map((tab) => {
        const count = countOf(tab, facets);
        return (
          <button
            type="button"
            role="tab"
            key={tab}
            id={`${panelId}-${tab}`}
            aria-selected={state.status === tab}
            aria-controls={panelId}
            aria-description={count === undefined ? undefined : t('list.count', { count })}
            tabIndex={state.status === tab ? 0 : -1}
            onClick={() => onChange({ status: tab })}
          >
            {t(`status.${tab}`)}
            {count !== undefined && (
              <span class="tab-count" aria-hidden="true">
                {toNumber(count)}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}

/** On a phone, which shows no header. */
function SortChoice({ state, sorts, onChange }: ListBarProps) {
  return (
    <select
      class="sort-choice"
      aria-label={t('list.sort')}
      value={`${state.sort} ${state.order}`}
      onChange={({ currentTarget }) => {
        const [sort = '', order] = currentTarget.value.split(' ');
        onChange({ sort, order: order === 'asc' ? 'asc' : 'desc' });
      }}
    >
      {sorts.flatMap(({ key, label }) =>
        (['asc', 'desc'] as const).map((order) => (
          <option key={`${key} ${order}`} value={`${key} ${order}`}>
            {t(order === 'asc' ? 'list.ascending' : 'list.descending', { label })}
          </option>
        )),
      )}
    </select>
  );
}
