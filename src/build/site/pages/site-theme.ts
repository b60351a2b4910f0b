// A theme as the builder uses it. Whatever a page depends on in a theme is reported to its context.
import type { FieldConfig } from '../../../config/site-config.ts';
import type { PageContext } from '../../theme/page-context.ts';

export interface SiteTheme {
  /** Hash of a file of the theme; empty if there is no such file. */
  stamp(file: string): string;
  /** Names of all files: a file that comes may be one that a page looked for. */
  names: readonly string[];
  /** Published address of a file in `assets/`. */
  assetUrl(name: string): string | undefined;
  /** The files of `assets/` and `static/` as they are published. */
  files: readonly { file: string; bytes: Buffer }[];
  /** Makes a page by the first of the layouts that the theme has. Synchronous. @throws with file and line */
  render(layouts: readonly string[], scope: Record<string, unknown>, context: PageContext): string;
  /** A field by its type, as safe HTML. */
  renderField(field: FieldConfig, value: unknown, context: PageContext): unknown;
}
