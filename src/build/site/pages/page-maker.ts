// Makes one page, and says what it is made from.
import { ThemeError } from '../../theme/theme-error.ts';
import { nameOf } from '../plan/cycles.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { SiteMap } from '../plan/site-map.ts';
import { mediaIn } from './media-output.ts';
import type { Recorder } from './recorder.ts';

export interface PageMaker {
  make(page: PlannedPage): { bytes: Buffer; facts: string[]; media: string[] } | { problem: string };
}

export function createPageMaker(parts: {
  site: Pick<SiteMap, 'byId'>;
  recorder: Recorder;
  render(page: PlannedPage): string;
}): PageMaker {
  const { site, recorder, render } = parts;
  return {
    make(page) {
      try {
        const { made, facts, media } = recorder.record(() => render(page));
        return { bytes: Buffer.from(made, 'utf8'), facts, media: [...new Set([...media, ...mediaIn(made)])].sort() };
      } catch (error) {
        if (!(error instanceof ThemeError)) throw error;
        const doc = page.id === undefined ? undefined : site.byId(page.id);
        return { problem: `${error.message} (${doc ? `document ${nameOf(doc)}` : `page "${page.path}"`})` };
      }
    },
  };
}
