// The permissions of each role (decisions.md, section 6). Pure; does not decide who has which role.
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

/** Permissions that another one contains: a principal who may change or read everything may change or read a part. */
const CONTAINED: Partial<Record<Permission, readonly Permission[]>> = {
  'content:write': ['content:draft'],
  'content:read': ['content:read-published'],
};

/** The permissions that the role lists by name. */
export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return BY_ROLE[role];
}

/** Adds the contained permissions: the result is what a principal holds, and what checks use. */
export function withContained(permissions: Iterable<Permission>): ReadonlySet<Permission> {
  const named = [...permissions];
  return new Set([...named, ...named.flatMap((permission) => CONTAINED[permission] ?? [])]);
}

/** The permissions that a user with the role holds, contained ones included. */
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
