// Files held against a configuration as a push into an empty site is: the same checks, in the same sentences.
import type { WorkingFile } from '../../cli/working-tree.ts';
import { createClaims } from '../../content/from-git/claims.ts';
import { checkIncoming } from '../../content/from-git/incoming/incoming.ts';
import { applyTreeChanges } from '../../content/from-git/load.ts';
import type { Warnings, WarnParts } from '../../content/from-git/warnings.ts';
import { createSourceWarnings, isOfSource } from '../../content/relations/source-warnings.ts';
import { createValueIndex, readGroup, readUnique, type ValueIndex } from '../../content/rows/value-index.ts';
import { type ContentView, createContentView } from '../../content/rows/view.ts';
import { createLocaleWarnings, createUniqueWarnings, isOfShared } from '../../content/unique/unique-warnings.ts';
import type { SiteSchema } from '../../schema/collection.ts';
import { createMemoryOdb } from './memory-odb.ts';

export interface CheckLine {
  /** Empty for the folder as a whole. */
  path: string;
  message: string;
}

export interface CheckedFiles {
  documents: number;
  /** For what a push is refused. */
  problems: CheckLine[];
  /** What the output of a push says besides. */
  warnings: CheckLine[];
}

export async function checkFiles(schema: SiteSchema, files: readonly WorkingFile[], now: Date): Promise<CheckedFiles> {
  const { odb, commit, tree } = createMemoryOdb(files, now);
  const found = await checkIncoming(createContentView(schema, ''), null, commit, odb, Number.POSITIVE_INFINITY);
  const view = createContentView(schema, '');
  const warnings: Warnings = new Map();
  const reporting = { view, warnings, warn: () => undefined };
  const load = { ...reporting, odb, claims: createClaims() };
  applyTreeChanges(load, null, { commit, tree }, commit);
  await reportShared({ ...reporting, later: (work) => work() });
  const shown = [...warnings].filter(([, problem]) => isOfShared(problem) || isOfSource(problem));
  return {
    documents: view.size,
    problems: found.problems.map(toLine),
    warnings: [...found.slips.map(toLine), ...shown.map(([path, message]) => ({ path, message }))],
  };
}

function toLine({ path, message }: CheckLine): CheckLine {
  return { path, message };
}

/** What only one document may have, and translations without their source. */
async function reportShared(parts: { view: ContentView; later(work: () => void): void } & WarnParts): Promise<void> {
  const { view } = parts;
  const unique: ValueIndex = createValueIndex(
    view,
    readUnique,
    createUniqueWarnings(parts, () => unique),
  );
  const reports = [createLocaleWarnings(parts, () => groups), createSourceWarnings(parts, () => groups)];
  const groups: ValueIndex = createValueIndex(view, readGroup, (...found) => {
    for (const report of reports) report(...found);
  });
  for (const { schema } of view.collections()) for (const index of [unique, groups]) await index.prepare(schema.name);
}
