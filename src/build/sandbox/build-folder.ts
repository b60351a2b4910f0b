// The parts of a build's folder, and their places in a sandbox or container. Pure.
import path from 'node:path';

export interface BuildFolder {
  path: string;
  /** The tree of the commit, in which the command starts. */
  tree: string;
  home: string;
  temporary: string;
  /** Files of /etc that a sandbox reads. */
  etc: string;
}

export function toBuildFolder(folder: string): BuildFolder {
  const at = (name: string): string => path.join(folder, name);
  return { path: folder, tree: at('tree'), home: at('home'), temporary: at('tmp'), etc: at('etc') };
}

// Each is a mount of its own: a command must not be able to put a link in the place of its tree, which is read afterwards.
export const TREE = '/site';
export const HOME = '/colophon/home';
export const TEMPORARY = '/colophon/tmp';
