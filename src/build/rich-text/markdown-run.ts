// The text that marked renders at the moment: its renderers are made once, and marked is synchronous.
import type { PageContext } from '../theme/page-context.ts';
import type { PageIds } from './heading-ids.ts';

export interface Footnote {
  name: string;
  number: number;
  /** Undefined until it is rendered. */
  html?: string;
}

export interface MarkdownRun {
  page: PageContext;
  shift: number;
  ids: PageIds;
  /** The text's own HTML in what was rendered last: its tags, and blocks of it. */
  html: string[];
  /** By name, in the order in which the text refers to them. */
  footnotes: Map<string, Footnote>;
  /** Those that the text defines. */
  definitions: Map<string, string>;
}

export const current: { run: MarkdownRun | undefined } = { run: undefined };
