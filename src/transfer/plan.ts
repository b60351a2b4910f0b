// Settles which file of an import gets which slug and which comes first. Asks the site only which locale holds a slug;
// writes nothing.
import { SLUG_MAX_BYTES } from '../lib/text/slug.ts';
import type { Candidate, FileProblem, TransferConfig } from './candidate.ts';
import { mapInFlight } from './in-flight.ts';

export interface Plan {
  /** Imported one after the other: the sources of translations come in an earlier wave than their translations. */
  waves: Candidate[][];
  problems: FileProblem[];
}

/** The document that has a slug, as far as the plan needs it. */
export interface SlugHolder {
  locale?: string | undefined;
}

export type FindSlugHolder = (collection: string, slug: string) => Promise<SlugHolder | undefined>;

const LOOKUPS_IN_FLIGHT = 16;

export async function planImport(candidates: Candidate[], config: TransferConfig, find: FindSlugHolder): Promise<Plan> {
  const settled = await settleLocales(candidates, config, find);
  const { unique, problems } = splitDuplicates(settled);
  return { waves: toWaves(unique), problems };
}

/**
 * A slug is unique in its collection, but `en/hello.md` and `da/hello.md` both give `hello`. They are one text in two
 * languages: the one whose document already has the slug, else the default locale's, keeps it; the others become its
 * translations with the locale after their slug (`hello-da`). So every run gives the same slugs. A file that names no
 * locale is in the default one.
 */
async function settleLocales(
  candidates: Candidate[],
  config: TransferConfig,
  find: FindSlugHolder,
): Promise<Candidate[]> {
  const groups = groupBy(
    candidates.filter((one) => one.isSlugFromPath),
    keyOf,
  );
  const twins = [...groups.values()].filter((group) => group.some((one) => one.isLocaleFromPath));
  const settled = new Map<Candidate, Candidate>();
  await mapInFlight(twins, LOOKUPS_IN_FLIGHT, async (group) => {
    const [first] = group as [Candidate];
    const holder = await find(first.collection, first.input.slug);
    const localeOf = (one: { locale?: string | undefined }) => one.locale ?? config.defaultLocale;
    const present = group.map((one) => localeOf(one.input));
    const preferred = [config.defaultLocale, ...config.locales].find((locale) => present.includes(locale));
    const owner = holder ? localeOf(holder) : (preferred ?? present[0]);
    for (const one of group) {
      const locale = localeOf(one.input);
      if (locale !== undefined && locale !== owner) settled.set(one, toTranslation(one, locale));
    }
  });
  return candidates.map((one) => settled.get(one) ?? one);
}

function toTranslation(one: Candidate, locale: string): Candidate {
  const { input } = one;
  const suffix = `-${locale.toLowerCase()}`;
  const slug = input.slug.slice(0, SLUG_MAX_BYTES - suffix.length) + suffix;
  return { ...one, input: { ...input, slug, translationOf: input.translationOf ?? input.slug } };
}

/** Files that make the same document are all left out: only their author knows which one is meant. */
function splitDuplicates(candidates: Candidate[]): { unique: Candidate[]; problems: FileProblem[] } {
  const unique: Candidate[] = [];
  const problems: FileProblem[] = [];
  for (const group of groupBy(candidates, keyOf).values()) {
    const [first, second] = group as [Candidate, Candidate?];
    if (!second) unique.push(first);
    else for (const one of group) problems.push(duplicate(one, group));
  }
  return { unique, problems };
}

function duplicate(one: Candidate, group: Candidate[]): FileProblem {
  const others = group.filter((other) => other !== one).map((other) => other.file);
  const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
  return {
    file: one.file,
    field: 'slug',
    message: `"${keyOf(one)}" is also the document of ${others.slice(0, 3).join(', ')}${more}`,
  };
}

function toWaves(candidates: Candidate[]): Candidate[][] {
  const byKey = new Map(candidates.map((one) => [keyOf(one), one]));
  const waves: Candidate[][] = [];
  for (const one of candidates) {
    const depth = depthOf(one, byKey);
    while (waves.length <= depth) waves.push([]);
    waves[depth]?.push(one);
  }
  return waves;
}

/** How many sources in the same import a document has above it; files that translate each other end the count. */
function depthOf(candidate: Candidate, byKey: ReadonlyMap<string, Candidate>): number {
  const seen = new Set<Candidate>();
  for (let one: Candidate | undefined = candidate; one && !seen.has(one); one = findSource(one, byKey)) seen.add(one);
  return seen.size - 1;
}

function findSource(one: Candidate, byKey: ReadonlyMap<string, Candidate>): Candidate | undefined {
  const source = one.input.translationOf;
  return source === undefined ? undefined : byKey.get(`${one.collection}/${source}`);
}

function keyOf(one: Candidate): string {
  return `${one.collection}/${one.input.slug}`;
}

function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
