// Makes the pages of a plan, and takes over those that would not be different. Many pages are shared with a second
// thread, chunk by chunk.
import type { Breathe } from '../../../lib/queues/slices.ts';
import { listText } from '../plan/lists.ts';
import { PlanError } from '../plan/plan-error.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { MadeFile } from '../write/file-list.ts';
import type { Output } from '../write/output.ts';
import type { KnownPage } from '../write/state.ts';
import type { PageMaker } from './page-maker.ts';

export interface RenderParts {
  maker: PageMaker;
  output: Output;
  /** Whether a fact has another value than when the last build used it. */
  hasChanged(fact: number): boolean;
  numberOf(fact: string): number;
  /** The page of the last build at a path of the output. */
  known: ReadonlyMap<string, KnownPage>;
  /** Starts a second thread for many pages; undefined if this thread makes all of them. */
  help: ((pages: readonly PlannedPage[]) => PageHelp) | undefined;
  /** `done` of `total` pages were made. */
  onPage(done: number, total: number): void;
  breathe: Breathe;
  signal: AbortSignal;
}

/** A page that is in the folder of staged files, or what is wrong. */
export type HelpedPage = Omit<KnownPage, 'recipe'> & { at: number; sizeBytes: number; sha256: string };

export interface PageHelp {
  /** The next chunk of pages to make here, by number; undefined if none is left. */
  take(): readonly number[] | undefined;
  /** Resolves when the thread has no page left. */
  done: Promise<{ pages: HelpedPage[]; problems: string[]; search: [file: string, made: MadeFile][] | undefined }>;
}

/** More errors of one theme say nothing new. */
const MOST_PROBLEMS = 20;
/** Starting a thread takes as long as making a few hundred pages. */
const MANY_PAGES = 600;

/** Facts and media of every page, and files of the search if they were made meanwhile. @throws PlanError with every problem of the theme, up to a limit */
export async function renderPages(
  parts: RenderParts,
  pages: readonly PlannedPage[],
): Promise<{ pages: KnownPage[]; search: Awaited<PageHelp['done']>['search'] }> {
  const { output, known, hasChanged, help, signal } = parts;
  const result: KnownPage[] = [];
  const fresh: { page: PlannedPage; recipe: string; at: number }[] = [];
  for (const page of pages) {
    const recipe = toRecipe(page);
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
  const helper = help && fresh.length >= MANY_PAGES ? help(fresh.map(({ page }) => page)) : undefined;
  const take = helper ? helper.take : takeAll(fresh.length);
  const problems = new Set<string>();
  let count = 0;
  for (let chunk = take(); chunk && problems.size < MOST_PROBLEMS; chunk = take()) {
    for (const number of chunk) {
      signal.throwIfAborted();
      const { page, recipe, at } = fresh[number]!;
      const made = parts.maker.make(page);
      if ('problem' in made) problems.add(made.problem);
      else {
        output.put(page.file, made.bytes);
        result[at] = { file: page.file, recipe, facts: made.facts.map(parts.numberOf), media: made.media };
      }
      count++;
    }
    parts.onPage(Math.max(count, chunk.at(-1)! + 1), fresh.length);
    await parts.breathe();
  }
  const helped = await helper?.done;
  for (const { at: number, file, facts, media, ...made } of helped?.pages ?? []) {
    const { recipe, at } = fresh[number]!;
    output.noteStaged(file, made);
    result[at] = { file, recipe, facts, media };
  }
  for (const problem of helped?.problems ?? []) problems.add(problem);
  if (problems.size > 0) throw new PlanError([...problems].slice(0, MOST_PROBLEMS));
  return { pages: result, search: helped?.search };
}

/** What a page shows; its file says where it is, and the configuration its layouts. */
function toRecipe({ kind, locale, id = '', list, number = 0, form = '' }: PlannedPage): string {
  return [kind, locale, id, list ? listText(list) : '', number, form].join('|');
}

const CHUNK = 16;

function takeAll(count: number): () => readonly number[] | undefined {
  let next = 0;
  return () => {
    if (next >= count) return undefined;
    const chunk = Array.from({ length: Math.min(CHUNK, count - next) }, (_, at) => next + at);
    next += chunk.length;
    return chunk;
  };
}
