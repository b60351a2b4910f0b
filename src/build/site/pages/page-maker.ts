// Makes one page, and says what it is made from. A page over its time becomes the words of its document, with a warning:
// what is in one document ends no build.
import { ThemeError } from '../../theme/theme-error.ts';
import { nameOf } from '../plan/cycles.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { SiteMap } from '../plan/site-map.ts';
import type { SiteDocument } from '../read/site-document.ts';
import { makeLatePage } from './late-page.ts';
import { mediaIn } from './media-output.ts';
import type { Recorder } from './recorder.ts';

export interface MadePage {
  bytes: Buffer;
  facts: string[];
  media: string[];
  /** What it shows in another way than its author meant; the next build makes it again. */
  warnings: string[];
}

export interface PageMaker {
  make(page: PlannedPage): MadePage | { problem: string };
}

/** Each takes seconds, and more of them are not the documents' fault. */
const MOST_LATE = 20;

export function createPageMaker(parts: {
  site: Pick<SiteMap, 'byId'>;
  recorder: Recorder;
  render(page: PlannedPage): string;
  /** The stored values of a document. */
  dataOf(doc: SiteDocument): unknown;
}): PageMaker {
  const { site, recorder, render, dataOf } = parts;
  let late = 0;

  function docOf({ id }: PlannedPage): SiteDocument | undefined {
    return id === undefined ? undefined : site.byId(id);
  }

  function placeOf(page: PlannedPage): string {
    const doc = docOf(page);
    return doc ? `document ${nameOf(doc)}` : `page "${page.path}"`;
  }

  return {
    make(page) {
      try {
        const { made, facts, media, warnings } = recorder.record(() => render(page));
        return {
          bytes: Buffer.from(made, 'utf8'),
          facts,
          media: [...new Set([...media, ...mediaIn(made)])].sort(),
          warnings: warnings.map((warning) => `${placeOf(page)}: ${warning}`),
        };
      } catch (error) {
        if (!(error instanceof ThemeError)) throw error;
        const doc = docOf(page);
        if (!doc || !error.isLate || ++late > MOST_LATE) return { problem: `${error.message} (${placeOf(page)})` };
        const warning = `${placeOf(page)}: ${error.message}: its words are shown without the theme`;
        return { bytes: makeLatePage(page, doc, dataOf(doc)), facts: [], media: [], warnings: [warning] };
      }
    },
  };
}
