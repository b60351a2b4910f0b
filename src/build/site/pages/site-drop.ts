// `site`, `collections` and `globals` as templates of one locale see them.
import type { SiteConfig } from '../../../config/site-config.ts';
import { toLabel } from '../../../schema/label.ts';
import { Drop } from '../../theme/drop.ts';
import { isCollectionPage } from '../plan/collection-pages.ts';
import type { SiteMap } from '../plan/site-map.ts';
import type { SiteDocument } from '../read/site-document.ts';
import type { DocumentDrop } from './document-drop.ts';
import type { Recorder } from './recorder.ts';

export interface SiteFacts {
  config: SiteConfig;
  site: SiteMap;
  recorder: Recorder;
  name: string;
  /** Without a slash at its end; empty if it is not known. */
  url: string;
  hasSearch: boolean;
  /** Path of the locale's feed. */
  feedOf(locale: string): string | undefined;
  dropOf(doc: SiteDocument): DocumentDrop;
}

export class SiteDrop extends Drop {
  readonly #facts: SiteFacts;
  readonly #locale: string;

  constructor(facts: SiteFacts, locale: string) {
    super();
    this.#facts = facts;
    this.#locale = locale;
  }

  get name(): string {
    return this.#facts.name;
  }

  get url(): string {
    return this.#facts.url;
  }

  get locale(): string | undefined {
    return this.#facts.config.defaultLocale;
  }

  get locales(): readonly string[] {
    return this.#facts.config.locales;
  }

  get home(): string {
    return this.#facts.site.homeOf(this.#locale);
  }

  get feed(): string | undefined {
    this.#facts.recorder.note(`counts ${this.#locale}`);
    return this.#facts.feedOf(this.#locale);
  }

  get has_search(): boolean {
    return this.#facts.hasSearch;
  }

  get forms(): string[] {
    return this.#facts.config.forms.map(({ name }) => name);
  }

  get tags(): { name: string; url: string; count: number }[] {
    this.#facts.recorder.note(`tags ${this.#locale}`);
    return this.#facts.site
      .tags(this.#locale)
      .map(({ name, url, documents }) => ({ name, url, count: documents.length }));
  }

  get collections(): { name: string; label: string; url: string | undefined; count: number }[] {
    const { config, site, recorder } = this.#facts;
    recorder.note(`counts ${this.#locale}`);
    return config.collections.flatMap(({ name, label }) => {
      if (!site.addresses.collections.includes(name)) return [];
      const url = isCollectionPage(site, name, this.#locale)
        ? site.addresses.indexOf(name, this.#locale || undefined)
        : undefined;
      return [{ name, label: label ?? toLabel(name), url, count: site.paged(name, this.#locale).length }];
    });
  }
}

/** `collections.posts`: made when a template reads it, and shared by all pages of the locale. */
export function createCollections({ config, site, recorder, dropOf }: SiteFacts, locale: string): object {
  const shown = {};
  for (const { name } of config.collections) {
    let drops: DocumentDrop[] | undefined;
    const get = (): DocumentDrop[] => {
      recorder.note(`documents ${name} ${locale}`);
      return (drops ??= site.list(name, locale).map(dropOf));
    };
    Object.defineProperty(shown, name, { enumerable: true, get });
  }
  return shown;
}

/** `globals.settings`: in this locale, else in the default one. */
export function createGlobals({ config, site, recorder, dropOf }: SiteFacts, locale: string): object {
  const shown = {};
  for (const { name, kind } of config.collections) {
    if (kind !== 'global') continue;
    const get = (): DocumentDrop | undefined => {
      for (const one of new Set([locale, site.locales[0]!])) {
        recorder.note(`documents ${name} ${one}`);
        const [doc] = site.list(name, one);
        if (doc) return dropOf(doc);
      }
      return undefined;
    };
    Object.defineProperty(shown, name, { enumerable: true, get });
  }
  return shown;
}
