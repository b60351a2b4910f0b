import type { Answer } from '../../api/answer.ts';
import type { Manifest } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { SelectFilter } from '../../ui/select-field.tsx';
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
      <SelectFilter
        label={t('activity.who')}
        value={query.who}
        options={[
          { value: '', label: t('activity.everyone') },
          ...(query.who && !isKnown ? [{ value: query.who, label: query.who }] : []),
          ...persons.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(who) => set({ who })}
      />
      <SelectFilter
        label={t('activity.kind')}
        value={query.kind}
        options={[
          { value: '', label: t('activity.everything') },
          ...kinds.map((kind) => ({ value: kind, label: t(`activity.kind.${kind || 'documents'}`) })),
        ]}
        onChange={(chosen) => {
          const kind = chosen as ActivityKind;
          // Only documents are in collections.
          set({ kind, collection: kind === '' || kind === 'documents' ? query.collection : '' });
        }}
      />
      {(query.kind === '' || query.kind === 'documents') && (
        <SelectFilter
          label={t('activity.collection')}
          value={query.collection}
          options={[
            { value: '', label: t('activity.allCollections') },
            ...(manifest?.collections ?? []).map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={(collection) => set({ collection })}
        />
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
