// The address of a document in the admin. Pure.

export function toDocumentPath(collection: string, slug: string): string {
  return `/admin/content/${encodeURIComponent(collection)}/${encodeURIComponent(slug)}`;
}
