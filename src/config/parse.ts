// The only way to a SiteConfig: untrusted value in, checked, completed and frozen configuration out.
import type { Problem } from '../lib/errors.ts';
import { copyPlain, deepFreeze } from './plain.ts';
import { parseShape } from './problems.ts';
import { checkRules } from './rules.ts';
import { type SiteConfig, SiteConfigSchema } from './site-config.ts';
import { withNames } from './with-names.ts';

/** A configuration that cannot be used, with all its problems. */
export class ConfigError extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[], source = 'configuration', options?: { cause?: unknown }) {
    const lines = problems.map(({ path, message }) => (path ? `  ${path}: ${message}` : `  ${message}`));
    super(`invalid ${source}\n${lines.join('\n')}`, options);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Checks a whole configuration and reports every problem at once. `source` names the file in the message. */
export function parseConfig(value: unknown, source?: string): SiteConfig {
  const problems: Problem[] = [];
  const copy = copyPlain(value, problems);
  let parsed = parseShape(SiteConfigSchema, copy);
  // The names as the author wrote them: faulty ones are removed below.
  const written = 'problems' in parsed ? structuredClone(copy) : copy;
  const refuse = () => new ConfigError(withNames(problems, written), source);
  if ('problems' in parsed) {
    // A value that was left out because it is not data must not be reported again as missing.
    const reported = new Set(problems.map((problem) => problem.path));
    problems.push(...parsed.problems.filter((problem) => !reported.has(problem.path)));
    // The rules need a whole configuration; what remains without the faulty keys often is one.
    for (const problem of problems) removeKey(copy, problem.path);
    parsed = parseShape(SiteConfigSchema, copy);
  }
  if ('problems' in parsed) throw refuse();
  const config = withLocales(parsed.value);
  const shapeProblems = [...problems];
  checkRules(config, (path, message) => {
    if (!shapeProblems.some((other) => isAround(other.path, path))) problems.push({ path, message });
  });
  if (problems.length > 0) throw refuse();
  return deepFreeze(config);
}

/** Removes an object's key; keeps items of a list, because removing one would move the paths of the others. */
function removeKey(root: unknown, path: string): void {
  const keys = path.split('.');
  const last = keys.pop()!;
  let value = root;
  for (const key of keys) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  if (isObject(value) && !Array.isArray(value)) delete value[last];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Returns true if one path is the other or lies below it. */
function isAround(one: string, other: string): boolean {
  return `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);
}

/** The first locale is the default; a default locale without `locales` is the only one. */
function withLocales(config: SiteConfig): SiteConfig {
  const defaultLocale = config.defaultLocale ?? config.locales[0];
  if (defaultLocale === undefined) return config;
  return { ...config, defaultLocale, locales: config.locales.length > 0 ? config.locales : [defaultLocale] };
}
