// What each role opens (decisions.md, section 6). Pure: who has which role is not decided here.
import { PERMISSIONS, type Permission, type Role } from './principal.ts';

const EDITOR: Permission[] = [
  'content:read',
  'content:write',
  'content:publish',
  'media:read',
  'media:write',
  'media:delete',
  'forms:read',
  'forms:write',
  'deploy:read',
  'deploy:trigger',
  'tokens:manage',
  'org:settings:read',
];

const BY_ROLE: Record<Role, ReadonlySet<Permission>> = {
  admin: new Set(PERMISSIONS),
  editor: new Set(EDITOR),
  author: new Set<Permission>(['content:read', 'content:draft', 'media:read', 'media:write', 'tokens:manage']),
  viewer: new Set<Permission>(['content:read', 'media:read', 'deploy:read']),
};

/** Who may change or read all of it may change or read the part. */
const CONTAINED: Partial<Record<Permission, readonly Permission[]>> = {
  'content:write': ['content:draft'],
  'content:read': ['content:read-published'],
};

/** The permissions that the role is given by name. */
export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return BY_ROLE[role];
}

/** The permissions and those that they contain: what a principal holds, and what checks look at. */
export function withContained(permissions: Iterable<Permission>): ReadonlySet<Permission> {
  const named = [...permissions];
  return new Set([...named, ...named.flatMap((permission) => CONTAINED[permission] ?? [])]);
}

/** What somebody with the role holds. */
export function heldBy(role: Role): ReadonlySet<Permission> {
  return HELD_BY_ROLE[role];
}

const HELD_BY_ROLE = Object.fromEntries(
  Object.entries(BY_ROLE).map(([role, permissions]) => [role, withContained(permissions)]),
) as Record<Role, ReadonlySet<Permission>>;

/** True if everything in `wanted` is in `held`. */
export function isWithin(wanted: Iterable<Permission>, held: ReadonlySet<Permission>): boolean {
  for (const permission of wanted) if (!held.has(permission)) return false;
  return true;
}
