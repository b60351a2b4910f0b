// The site's configuration as the service gives it (`GET /api/manifest`), as far as screens are made from it.

export interface FieldUi {
  help?: string;
  placeholder?: string;
  width?: 'full' | 'half' | 'third' | 'quarter';
  tab?: string;
  showIf?: string | ShowIf;
  readOnly?: boolean;
  hidden?: boolean;
}

export interface ShowIf {
  field: string;
  equals?: string | number | boolean;
  in?: readonly (string | number | boolean)[];
  exists?: boolean;
}

export type FieldOption = string | number | { label: string; value: string | number };

export interface FieldInfo {
  name: string;
  type: string;
  label?: string;
  required?: boolean;
  defaultValue?: unknown;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
  options?: readonly FieldOption[];
  /** The collection that a relation points to. */
  collection?: string;
  multiple?: boolean;
  fields?: readonly FieldInfo[];
  /** The names of the blocks that are accepted; all if absent. */
  blocks?: readonly string[];
  aiLock?: { lockable?: boolean };
  unique?: boolean;
  pattern?: { value: string; message?: string };
  ui?: FieldUi;
}

export interface CollectionUi {
  icon?: string;
  singular?: string;
  titleField?: string;
  columns?: readonly string[];
  sort?: string | { orderBy: string; order?: 'asc' | 'desc' };
  group?: string;
}

export interface CollectionInfo {
  name: string;
  label: string;
  kind?: 'page' | 'snippet' | 'data' | 'form' | 'global';
  description?: string;
  urlPattern?: string;
  parentField?: string;
  fields: readonly FieldInfo[];
  translatable?: boolean;
  locales?: readonly string[];
  ui?: CollectionUi;
}

export interface BlockInfo {
  name: string;
  label: string;
  fields: readonly FieldInfo[];
}

export interface FormInfo {
  name: string;
  label?: string;
}

export interface Manifest {
  collections: readonly CollectionInfo[];
  blocks: readonly BlockInfo[];
  forms: readonly FormInfo[];
  defaultLocale: string | null;
  locales: readonly string[];
  build?: { profiles?: readonly { name: string; drafts?: boolean }[]; defaultProfile?: string };
  /** Undefined if the site has no AI provider. */
  ai?: { provider?: string; model?: string };
}

export const MANIFEST_URL = '/api/manifest';

export function labelOf({ label, name }: { label?: string; name: string }): string {
  return label ?? name;
}

/** What one document is called: "Post" of a collection that says so, or else its label. */
export function singularOf({ ui, label }: CollectionInfo): string {
  return ui?.singular ?? label;
}

/** The title of a document: its title field, `title`, `name`, or else its slug. */
export function titleOf(data: Readonly<Record<string, unknown>>, slug: string, { ui, fields }: CollectionInfo): string {
  const known = new Set(fields.map(({ name }) => name));
  for (const name of [ui?.titleField, 'title', 'name']) {
    const value = name === undefined || (name !== ui?.titleField && !known.has(name)) ? undefined : data[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return slug;
}
