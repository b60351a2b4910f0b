// What filters, tags and fields need of the page that is being rendered.
import type { FieldConfig } from '../../config/site-config.ts';
import type { PageContext } from './page-context.ts';

/** What is being rendered: filters and tags ask it for the page. One page at a time, because rendering is synchronous. */
export interface RenderState {
  page(): PageContext;
  scope(): object;
  renderBlock(name: string, block: object): string | undefined;
  /** The fields of a block; empty if the site has no such block. */
  blockFields(name: string): readonly FieldConfig[];
  fieldHtml(field: FieldConfig, value: unknown): string;
}
