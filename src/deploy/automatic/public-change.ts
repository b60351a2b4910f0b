// Whether a commit changes what is public: a document that is or was published, files beside the content, or media.
import type { StoredDocument } from '../../content/document.ts';
import type { LoggedCommit } from '../../history/feed/logged-commit.ts';

export interface PublicChange {
  /** A published document, or a file that builds read. */
  isCertain: boolean;
  /** A file beside content and media: build scripts and the like. No revalidation covers it. */
  isOfBuild: boolean;
  /** Media files that were added, replaced or removed: public if a published document uses them. */
  media: readonly string[];
}

/** Locks are not public. */
const LOCK_EVENT = /^field\./;

export async function publicChangeOf(
  commit: LoggedCommit,
  hasOtherFiles: (commit: string) => boolean,
): Promise<PublicChange> {
  // Our own commits change documents and media only.
  const isOfBuild = commit.changeId === commit.commit && hasOtherFiles(commit.commit);
  const isCertain = isOfBuild || (await hasPublished(commit));
  return { isCertain, isOfBuild, media: isCertain ? [] : (await commit.media()).map(({ slug }) => slug) };
}

async function hasPublished({ changes }: LoggedCommit): Promise<boolean> {
  for (const change of changes) {
    if (LOCK_EVENT.test(change.event)) continue;
    if (isPublished(await change.after()) || isPublished(await change.before())) return true;
  }
  return false;
}

function isPublished(document: StoredDocument | undefined): boolean {
  return document?.status === 'published';
}
