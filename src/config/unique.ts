// How a rule reports, and the rule that most lists share.

/** Reports one problem of a configuration; the path is dotted. */
export type ReportProblem = (path: string, message: string) => void;

/** Reports every name that an earlier entry has already used. */
export function checkUnique(entries: readonly { name: string }[], path: string, report: ReportProblem): void {
  const seen = new Set<string>();
  entries.forEach(({ name }, index) => {
    if (seen.has(name)) report(`${path}.${index}.name`, `the name "${name}" is used twice`);
    seen.add(name);
  });
}
