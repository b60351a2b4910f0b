// Everything that templates see (src/build/theme/README.md), made once for a build and shared by its pages: pages are
// made one at a time, and the recorder knows which one it is.
import type { CollectionConfig, FieldConfig, SiteConfig } from '../../../config/site-config.ts';
import type { Data } from '../../../content/document.ts';
import { createBoundedMap } from '../../../lib/memory/bounded-map.ts';
import { type Lists, listText, pageOfList } from '../plan/lists.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { SiteMap } from '../plan/site-map.ts';
import type { SiteDocument } from '../read/site-document.ts';
import { createAlternates } from './alternates.ts';
import { DocumentDrop, type DropWorld } from './document-drop.ts';
import { FieldDrop } from './fields.ts';
import { labelOf, PageDrop } from './page-drop.ts';
import type { Recorder } from './recorder.ts';
import { createRelations } from './relations.ts';
import { createCollections, createGlobals, SiteDrop } from './site-drop.ts';

export interface ScopeParts {
  config: SiteConfig;
  site: SiteMap;
  lists: Lists;
  recorder: Recorder;
  siteName: string;
  siteUrl: string;
  hasSearch: boolean;
  isPreview: boolean;
  absoluteUrl(path: string): string;
  feedOf(locale: string): string | undefined;
  readData(doc: SiteDocument): Data;
  renderField(field: FieldConfig, value: unknown): unknown;
}

export interface PageScopes {
  /** The variables of a page's template. */
  scopeOf(page: PlannedPage): Record<string, unknown>;
}

/** Documents whose data are kept: pages near each other show the same ones. */
const DATA_KEPT = 1000;

export function createPageScopes(parts: ScopeParts): PageScopes {
  const { config, site, lists, recorder, siteName, isPreview, absoluteUrl } = parts;
  const collections = new Map(config.collections.map((collection) => [collection.name, collection]));
  const drops = new Map<string, DocumentDrop>();
  const data = createBoundedMap<string, { data: Data; fields?: FieldDrop[] }>(DATA_KEPT);
  const relations = createRelations(config, (collection, slug) => {
    recorder.note(`slug ${collection}/${slug}`);
    const doc = site.bySlug(collection, slug);
    return doc && dropOf(doc);
  });
  const world: DropWorld = { site, recorder, absoluteUrl, dropOf, dataOf: (doc) => read(doc).data, fieldsOf };

  function dropOf(doc: SiteDocument): DocumentDrop {
    const known = drops.get(doc.id);
    if (known) return known;
    const drop = new DocumentDrop(doc, world);
    drops.set(doc.id, drop);
    return drop;
  }

  function read(doc: SiteDocument): { data: Data; fields?: FieldDrop[] } {
    const known = data.get(doc.id);
    if (known) return known;
    const fresh = { data: relations.resolve(parts.readData(doc), collections.get(doc.collection)!.fields) };
    data.set(doc.id, fresh);
    return fresh;
  }

  function fieldsOf(doc: SiteDocument): FieldDrop[] {
    const kept = read(doc);
    return (kept.fields ??= shownFields(collections.get(doc.collection)!).map(
      (field) => new FieldDrop({ field, valueOf: () => kept.data[field.name], render: parts.renderField }),
    ));
  }

  const alternatesOf = createAlternates({ config, site, recorder, siteName, dropOf });

  const shared = new Map<string, Record<string, unknown>>();
  function sharedScope(locale: string): Record<string, unknown> {
    const known = shared.get(locale);
    if (known) return known;
    const facts = { ...parts, name: siteName, url: parts.siteUrl, dropOf };
    const made = {
      site: new SiteDrop(facts, locale),
      collections: createCollections(facts, locale),
      globals: createGlobals(facts, locale),
    };
    shared.set(locale, made);
    return made;
  }

  function paginate({ list, number = 1, path }: PlannedPage): Record<string, unknown> | undefined {
    if (!list) return undefined;
    recorder.note(`list ${listText(list)} ${number}`);
    const first = number === 1 ? path : path.replace(/page\/\d+\/$/, '');
    const pages = lists.pages(list);
    return {
      items: lists.slice(list, number).map(dropOf),
      number,
      pages,
      total: lists.documents(list).length,
      previous: number > 1 ? pageOfList(first, number - 1) : undefined,
      next: number < pages ? pageOfList(first, number + 1) : undefined,
    };
  }

  return {
    scopeOf(page) {
      const { list, locale } = page;
      const document = page.id === undefined ? undefined : dropOf(site.byId(page.id)!);
      const tag = list?.kind === 'tag' ? site.tags(locale).find(({ slug }) => slug === list.tag) : undefined;
      if (tag) recorder.note(`tagged ${locale} ${tag.slug}`);
      const collection = list?.kind === 'collection' ? collections.get(list.collection) : undefined;
      return {
        ...sharedScope(locale),
        page: new PageDrop({
          config,
          page,
          document,
          siteName,
          tagName: tag?.name,
          isPreview,
          absoluteUrl,
          alternates: () => alternatesOf(page),
        }),
        document,
        pagination: paginate(page),
        form: page.form,
        tag: tag && { name: tag.name, url: tag.url, count: tag.documents.length },
        collection: collection && {
          name: collection.name,
          label: labelOf(config, collection.name),
          description: collection.description ?? '',
          url: site.addresses.indexOf(collection.name, locale || undefined),
        },
      };
    },
  };
}

/** The title is the page's heading. */
function shownFields({ fields }: CollectionConfig): readonly FieldConfig[] {
  const title = fields.find(({ name }) => name === 'title') ?? fields.find(({ name }) => name === 'name');
  return fields.filter((field) => field !== title);
}
