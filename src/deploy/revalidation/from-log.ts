// Turns a commit into messages for the frontend: one for each document that was public before it or is after it, and one
// for each media file.
import type { StoredDocument } from '../../content/document.ts';
import type { LoggedChange, LoggedCommit } from '../../history/feed/logged-commit.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { RevalidationAction, RevalidationMessage } from './message.ts';
import type { PublishedPaths } from './published-paths.ts';

export interface LogRevalidation {
  message: RevalidationMessage;
  /** The document or media file that it is about; unique in the commit. */
  subject: string;
  /** The external commit that a change was replayed on, if it is reported again. */
  againSince: LoggedChange['overtakenBy'];
}

export interface CommitRevalidations {
  messages: LogRevalidation[];
  /** A public document changed that has no page of its own: pages that show it are not known here. */
  hasUnaddressed: boolean;
}

export interface FromLogParts {
  paths: PublishedPaths;
  mediaUrl(slug: string): string;
}

export async function revalidationsOf(
  commit: LoggedCommit,
  { paths, mediaUrl }: FromLogParts,
): Promise<CommitRevalidations> {
  const found: CommitRevalidations = { messages: [], hasUnaddressed: false };
  // One commit may be a thousand documents.
  const breathe = createBreathe();
  for (const change of commit.changes) {
    await breathe();
    // Locks change nothing public.
    if (change.event.startsWith('field.')) continue;
    const [before, after] = [published(await change.before()), published(await change.after())];
    const newest = after ?? before;
    if (!newest) continue;
    const message: RevalidationMessage = {
      ...{ collection: newest.collection, slug: newest.slug, document: newest.id },
      action: actionOf(before, after, change.isGone),
      paths: pathsOf(before, after, paths),
    };
    if (message.paths.length === 0) found.hasUnaddressed = true;
    else found.messages.push({ message, subject: newest.id, againSince: change.overtakenBy });
  }
  for (const { event, slug } of await commit.media()) {
    await breathe();
    const action = event === 'media.deleted' ? 'deleted' : 'created';
    const message: RevalidationMessage = { collection: 'media', slug, action, paths: [mediaUrl(slug)] };
    found.messages.push({ message, subject: `media/${slug}`, againSince: undefined });
  }
  return found;
}

function actionOf(
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
  isGone: boolean,
): RevalidationAction {
  if (after) return before ? 'updated' : 'published';
  return isGone ? 'deleted' : 'unpublished';
}

/** The paths after the change and before it, without repeats. */
function pathsOf(
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
  paths: PublishedPaths,
): string[] {
  const [now, earlier] = [after ? paths.of(after) : [], before ? paths.of(before) : []];
  const all = new Set([...now, ...earlier]);
  // The first path is the document's own; if it stays, so do those below it.
  const isMoved = now[0] !== earlier[0];
  for (const version of isMoved ? [after, before] : [])
    if (version && paths.isNested(version.collection)) for (const path of paths.below(version)) all.add(path);
  return [...all];
}

function published(document: StoredDocument | undefined): StoredDocument | undefined {
  return document?.status === 'published' ? document : undefined;
}
