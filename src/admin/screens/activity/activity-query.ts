// What the list of activity shows, as its address says it and as the API is asked for it. Pure.

/** First words of actions of the audit, those about people last: only who manages the team sees them. */
export const AUDIT_KINDS = [
  'settings',
  'backup',
  'repository',
  'remote',
  'deploy',
  'form',
  'submission',
  'agent',
  'mcp',
  'calendar',
  'audit',
  'site',
] as const;
export const TEAM_KINDS = ['user', 'session', 'token'] as const;

export type ActivityKind = '' | 'documents' | 'media' | (typeof AUDIT_KINDS)[number] | (typeof TEAM_KINDS)[number];

export interface ActivityQuery {
  kind: ActivityKind;
  /** The id of a user; empty for everyone. */
  who: string;
  /** Empty for all. */
  collection: string;
  /** Days as `YYYY-MM-DD`, both inclusive, in the reader's time zone; empty without a limit. */
  from: string;
  to: string;
}

export const EVERYTHING: ActivityQuery = { kind: '', who: '', collection: '', from: '', to: '' };

const KINDS: readonly string[] = ['', 'documents', 'media', ...AUDIT_KINDS, ...TEAM_KINDS];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function parseActivity(search: string): ActivityQuery {
  const params = new URLSearchParams(search);
  const kind = params.get('kind') ?? '';
  const dayOf = (name: string): string => {
    const day = params.get(name) ?? '';
    return DAY.test(day) && !Number.isNaN(Date.parse(day)) ? day : '';
  };
  return {
    kind: KINDS.includes(kind) ? (kind as ActivityKind) : '',
    who: params.get('who') ?? '',
    collection: params.get('collection') ?? '',
    from: dayOf('from'),
    to: dayOf('to'),
  };
}

export function toActivityPath(query: ActivityQuery): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== '') params.set(name, value);
  const search = params.toString();
  return search === '' ? '/admin/activity' : `/admin/activity?${search}`;
}

export function isFiltered(query: ActivityQuery): boolean {
  return Object.values(query).some((value) => value !== '');
}

/** The moments of the first and of the last day, the latter being the midnight after it. */
function momentsOf({ from, to }: ActivityQuery): Record<string, string> {
  const at = (day: string, days: number): string => {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return new Date(year, month - 1, date + days).toISOString();
  };
  return { ...(from ? { from: at(from, 0) } : {}), ...(to ? { to: at(to, 1) } : {}) };
}

/** The address of changes; undefined if none fit. */
export function toChangesUrl(query: ActivityQuery, limit: number): string | undefined {
  const { kind, who, collection } = query;
  if (kind !== '' && kind !== 'documents' && kind !== 'media') return undefined;
  if (kind === 'media' && collection !== '') return undefined;
  const wanted = kind === 'media' ? 'media' : collection;
  return `/api/cms/changes?${new URLSearchParams({
    ...{ order: 'desc', limit: String(limit) },
    ...(wanted ? { collection: wanted } : {}),
    ...(who ? { user: who } : {}),
    ...momentsOf(query),
  })}`;
}

/** The address of the audit, without its offset; undefined if no entry fits. */
export function toAuditUrl(query: ActivityQuery, limit: number): string | undefined {
  const { kind, who, collection } = query;
  if (collection !== '' || kind === 'documents' || kind === 'media') return undefined;
  return `/api/admin/audit?${new URLSearchParams({
    limit: String(limit),
    ...(kind ? { action: `${kind}.` } : {}),
    ...(who ? { user: who } : {}),
    ...momentsOf(query),
  })}`;
}
