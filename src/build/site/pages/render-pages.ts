// Makes the pages of a plan one at a time, and takes over those that would not be different.
import type { Breathe } from '../../../lib/queues/slices.ts';
import { listText } from '../plan/lists.ts';
import { PlanError } from '../plan/plan-error.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { Output } from '../write/output.ts';
import type { KnownPage } from '../write/state.ts';
import type { PageMaker } from './page-maker.ts';

export interface RenderParts {
  maker: PageMaker;
  output: Output;
  /** Whether any of the facts has another value than when the last build used it. */
  haveChanged(facts: ArrayLike<number>): boolean;
  numberOf(fact: string): number;
  /** The page of the last build at a path of the output. */
  known: ReadonlyMap<string, KnownPage>;
  /** Called for each warning about a page. */
  warn(text: string): void;
  /** `done` of `total` pages were made. */
  onPage(done: number, total: number): void;
  breathe: Breathe;
  signal: AbortSignal;
}

/** More errors of one theme say nothing new. */
const MOST_PROBLEMS = 20;
/** Facts and media of every page. @throws PlanError with every problem of the theme, up to a limit */
export async function renderPages(parts: RenderParts, pages: readonly PlannedPage[]): Promise<KnownPage[]> {
  const { output, known, haveChanged, signal } = parts;
  const result: KnownPage[] = [];
  const fresh: { page: PlannedPage; recipe: string; at: number }[] = [];
  for (const page of pages) {
    const recipe = toRecipe(page);
    const old = known.get(page.file);
    const isMade = output.has(page.file);
    if (old?.recipe === recipe && !haveChanged(old.facts) && (isMade || output.isIntact(page.file))) {
      if (!isMade) output.keep(page.file);
      result.push(old);
    } else {
      fresh.push({ page, recipe, at: result.length });
      result.push({ file: page.file, recipe, facts: [], media: [] });
    }
    const turn = parts.breathe();
    if (turn) await turn;
  }
  output.expect(fresh.length);
  const problems = new Set<string>();
  for (const [done, { page, recipe, at }] of fresh.entries()) {
    signal.throwIfAborted();
    const made = parts.maker.make(page);
    if ('problem' in made) problems.add(made.problem);
    else {
      output.put(page.file, made.bytes);
      made.warnings.forEach(parts.warn);
      // Another build makes it again: it may have more time, and its log is to have the warning too.
      const known = made.warnings.length > 0 ? '' : recipe;
      result[at] = { file: page.file, recipe: known, facts: made.facts.map(parts.numberOf), media: made.media };
    }
    if (problems.size >= MOST_PROBLEMS) break;
    parts.onPage(done + 1, fresh.length);
    await output.space();
    await parts.breathe();
  }
  if (problems.size > 0) throw new PlanError([...problems]);
  return result;
}

/** What a page shows; its file says where it is, and the configuration its layouts. */
function toRecipe({ kind, locale, id = '', list, number = 0, form = '' }: PlannedPage): string {
  return `${kind}|${locale}|${id}|${list ? listText(list) : ''}|${number}|${form}`;
}
