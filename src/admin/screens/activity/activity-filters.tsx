import type { Answer } from '../../api/answer.ts';
import type { Manifest } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import {
  type ActivityKind,
  type ActivityQuery,
  AUDIT_KINDS,
  EVERYTHING,
  isFiltered,
  TEAM_KINDS,
} from './activity-query.ts';

export interface ActivityFiltersProps {
  query: ActivityQuery;
  manifest: Manifest | undefined;
  mayReadAudit: boolean;
  onChange(query: ActivityQuery): void;
}

export function ActivityFilters({ query, manifest, mayReadAudit, onChange }: ActivityFiltersProps) {
  const { session } = useAdmin();
  const people = useResource<Answer<'/api/admin/people'>>('/api/admin/people');
  const persons = people.state.kind === 'ready' ? people.state.data.people : [];
  const kinds: ActivityKind[] = [
    'documents',
    'media',
    ...(mayReadAudit ? AUDIT_KINDS : []),
    ...(mayReadAudit && session.may('team:manage') ? TEAM_KINDS : []),
  ];
  const set = (part: Partial<ActivityQuery>): void => onChange({ ...query, ...part });
  const isKnown = persons.some(({ id }) => id === query.who);
  return (
    <search class="activity-filters" aria-label={t('activity.filters')}>
      <label>
        <span>{t('activity.who')}</span>
        <select value={query.who} onChange={({ currentTarget }) => set({ who: currentTarget.value })}>
          <option value="">{t('activity.everyone')}</option>
          {query.who && !isKnown && <option value={query.who}>{query.who}</option>}
          {persons.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('activity.kind')}</span>
        <select
          value={query.kind}
          onChange={({ currentTarget }) => {
            const kind = currentTarget.value as ActivityKind;
            // Only documents are in collections.
            set({ kind, collection: kind === '' || kind === 'documents' ? query.collection : '' });
          }}
        >
          <option value="">{t('activity.everything')}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`activity.kind.${kind || 'documents'}`)}
            </option>
          ))}
        </select>
      </label>
      {(query.kind === '' || query.kind === 'documents') && (
        <label>
          <span>{t('activity.collection')}</span>
          <select value={query.collection} onChange={({ currentTarget }) => set({ collection: currentTarget.value })}>
            <option value="">{t('activity.allCollections')}</option>
            {manifest?.collections.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          <span>{t(`activity.${end}`)}</span>
          <input
            type="date"
            value={query[end]}
            {...(end === 'to' && query.from ? { min: query.from } : {})}
            onChange={({ currentTarget }) => set({ [end]: currentTarget.value })}
          />
        </label>
      ))}
      {isFiltered(query) && (
        <button type="button" onClick={() => onChange(EVERYTHING)}>
          {t('activity.clear')}
        </button>
      )}
    </search>
  );
}
