// Paths of problems as an author reads them: `posts.fields.title.type`, not `collections.3.fields.1.type`.
import type { Problem } from '../lib/errors.ts';
import { SiteConfigSchema } from './site-config.ts';

/** A name that reads well in a path; others, which may be the problem, keep their number. */
const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u;

/** The same problems, with the name of each collection, field, block, form and profile in place of its number. */
export function withNames(problems: readonly Problem[], config: unknown): Problem[] {
  return problems.map(({ path, message }) => ({ path: toNamedPath(path, config), message }));
}

function toNamedPath(path: string, config: unknown): string {
  let named: string[] = [];
  let value = config;
  for (const key of path.split('.')) {
    const inner = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    const name = Array.isArray(value) ? nameOf(inner) : undefined;
    // A collection is a word of its own, unless it has the name of another part of the configuration.
    if (name !== undefined && named.join() === 'collections' && !Object.hasOwn(SiteConfigSchema.shape, name))
      named = [];
    named.push(name ?? key);
    value = inner;
  }
  return named.join('.');
}

function nameOf(value: unknown): string | undefined {
  const name = isObject(value) ? value.name : undefined;
  return typeof name === 'string' && NAME.test(name) ? name : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
