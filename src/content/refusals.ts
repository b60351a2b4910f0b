// What a decision refuses: at once, as a write does, or all of it together, for a dry run. Pure.
import { conflict, invalid, type Problem, ServiceError } from '../lib/errors.ts';
import type { CollectionState } from './collection-state.ts';
import { changedFields, changedKeys } from './differences.ts';
import type { StoredDocument } from './document.ts';

export interface DecisionRefusals {
  /** 400, if there are any. */
  problems(found: readonly Problem[]): void;
  /** 409, if there is one. */
  conflict(found: ServiceError | undefined): void;
}

export const AT_ONCE: DecisionRefusals = {
  problems: refuseProblems,
  conflict(found) {
    if (found) throw found;
  },
};

/** Decides with refusals at once or, for a dry run, with all of them together. */
export function refusing<T>(isDry: boolean | undefined, decide: (refuse: DecisionRefusals) => T): T {
  if (!isDry) return decide(AT_ONCE);
  const gathered = createGathered();
  const decided = decide(gathered);
  gathered.end();
  return decided;
}

/** `end` refuses everything that was found, with the places of conflicts among the details. */
function createGathered(): DecisionRefusals & { end(): void } {
  const problems: Problem[] = [];
  const conflicts: ServiceError[] = [];
  return {
    problems: (found) => void problems.push(...found),
    conflict: (found) => void (found && conflicts.push(found)),
    end() {
      const [first] = conflicts;
      const details = conflicts.flatMap((one) => one.details ?? [{ path: '', message: one.message }]);
      if (problems.length > 0) refuseProblems([...problems, ...details]);
      if (first) throw conflicts.length === 1 ? first : conflict(first.message, details);
    },
  };
}

export function refuseProblems(problems: readonly Problem[]): void {
  const seen = new Set<string>();
  const distinct = problems.filter(({ path }) => !seen.has(path) && seen.add(path));
  if (distinct.length) throw invalid(distinct);
}

/** 409 if a document, or another file, has the slug. */
export function takenConflict(state: CollectionState, slug: string): ServiceError | undefined {
  const taken = `slug "${slug}" is taken in ${state.schema.name}`;
  const refuse = (message: string): ServiceError => conflict(message, [{ path: 'slug', message }]);
  if (state.findBySlug(slug)) return refuse(taken);
  const file = state.findTaken(slug);
  return file === undefined ? undefined : refuse(`${taken} by ${file} in the repository`);
}

/** A time of publication and of withdrawal may change beside a time of publication. */
const TIMES: readonly string[] = ['publishAt', 'unpublishAt'];

/**
 * 409 if changes of a published document come with a future time of publication: they would be public at once, and not
 * at that time.
 */
export function draftNeeded(
  before: StoredDocument | undefined,
  after: StoredDocument,
  publishAt: string | null | undefined,
  now: Date,
): ServiceError | undefined {
  if (before?.status !== 'published' || after.status !== 'published' || !publishAt) return undefined;
  if (Date.parse(publishAt) <= now.getTime()) return undefined;
  const isChanged =
    changedFields(before.data, after.data).length > 0 || changedKeys(before, after).some((key) => !TIMES.includes(key));
  if (!isChanged) return undefined;
  const message =
    `document "${before.collection}/${before.slug}" is published, so its changes cannot wait for a time: ` +
    'publish them now, without the time; or schedule a draft with them, as which the document is hidden until then';
  return new ServiceError('draft_needed', message, {
    details: [{ path: 'publishAt', message: 'leave it out, or send "status": "draft" with it' }],
  });
}
