// Makes the pages of a plan one at a time, and takes over those that would not be different.
import type { Breathe } from '../../../lib/queues/slices.ts';
import { ThemeError } from '../../theme/theme-error.ts';
import { nameOf } from '../plan/cycles.ts';
import { PlanError } from '../plan/plan-error.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { SiteMap } from '../plan/site-map.ts';
import type { Output } from '../write/output.ts';
import type { KnownPage } from '../write/state.ts';
import { mediaIn } from './media-output.ts';
import type { Recorder } from './recorder.ts';

export interface RenderParts {
  site: SiteMap;
  recorder: Recorder;
  output: Output;
  /** Whether a fact has another value than when the last build used it. */
  hasChanged(fact: string): boolean;
  /** The page of the last build at a path of the output. */
  known: ReadonlyMap<string, KnownPage>;
  render(page: PlannedPage): string;
  /** The page was made; `done` of `total`. */
  onPage(done: number, total: number): void;
  breathe: Breathe;
  signal: AbortSignal;
}

/** More errors of one theme say nothing new. */
const MOST_PROBLEMS = 20;

/** Facts and media of every page. @throws PlanError with every problem of the theme, up to a limit */
export async function renderPages(parts: RenderParts, pages: readonly PlannedPage[]): Promise<KnownPage[]> {
  const { output, known, hasChanged, signal } = parts;
  const result: KnownPage[] = [];
  const fresh: { page: PlannedPage; recipe: string; at: number }[] = [];
  for (const page of pages) {
    const recipe = JSON.stringify(page);
    const old = known.get(page.file);
    const isMade = output.has(page.file);
    if (old?.recipe === recipe && !old.facts.some(hasChanged) && (isMade || output.isIntact(page.file))) {
      if (!isMade) output.keep(page.file);
      result.push(old);
    } else {
      fresh.push({ page, recipe, at: result.length });
      result.push({ file: page.file, recipe, facts: [], media: [] });
    }
    await parts.breathe();
  }
  const problems = new Set<string>();
  for (const [done, { page, recipe, at }] of fresh.entries()) {
    signal.throwIfAborted();
    try {
      result[at] = renderPage(parts, page, recipe);
    } catch (error) {
      if (!(error instanceof ThemeError)) throw error;
      problems.add(toProblem(parts.site, page, error));
      if (problems.size >= MOST_PROBLEMS) break;
    }
    parts.onPage(done + 1, fresh.length);
    await parts.breathe();
  }
  if (problems.size > 0) throw new PlanError([...problems]);
  return result;
}

function renderPage({ recorder, output, render }: RenderParts, page: PlannedPage, recipe: string): KnownPage {
  const { made, facts, media } = recorder.record(() => render(page));
  output.put(page.file, made);
  return { file: page.file, recipe, facts, media: [...new Set([...media, ...mediaIn(made)])].sort() };
}

function toProblem(site: SiteMap, page: PlannedPage, { message }: ThemeError): string {
  const doc = page.id === undefined ? undefined : site.byId(page.id);
  const what = doc ? `document ${nameOf(doc)}` : `page "${page.path}"`;
  return `${message} (${what})`;
}
