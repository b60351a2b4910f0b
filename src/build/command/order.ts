// The orders that a build gives to its thread, and the answers.
import type { SiteFile } from '../build.ts';
import type { WriteTreeOrder, WrittenTree } from './write-tree.ts';

export type ThreadOrder =
  | ({ kind: 'write' } & WriteTreeOrder)
  /** Finds `outDir` below `tree`, moves it to `target`, and lists its files. */
  | { kind: 'take'; tree: string; outDir: string; target: string };

export type ThreadAnswer =
  | { written: WrittenTree }
  | { files: SiteFile[] }
  /** A BuildError. */
  | { refused: string };
