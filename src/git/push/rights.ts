// The permissions that a changed file of a push needs, by its path (decisions.md, section 12). Pure. Files that are
// neither content nor media are code: a user who may write them can run programs on other people's machines.
import type { Permission } from '../../access/principal.ts';

export interface ChangedPath {
  path: string;
  /** `before` and `after` are null if the file does not exist on that side. */
  before: string | null;
  after: string | null;
}

const MEDIA_META = /\/\.meta\/[^/]+$/;

export function permissionsFor({ path, before, after }: ChangedPath): Permission[] {
  if (path.startsWith('content/')) return ['content:write'];
  if (!path.startsWith('media/')) return ['repository:write'];
  if (after === null) return ['media:delete'];
  // Other bytes under the same name remove the old ones; metadata of a file is only written.
  const isOverwritten = before !== null && !MEDIA_META.test(path);
  return isOverwritten ? ['media:write', 'media:delete'] : ['media:write'];
}
