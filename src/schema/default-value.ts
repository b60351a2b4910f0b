// Checks that a field's default value is a value of the field, for the configuration.
import type { FieldConfig, SiteConfig } from '../config/site-config.ts';
import type { Problem } from '../lib/errors.ts';
import { createBuilder } from './builder.ts';
import { valueProblems } from './value-problems.ts';

/** The first problem of the default value, its path relative to that value; undefined if it fits or is absent. */
export function defaultProblem(field: FieldConfig, config: SiteConfig): Problem | undefined {
  if (field.defaultValue === undefined || field.defaultValue === null) return undefined;
  const parsed = createBuilder('draft', config.blocks).value(field).safeParse(field.defaultValue);
  return parsed.success ? undefined : valueProblems(parsed.error.issues, '')[0];
}
