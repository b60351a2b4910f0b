// What lists, links and addresses need of a document. The state of a build keeps these records, so that the files of
// unchanged documents are not read; the texts of a document itself are not in its record.
import type { CollectionConfig, FieldConfig, SiteConfig } from '../../../config/site-config.ts';
import type { Data, Status, StoredDocument } from '../../../content/document.ts';
import { isObject } from '../../../lib/json.ts';
import { withTime } from '../../../lib/time/date-time.ts';
import { richTextTexts } from '../../../schema/rich-text-texts.ts';
import { itemFields } from '../../../schema/texts.ts';

/** JSON only: the state file has it as it is. */
export interface SiteDocument {
  /** Path of its file in the repository, and the file's blob. */
  file: string;
  oid: string;
  id: string;
  collection: string;
  slug: string;
  status: Status;
  locale?: string;
  translationGroup?: string;
  translationOf?: string;
  createdAt: string;
  updatedAt: string;
  title: string;
  description: string;
  /** As it is stored; `time` is the same in milliseconds, for sorting. */
  date: string;
  time: number;
  tags: string[];
  image?: string;
  /** The documents that its relations name: `people/ines`. */
  points: string[];
  /** The values that its address depends on. */
  data: Record<string, unknown>;
}

export type ToSiteDocument = (file: string, oid: string, doc: StoredDocument) => SiteDocument;

interface CollectionReader {
  config: CollectionConfig;
  addressKeys: string[];
  images: FieldConfig[];
  richTexts: string[];
}

/** Fields that describe a document in one sentence, the first that has a value. */
const DESCRIPTIONS = ['description', 'summary', 'standfirst', 'excerpt'];
const DESCRIPTION_CHARACTERS = 160;
/** A description never needs more of a text than this. */
const READ_CHARACTERS = 1000;

export function createToSiteDocument(config: SiteConfig): ToSiteDocument {
  const blocks = new Map(config.blocks.map((block) => [block.name, block]));
  const readers = new Map(config.collections.map((collection) => [collection.name, toReader(collection)]));

  return (file, oid, doc) => {
    const reader = readers.get(doc.collection)!;
    const { data } = doc;
    const dated = toTime(data.date);
    const locale = doc.locale ?? config.defaultLocale;
    const points = new Set<string>();
    collectPoints(data, reader.config.fields, points);
    const image = imageOf(data, reader.images);
    return {
      file,
      oid,
      id: doc.id,
      collection: doc.collection,
      slug: doc.slug,
      status: doc.status,
      ...(locale === undefined ? {} : { locale }),
      ...(doc.translationGroup ? { translationGroup: doc.translationGroup } : {}),
      ...(doc.translationOf ? { translationOf: doc.translationOf } : {}),
      createdAt: doc.createdAt,
      updatedAt: doc.updatedAt,
      title: textOf(data.title) ?? textOf(data.name) ?? doc.slug,
      description: describe(data, reader.richTexts),
      date: dated === undefined ? doc.createdAt : (data.date as string),
      time: dated ?? Date.parse(doc.createdAt),
      tags: tagsOf(data.tags),
      ...(image === undefined ? {} : { image }),
      points: [...points],
      data: Object.fromEntries(
        reader.addressKeys.flatMap((key) => (Object.hasOwn(data, key) ? [[key, data[key]]] : [])),
      ),
    };
  };

  function collectPoints(value: object, fields: readonly FieldConfig[], into: Set<string>): void {
    for (const field of fields) {
      const found = (value as Data)[field.name];
      if (found === null || found === undefined) continue;
      if (field.type === 'relation' && field.collection !== undefined) {
        for (const slug of Array.isArray(found) ? found : [found]) {
          if (typeof slug === 'string' && slug !== '') into.add(`${field.collection}/${slug}`);
        }
      } else if (field.type === 'object' && isObject(found)) collectPoints(found, field.fields ?? [], into);
      else if ((field.type === 'array' || field.type === 'blocks') && Array.isArray(found)) {
        for (const item of found) if (isObject(item)) collectPoints(item, itemFields(item, field, blocks), into);
      }
    }
  }
}

function toReader(config: CollectionConfig): CollectionReader {
  const placeholders = [...(config.urlPattern ?? '').matchAll(/:([A-Za-z][A-Za-z0-9]*)/g)].map(([, name]) => name!);
  return {
    config,
    addressKeys: [...new Set(['date', ...placeholders, ...(config.parentField ? [config.parentField] : [])])],
    images: config.fields.filter(({ type }) => type === 'image' || type === 'image-gallery'),
    richTexts: config.fields.filter(({ type }) => type === 'richtext').map(({ name }) => name),
  };
}

/** Undefined if the value is not a date that every machine reads alike. */
function toTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:$|T.*(?:Z|[+-]\d\d:\d\d)$)/.test(value)) return undefined;
  const time = Date.parse(withTime(value));
  return Number.isNaN(time) ? undefined : time;
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function tagsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return [
    ...new Set(value.filter((tag) => typeof tag === 'string' && tag.trim() !== '').map((tag: string) => tag.trim())),
  ];
}

function imageOf(data: Data, fields: readonly FieldConfig[]): string | undefined {
  for (const { name } of fields) {
    const value = data[name];
    const first: unknown = Array.isArray(value) ? value[0] : value;
    const url = isObject(first) ? first.url : first;
    if (typeof url === 'string' && url !== '') return url;
  }
  return undefined;
}

function describe(data: Data, richTexts: readonly string[]): string {
  for (const name of DESCRIPTIONS) {
    const text = textOf(data[name]);
    if (text !== undefined) return text.replace(/\s+/g, ' ').trim();
  }
  for (const name of richTexts) {
    const value = data[name];
    const texts: string[] = [];
    if (typeof value === 'string') richTextTexts(value.slice(0, READ_CHARACTERS), texts);
    else if (isObject(value)) richTextTexts(value, texts);
    const text = texts.join(' ').slice(0, READ_CHARACTERS).replace(/\s+/g, ' ').trim();
    if (text !== '') return shorten(text, DESCRIPTION_CHARACTERS);
  }
  return '';
}

/** At most so many characters and an ellipsis, cut at a word if there is one in the second half. */
function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const space = text.lastIndexOf(' ', characters);
  const cut = text
    .slice(0, space > characters / 2 ? space : characters)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `${cut.replace(/[\s.,;:!?-]+$/, '')}…`;
}
