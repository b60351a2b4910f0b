// The documents that are selected, with what actions on them depend on. Pure.
import { type Selection, select } from '../../ui/selection.ts';
import type { ListDocument } from './row-pages.ts';

export type SelectedDocument = Pick<ListDocument, 'id' | 'slug' | 'status' | 'publishAt'> & { title: string };
export type DocumentSelection = Selection<SelectedDocument>;

/** The same with what is known now of the selected ones. */
export function refreshSelection(selection: DocumentSelection, rows: readonly SelectedDocument[]): DocumentSelection {
  if (selection.kind === 'query') return selection;
  const news = rows.filter(({ id, status, publishAt, slug }) => {
    const old = selection.items.get(id);
    return old !== undefined && (old.status !== status || old.publishAt !== publishAt || old.slug !== slug);
  });
  return news.length === 0 ? selection : select(selection, news, true);
}
