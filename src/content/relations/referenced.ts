// The refusal of a deletion because other documents point to the document: it says which, as
// `GET .../references` does.
import { type Problem, ServiceError } from '../../lib/errors.ts';
import type { Reference } from '../api.ts';

export class StillReferenced extends ServiceError {
  /** The first of `total`. */
  readonly references: readonly Reference[];
  readonly total: number;

  constructor(place: string, references: readonly Reference[], total: number) {
    const details = references.map(toProblem);
    const many = total === 1 ? 'one place points' : `${total} places point`;
    super('conflict', `${many} to ${place}: ${details[0]!.path}`, { details });
    this.name = 'StillReferenced';
    this.references = references;
    this.total = total;
  }
}

function toProblem({ collection, slug, title, field }: Reference): Problem {
  return { path: `${collection}/${slug}`, message: `"${title}" points to it in ${field}` };
}
