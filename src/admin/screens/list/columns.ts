// The columns of a list: which there are, which are shown at first, and what stands in a cell. Pure.
import { type CollectionInfo, type FieldInfo, labelOf } from '../../config/manifest.ts';
import { toLanguage } from '../../text/languages.ts';
import { toDateFormat, toNumber } from '../../text/reader.ts';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import type { ListDocument } from './row-pages.ts';

const day = toDateFormat({ dateStyle: 'medium', timeZone: 'UTC' });

export interface Column {
  /** A key of the document, or of its data. */
  key: string;
  label: string;
  /** Undefined for a key of the document itself. */
  field?: FieldInfo;
  /** What the API sorts by; undefined for what has no order. */
  sort?: string;
}

const OWN_KEYS = ['status', 'locale', 'slug', 'publishAt', 'createdAt', 'updatedAt'] as const;
type OwnKey = (typeof OWN_KEYS)[number];

const LABELS = {
  status: 'list.status',
  locale: 'list.locale',
  slug: 'list.slug',
  publishAt: 'list.publishAt',
  createdAt: 'list.createdAt',
  updatedAt: 'list.updatedAt',
} as const;

/** Types whose values fit into a cell. */
const SHOWN = new Set([
  'text',
  'email',
  'url',
  'color',
  'number',
  'date',
  'boolean',
  'select',
  'tags',
  'relation',
  'form',
]);
const SORTED = new Set(['text', 'email', 'url', 'color', 'number', 'date', 'boolean', 'select']);

/** Everything that a list of this collection can show beside the title. */
export function listColumns(collection: CollectionInfo, hasLocales: boolean): Column[] {
  const title = titleKeyOf(collection);
  const own: Column[] = OWN_KEYS.filter((key) => key !== 'locale' || hasLocales).map((key) => ({
    key,
    label: t(LABELS[key]),
    sort: key,
  }));
  const fields = collection.fields
    .filter(({ name, type }) => SHOWN.has(type) && name !== title && !isOwnKey(name))
    .map((field) => ({
      ...{ key: field.name, label: labelOf(field), field },
      ...(SORTED.has(field.type) && !field.multiple ? { sort: field.name } : {}),
    }));
  return [...own.slice(0, 1), ...fields, ...own.slice(1)];
}

function isOwnKey(key: string): key is OwnKey {
  return (OWN_KEYS as readonly string[]).includes(key);
}

/** The field that a title is made of; undefined for a collection that has none. */
export function titleKeyOf({ ui, fields }: CollectionInfo): string | undefined {
  const names = [ui?.titleField, 'title', 'name'];
  return names.find((name) => name !== undefined && fields.some((field) => field.name === name));
}

/** Those that the configuration names, or else the status, the tags and the last change. */
export function firstColumns({ ui, fields }: CollectionInfo, columns: readonly Column[]): string[] {
  const known = new Set(columns.map(({ key }) => key));
  const byHint = ui?.columns?.filter((key) => known.has(key)) ?? [];
  if (byHint.length > 0) return byHint;
  const tags = fields.filter(({ type }) => type === 'tags').map(({ name }) => name);
  return ['status', ...tags.slice(0, 1), 'locale', 'updatedAt'].filter((key) => known.has(key));
}

const WIDTHS: Readonly<Record<string, string>> = {
  status: 'minmax(8.5rem, 0.8fr)',
  locale: 'minmax(6rem, 0.5fr)',
  tags: 'minmax(9rem, 1.2fr)',
  publishAt: 'minmax(9rem, 1fr)',
  createdAt: 'minmax(9rem, 1fr)',
  updatedAt: 'minmax(9rem, 1fr)',
  number: 'minmax(6rem, 0.5fr)',
  boolean: 'minmax(6rem, 0.5fr)',
};

/** The widths of the columns beside the title, as the style sheet wants them. */
export function toTemplate(columns: readonly Column[]): string {
  return columns.map(({ key, field }) => WIDTHS[field?.type ?? key] ?? 'minmax(8rem, 1fr)').join(' ');
}

export interface CellText {
  text: string;
  /** The same in full, where the text is shortened. */
  title?: string;
  parts?: readonly string[];
}

export interface CellParts {
  /** The present. */
  nowMs: number;
  /** The locale of a document that names none. */
  defaultLocale: string | null;
  /** The title of a document that a relation names; undefined while it is not known. */
  titleOf(collection: string, slug: string): string | undefined;
}

/** What stands in a cell. */
export function toCell(doc: ListDocument, { key, field }: Column, parts: CellParts): CellText {
  const { nowMs, defaultLocale, titleOf } = parts;
  const value = field ? doc.data[field.name] : doc[key as keyof ListDocument];
  if (key === 'locale' && !field) return { text: toLanguage(String(value ?? defaultLocale ?? '')) };
  if (value === undefined || value === null || value === '') return { text: '' };
  const isTime = key === 'createdAt' || key === 'updatedAt' || key === 'publishAt';
  if (typeof value === 'string' && (isTime || field?.type === 'date')) return toTime(value, isTime, nowMs);
  if (typeof value === 'boolean') return { text: t(value ? 'list.yes' : 'list.no') };
  if (typeof value === 'number' && !field?.options) return { text: toNumber(value) };
  if (Array.isArray(value)) {
    const words = value.map((one) => toWord(one, field, titleOf));
    return { text: words.join(', '), parts: words };
  }
  return { text: toWord(value, field, titleOf) };
}

function toTime(value: string, isTime: boolean, nowMs: number): CellText {
  if (Number.isNaN(Date.parse(value))) return { text: value };
  // A day without a time is the same day everywhere.
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return { text: day().format(new Date(value)) };
  }
  return isTime ? { text: toRelative(value, nowMs), title: toExact(value) } : { text: toExact(value) };
}

function toWord(value: unknown, field: FieldInfo | undefined, titleOf: CellParts['titleOf']): string {
  if (field?.type === 'relation' && typeof value === 'string') return titleOf(field.collection ?? '', value) ?? value;
  const option = field?.options?.find((one) => typeof one === 'object' && one.value === value);
  if (typeof option === 'object') return option.label;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
