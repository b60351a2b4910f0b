// The orders that a build gives to its thread, and the answers.
import type { SiteFile } from '../build.ts';
import type { WriteTreeOrder, WrittenTree } from './write-tree.ts';

export interface TreeWorkerData {
  /** The bare repository. */
  repository: string;
  /** Folder of the compile cache, if there is one. */
  compiled: string | undefined;
}

export type ThreadOrder =
  | ({ kind: 'write' } & WriteTreeOrder)
  /** Finds `outDir` below `tree`, moves it to `target`, and lists its files. */
  | { kind: 'take'; tree: string; outDir: string; target: string };

export type ThreadAnswer =
  | { written: WrittenTree }
  | { files: SiteFile[] }
  /** A BuildError. */
  | { refused: string };
