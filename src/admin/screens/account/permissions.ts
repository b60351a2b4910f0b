// Which permissions a person may give to a token. Pure.

/** Permissions that another one contains; a profile lists only the larger one. */
const CONTAINED: Readonly<Record<string, string>> = {
  'content:write': 'content:draft',
  'content:read': 'content:read-published',
};

export function listGrantable(held: readonly string[]): string[] {
  const all = held.flatMap((permission) => [permission, ...(CONTAINED[permission] ? [CONTAINED[permission]] : [])]);
  return [...new Set(all)].sort();
}
