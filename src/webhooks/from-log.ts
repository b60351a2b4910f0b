// What a commit is to webhooks: an event for each document and media file that it changed. Of a document only its place
// and its commit are written down; its text is read when it is sent.
import type { LoggedChange, LoggedCommit } from '../history/feed/logged-commit.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { WebhookEventName } from './events.ts';
import type { Message } from './message.ts';

/** Events of the log that say what became of one document. A lock is none: no content changed. */
const CONTENT_EVENTS: Record<string, WebhookEventName> = {
  'document.created': 'content.created',
  'document.updated': 'content.updated',
  'document.renamed': 'content.renamed',
  'document.published': 'content.published',
  'document.unpublished': 'content.unpublished',
  'document.archived': 'content.archived',
  'document.deleted': 'content.deleted',
  'document.restored': 'content.restored',
};
const WANTED_CONTENT = Object.values(CONTENT_EVENTS);
/** What comes out of the log; everything else is emitted. */
export const LOG_EVENTS: readonly WebhookEventName[] = [...WANTED_CONTENT, 'media.uploaded', 'media.deleted'];
/** Somebody else's commit may name its author, and a document's keys, by megabytes. */
const MAX_FIELDS = 200;
const MAX_CHARACTERS = 200;
const UNTOLD = /^field\./;

export interface LogMessage {
  message: Message;
  /** What of the commit it is about: stable, and one of its kind in the commit. */
  subject: string;
  /** The commit since which it is told again, although its change was told before. */
  againSince: LoggedChange['overtakenBy'];
}

export async function messagesOf(
  commit: LoggedCommit,
  isWanted: (event: WebhookEventName) => boolean,
  mediaUrl: (slug: string) => string,
): Promise<LogMessage[]> {
  const messages: LogMessage[] = [];
  const { at, changeId } = commit;
  const actor = {
    ...{ kind: commit.actor, name: commit.author.name.slice(0, MAX_CHARACTERS) },
    ...(commit.push && { via: commit.push.via, pushedBy: commit.push.pushedBy.name }),
  };
  // One commit may be a thousand documents.
  const breathe = createBreathe();
  if (WANTED_CONTENT.some(isWanted)) {
    for (const change of commit.changes) {
      await breathe();
      const event = await eventOf(change);
      if (event && isWanted(event)) {
        const message = { event, at, actor, content: await contentOf(change) };
        messages.push({ subject: change.id, againSince: change.overtakenBy, message });
      }
    }
  }
  if (isWanted('media.uploaded') || isWanted('media.deleted')) {
    for (const { event, slug } of await commit.media()) {
      await breathe();
      const [folder, name] = splitAtLast(slug);
      const data = { folder, name, slug, url: mediaUrl(slug), commit: commit.commit, changeId };
      if (isWanted(event))
        messages.push({ subject: `media/${slug}`, againSince: undefined, message: { event, at, actor, data } });
    }
  }
  return messages;
}

/** Of a commit of many documents, or of a kind that is newer than this: what became of this one. */
async function eventOf(change: LoggedChange): Promise<WebhookEventName | undefined> {
  if (UNTOLD.test(change.event)) return undefined;
  return CONTENT_EVENTS[change.event] ?? CONTENT_EVENTS[await change.kind()];
}

async function contentOf(change: LoggedChange): Promise<NonNullable<Message['content']>> {
  const { id, collection, slug, fields, commit, changeId, isGone, previous, blob } = change;
  const before = fields.includes('slug') && !isGone ? await change.before() : undefined;
  return {
    ...{ id, collection, slug, commit, changeId },
    fields: fields.slice(0, MAX_FIELDS).map((field) => field.slice(0, MAX_CHARACTERS)),
    ...(before && before.slug !== slug && { previousSlug: before.slug }),
    ...(isGone ? { version: previous } : blob && { blob }),
  };
}

function splitAtLast(slug: string): [folder: string, name: string] {
  const slash = slug.lastIndexOf('/');
  return [slug.slice(0, Math.max(0, slash)), slug.slice(slash + 1)];
}
