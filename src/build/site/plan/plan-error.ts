// What is wrong with the documents or the theme so that no site can be built from them; every sentence names its place.
import { BuildError } from '../../build.ts';

export class PlanError extends BuildError {
  override name = 'PlanError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems[0] ?? 'the site cannot be built');
    this.problems = problems;
  }
}
