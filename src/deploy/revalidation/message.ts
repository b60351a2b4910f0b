// What is sent to a site's frontend, as it waits in the outbox and as its body is made. Nothing that is not public is in
// either of them.
import type { Document } from '../../content/document.ts';

export const REVALIDATION_ACTIONS = ['created', 'updated', 'published', 'unpublished', 'deleted'] as const;
export type RevalidationAction = (typeof REVALIDATION_ACTIONS)[number];

export interface RevalidationMessage {
  collection: string;
  slug: string;
  action: RevalidationAction;
  paths: readonly string[];
  /** The document's id; absent for a media file. */
  document?: string;
}

/** The bytes that are signed and sent. `document` as it is now, and null if it is not published now. */
export function toRevalidationBody(
  { collection, slug, action, paths, document: id }: RevalidationMessage,
  findPublished: (id: string) => Document | undefined,
): Buffer {
  const document = (id !== undefined && isShown(action) && findPublished(id)) || null;
  return Buffer.from(JSON.stringify({ collection, slug, action, paths, document }));
}

function isShown(action: RevalidationAction): boolean {
  return action !== 'unpublished' && action !== 'deleted';
}
