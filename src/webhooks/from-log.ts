// Turns a commit into events for webhooks: one for each document and media file that it changed. An event of a document
// records only its place and its commit; the text is read when it is sent.
import type { LoggedChange, LoggedCommit } from '../history/feed/logged-commit.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { WebhookEventName } from './events.ts';
import type { Message } from './message.ts';

/** Events of the log about one document. Locks are missing, because they change no content. */
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
/** Events that come from the log; all others are emitted. */
export const LOG_EVENTS: readonly WebhookEventName[] = [...WANTED_CONTENT, 'media.uploaded', 'media.deleted'];
/** In an external commit the author's name and a document's keys may be megabytes long. */
const MAX_FIELDS = 200;
const MAX_CHARACTERS = 200;
const NOT_REPORTED = /^field\./;

export interface LogMessage {
  message: Message;
  /** The document or media file that it is about: stable, and unique for each event of the commit. */
  subject: string;
  /** Set if a change that was reported before is reported again: the external commit that it was replayed on. */
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

/** The event of one document. If the commit has many documents or an unknown event, its kind of change decides. */
async function eventOf(change: LoggedChange): Promise<WebhookEventName | undefined> {
  if (NOT_REPORTED.test(change.event)) return undefined;
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
