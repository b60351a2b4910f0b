/** The address that says whether the site shows a document. By the id, which a rename leaves as it is. */
export function toLiveUrl(collection: string, id: string): string {
  return `/api/admin/deploys/live?${new URLSearchParams({ collection, slug: id })}`;
}
