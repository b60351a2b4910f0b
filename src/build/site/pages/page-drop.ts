// `page` as templates see it: what is true of a page whatever it shows.
import type { SiteConfig } from '../../../config/site-config.ts';
import { toLabel } from '../../../schema/label.ts';
import { Drop } from '../../theme/drop.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { DocumentDrop } from './document-drop.ts';

export interface PageFacts {
  config: SiteConfig;
  page: PlannedPage;
  document: DocumentDrop | undefined;
  siteName: string;
  tagName: string | undefined;
  isPreview: boolean;
  absoluteUrl(path: string): string;
  /** Pages that show the same in other locales, itself included; empty if no other does. */
  alternates(): { locale: string; url: string; title: string }[];
}

export class PageDrop extends Drop {
  readonly #facts: PageFacts;

  constructor(facts: PageFacts) {
    super();
    this.#facts = facts;
  }

  get url(): string {
    return this.#facts.page.path;
  }

  get absolute_url(): string {
    return this.#facts.absoluteUrl(this.#facts.page.path);
  }

  get kind(): string {
    return this.#facts.page.kind;
  }

  get title(): string {
    const { page, config, document, siteName, tagName } = this.#facts;
    if (document) return document.title;
    if (page.kind === '404') return '404';
    if (page.form !== undefined)
      return config.forms.find(({ name }) => name === page.form)?.label ?? toLabel(page.form);
    if (page.list?.kind === 'collection') return labelOf(config, page.list.collection);
    return tagName ?? siteName;
  }

  get description(): string {
    const { page, config, document } = this.#facts;
    if (document) return document.description;
    const { list } = page;
    return list?.kind === 'collection'
      ? (config.collections.find(({ name }) => name === list.collection)?.description ?? '')
      : '';
  }

  get locale(): string {
    return this.#facts.page.locale || 'en';
  }

  get dir(): 'ltr' | 'rtl' {
    return isRightToLeft(this.locale) ? 'rtl' : 'ltr';
  }

  get image(): string | undefined {
    return this.#facts.document?.image;
  }

  get alternates(): { locale: string; url: string; title: string }[] {
    return this.#facts.alternates();
  }

  get is_preview(): boolean {
    return this.#facts.isPreview;
  }
}

export function labelOf(config: SiteConfig, collection: string): string {
  return config.collections.find(({ name }) => name === collection)?.label ?? toLabel(collection);
}

const RTL_LANGUAGES = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'nqo', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi']);
const RTL_SCRIPTS = new Set(['adlm', 'arab', 'hebr', 'mand', 'nkoo', 'rohg', 'samr', 'syrc', 'thaa']);

/** By the script of the tag if it names one, else by its language. */
function isRightToLeft(locale: string): boolean {
  const [language = '', ...rest] = locale.toLowerCase().split('-');
  const script = rest.find((part) => /^[a-z]{4}$/.test(part));
  return script === undefined ? RTL_LANGUAGES.has(language) : RTL_SCRIPTS.has(script);
}
