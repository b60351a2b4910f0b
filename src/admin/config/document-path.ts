// The addresses of a collection and of its documents in the admin. Pure.

export function toCollectionPath(collection: string): string {
  return `/admin/content/${encodeURIComponent(collection)}`;
}

export function toDocumentPath(collection: string, slug: string): string {
  return `${toCollectionPath(collection)}/${encodeURIComponent(slug)}`;
}
