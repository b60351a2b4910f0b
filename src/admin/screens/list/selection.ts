// Which documents are selected: some by their id, or everything that the list's query finds, with exceptions. Pure.
import type { ListDocument } from './row-pages.ts';

export type SelectedDocument = Pick<ListDocument, 'id' | 'slug' | 'status' | 'publishAt'> & { title: string };

export type Selection =
  | { kind: 'some'; documents: ReadonlyMap<string, SelectedDocument> }
  | { kind: 'query'; except: ReadonlySet<string> };

export const NOTHING: Selection = { kind: 'some', documents: new Map() };
export const EVERYTHING: Selection = { kind: 'query', except: new Set() };

export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === 'some' ? selection.documents.has(id) : !selection.except.has(id);
}

export function countSelected(selection: Selection, total: number): number {
  return selection.kind === 'some' ? selection.documents.size : Math.max(0, total - selection.except.size);
}

export function unselect(selection: Selection, ids: readonly string[]): Selection {
  if (selection.kind === 'query') return selection;
  const documents = new Map(selection.documents);
  for (const id of ids) documents.delete(id);
  return { kind: 'some', documents };
}

/** The same with what is known now of the selected ones. */
export function refreshSelection(selection: Selection, rows: readonly SelectedDocument[]): Selection {
  if (selection.kind === 'query') return selection;
  const news = rows.filter(({ id, status, publishAt, slug }) => {
    const old = selection.documents.get(id);
    return old !== undefined && (old.status !== status || old.publishAt !== publishAt || old.slug !== slug);
  });
  return news.length === 0 ? selection : select(selection, news, true);
}

export function select(selection: Selection, documents: readonly SelectedDocument[], isOn: boolean): Selection {
  if (selection.kind === 'some') {
    const next = new Map(selection.documents);
    for (const one of documents) isOn ? next.set(one.id, one) : next.delete(one.id);
    return { kind: 'some', documents: next };
  }
  const except = new Set(selection.except);
  for (const { id } of documents) isOn ? except.delete(id) : except.add(id);
  return { kind: 'query', except };
}
