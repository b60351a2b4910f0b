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

export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return BY_ROLE[role];
}

/** True if everything in `wanted` is in `held`. */
export function isWithin(wanted: Iterable<Permission>, held: ReadonlySet<Permission>): boolean {
  for (const permission of wanted) if (!held.has(permission)) return false;
  return true;
}
