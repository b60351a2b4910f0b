// `page.alternates`: the pages that show the same in other locales.
import type { SiteConfig } from '../../../config/site-config.ts';
import { isCollectionPage } from '../plan/collection-pages.ts';
import type { ListName } from '../plan/lists.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { SiteMap } from '../plan/site-map.ts';
import type { SiteDocument } from '../read/site-document.ts';
import type { DocumentDrop } from './document-drop.ts';
import { labelOf } from './page-drop.ts';
import type { Recorder } from './recorder.ts';

export interface Alternate {
  locale: string;
  url: string;
  title: string;
}

export function createAlternates(parts: {
  config: SiteConfig;
  site: SiteMap;
  recorder: Recorder;
  siteName: string;
  dropOf(doc: SiteDocument): DocumentDrop;
}): (page: PlannedPage) => Alternate[] {
  const { config, site, recorder, siteName, dropOf } = parts;

  function addressOf(list: Exclude<ListName, { kind: 'tag' }>, locale: string): string | undefined {
    if (list.kind === 'collection') {
      if (!isCollectionPage(site, list.collection, locale)) return undefined;
      return site.addresses.indexOf(list.collection, locale || undefined);
    }
    return site.hasHome(locale) ? site.homeOf(locale) : undefined;
  }

  function translationsOf(id: string): Alternate[] {
    recorder.note(`translations ${id}`);
    return site.translationsOf(id).flatMap((doc) => {
      const { url, title } = dropOf(doc);
      return url === undefined ? [] : [{ locale: doc.locale ?? '', url, title }];
    });
  }

  return ({ id, list, number }) => {
    if (id !== undefined) return several(translationsOf(id));
    if (!list || list.kind === 'tag' || number !== 1) return [];
    const title = list.kind === 'home' ? siteName : labelOf(config, list.collection);
    const found = site.locales.flatMap((locale) => {
      recorder.note(`counts ${locale}`);
      const url = addressOf(list, locale);
      return url === undefined ? [] : [{ locale, url, title }];
    });
    return several(found);
  };
}

function several<T>(found: T[]): T[] {
  return found.length > 1 ? found : [];
}
