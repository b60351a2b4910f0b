// Imports a folder: read, plan, write. Knows the site through the functions of a target, so that the same code
// imports into a data folder and through the API of a running service.
import type { ImportAnswer, OfferedImport } from '../content/api.ts';
import type { ImportInput } from '../content/commands.ts';
import { type ErrorCode, invalid, ServiceError } from '../lib/errors.ts';
import { type Candidate, type FileProblem, type TransferConfig, toFileProblem, toFileProblems } from './candidate.ts';
import type { FieldRules } from './field-rules.ts';
import { mapInFlight } from './in-flight.ts';
import { type FindSlugHolder, planImport } from './plan.ts';
import { readPlace } from './read-folder.ts';

export interface ImportTarget {
  config: TransferConfig;
  find: FindSlugHolder;
  /** Creates or updates one document; writes nothing if nothing changed, or with `dryRun`. */
  importDocument(collection: string, input: ImportInput, options: { dryRun: boolean }): Promise<ImportAnswer>;
  /** The same for all of them, each decided on those before it: one commit, or nothing if one is refused. */
  importAll(
    documents: readonly OfferedImport[],
    options: { dryRun: boolean },
  ): Promise<(ImportAnswer | ServiceError)[]>;
}

export interface ImportOptions {
  collection?: string | undefined;
  localeFromPath?: boolean | undefined;
  /** How keys of the files become keys of the collection. */
  rules?: FieldRules | undefined;
  dryRun?: boolean | undefined;
  /** One commit for all documents, or nothing if one file cannot be imported. */
  atomic?: boolean | undefined;
  onProgress?(done: number, total: number): void;
}

/** Counts of files. `problems` has the `failed` ones, some with several problems. */
export interface ImportReport {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** In the order of the files' names. */
  problems: FileProblem[];
  /** What was imported and is worth a look: keys that no field has, what stays because people changed it. */
  warnings: FileProblem[];
  /** Links that leave the folder, which are not followed. */
  skipped: string[];
}

// The store makes one disk write of everything that waits; more than this gains nothing.
const DOCUMENTS_IN_FLIGHT = 64;

/** Errors of one document. Any other error (no rights, a full disk, no answer) concerns the whole import. */
const OF_ONE_DOCUMENT: ReadonlySet<ErrorCode> = new Set([
  'invalid_input',
  'not_found',
  'conflict',
  'draft_needed',
  'fields_locked',
  'precondition_failed',
  'too_large',
]);

export async function importFolder(
  folder: string,
  target: ImportTarget,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { candidates, problems, skipped } = readAll(folder, target.config, options);
  const plan = await planImport(candidates, target.config, target.find);
  problems.push(...plan.problems);
  const dryRun = options.dryRun ?? false;
  const answers = new Map<string, ImportAnswer>();
  let done = 0;

  const refuse = ({ file }: Candidate, error: unknown): void => {
    if (!(error instanceof ServiceError) || !OF_ONE_DOCUMENT.has(error.code)) throw error;
    problems.push(...toFileProblems(file, error));
  };
  const importOne = async (candidate: Candidate) => {
    try {
      answers.set(candidate.file, await importCandidate(candidate));
    } catch (error) {
      refuse(candidate, error);
    }
    options.onProgress?.(++done, candidates.length);
  };
  const isNew = new Set<string>();
  const importCandidate = async ({ collection, input }: Candidate): Promise<ImportAnswer> => {
    const { translationOf, ...rest } = input;
    await refuseOtherLocale(target, collection, input);
    // A trial run writes no source against which a translation could be checked.
    const isSourceMissing = dryRun && translationOf !== undefined && isNew.has(`${collection}/${translationOf}`);
    const answer = await target.importDocument(collection, isSourceMissing ? rest : input, { dryRun });
    if (answer.outcome === 'created') isNew.add(`${collection}/${input.slug}`);
    return answer;
  };
  const importAtOnce = async (planned: Candidate[]): Promise<void> => {
    const all: Candidate[] = [];
    for (const one of planned) {
      await refuseOtherLocale(target, one.collection, one.input).then(
        () => all.push(one),
        (error) => refuse(one, error),
      );
    }
    const isNothing = (): boolean => options.atomic === true && problems.length > 0;
    if (isNothing() && !dryRun) return;
    for (const [index, answer] of (await target.importAll(all, { dryRun })).entries()) {
      const one = all[index]!;
      if (answer instanceof ServiceError) refuse(one, answer);
      else answers.set(one.file, answer);
      options.onProgress?.(++done, all.length);
    }
    if (isNothing()) answers.clear();
  };
  const importOneByOne = async (): Promise<void> => {
    for (const wave of plan.waves) await mapInFlight(wave, DOCUMENTS_IN_FLIGHT, importOne);
  };

  // A trial run decides each file on those before it, as the run would; of more than fits together each by itself.
  if (options.atomic) await importAtOnce(plan.waves.flat());
  else if (!dryRun) await importOneByOne();
  else {
    const before = [...problems];
    await importAtOnce(plan.waves.flat()).catch((error) => {
      if (!(error instanceof ServiceError) || error.code !== 'too_large') throw error;
      problems.splice(0, problems.length, ...before);
      done = 0;
      return importOneByOne();
    });
  }
  const count = (outcome: ImportAnswer['outcome']) =>
    [...answers.values()].filter((one) => one.outcome === outcome).length;
  const warnings = [...answers].flatMap(([file, one]) => one.warnings.map((problem) => toFileProblem(file, problem)));
  for (const list of [problems, warnings]) list.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: new Set(problems.map((problem) => problem.file)).size,
    problems,
    warnings,
    skipped,
  };
}

/**
 * Documents are matched by collection, locale and slug: a document with this slug in another language is a different
 * one.
 */
async function refuseOtherLocale(
  target: ImportTarget,
  collection: string,
  { slug, locale }: ImportInput,
): Promise<void> {
  if (locale === undefined) return;
  const holder = await target.find(collection, slug);
  if (holder?.locale === undefined || holder.locale === locale) return;
  throw invalid([{ path: 'slug', message: `"${slug}" is a document of the locale ${holder.locale}` }]);
}

function readAll(folder: string, config: TransferConfig, options: ImportOptions) {
  const candidates: Candidate[] = [];
  const problems: FileProblem[] = [];
  const skipped: string[] = [];
  const { collection, localeFromPath, rules } = options;
  for (const read of readPlace(folder, { config, collection, localeFromPath, rules })) {
    if (read.kind === 'candidate') candidates.push(read.candidate);
    else if (read.kind === 'problems') problems.push(...read.problems);
    else skipped.push(read.file);
  }
  return { candidates, problems, skipped };
}
