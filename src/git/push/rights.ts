// Which permissions a changed file of a push needs, by where it is (decisions.md, section 12). Pure. What is neither
// content nor media is code: whoever may write it may run programs on other people's machines.
import type { Permission } from '../../access/principal.ts';

export interface ChangedPath {
  path: string;
  /** Null where it is not there on that side. */
  before: string | null;
  after: string | null;
}

const SAID_OF_MEDIA = /\/\.meta\/[^/]+$/;

export function permissionsFor({ path, before, after }: ChangedPath): Permission[] {
  if (path.startsWith('content/')) return ['content:write'];
  if (!path.startsWith('media/')) return ['repository:write'];
  if (after === null) return ['media:delete'];
  // Other bytes under a name take away those that were there; what is said of a file is only written.
  const isOverwritten = before !== null && !SAID_OF_MEDIA.test(path);
  return isOverwritten ? ['media:write', 'media:delete'] : ['media:write'];
}
