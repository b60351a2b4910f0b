// Blocks whose type left the configuration: what a document has of them is no mistake. Pure.
import type { Problem } from '../../lib/errors.ts';
import type { Data, StoredDocument } from '../document.ts';

/**
 * Without the problems of blocks that the field has in one of the versions, as they are and wherever they stand now: a
 * type that left the configuration must not keep anybody from writing in the blocks around it.
 */
export function blockProblems(
  versions: readonly StoredDocument[],
  data: Data,
  problems: readonly Problem[],
): readonly Problem[] {
  const known = new Map<string, Set<string>>();
  return problems.filter(({ path }) => {
    const [, field = '', ...within] = path.split('.');
    if (within.at(-1) !== '_block') return true;
    const stored = known.get(field) ?? new Set();
    if (!known.has(field)) for (const version of versions) collectBlocks(version.data[field], stored);
    known.set(field, stored);
    return !stored.has(JSON.stringify(within.slice(0, -1).reduce(childOf, data[field])));
  });
}

function childOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** All blocks in a value, nested ones too, as JSON: a field may have thousands, and each is looked up once. */
function collectBlocks(value: unknown, found: Set<string>): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  if (Object.hasOwn(value, '_block')) found.add(JSON.stringify(value));
  for (const one of Object.values(value)) collectBlocks(one, found);
  return found;
}
