// The message as it waits in the outbox, and the body that is made from it and sent to the webhook.
import type { StoredDocument } from '../content/document.ts';
import type { CommitFeed } from '../history/feed/commit-feed.ts';
import type { EventActor } from './events.ts';

export interface Message {
  /** A name of the catalogue, or `ping`. */
  event: string;
  /** ISO 8601. */
  at: string;
  actor: EventActor;
  /** Sent unchanged; absent if the message is about a document. */
  data?: object;
  content?: ContentMessage;
}

/** A message about a document. The text stays in the repository until it is sent: thousands of messages may wait. */
export interface ContentMessage {
  id: string;
  collection: string;
  slug: string;
  fields: readonly string[];
  commit: string;
  changeId: string;
  previousSlug?: string;
  /** The commit whose version is sent, if it is not `commit`: for a deletion the last one that had the document. */
  version?: string | undefined;
  /** The object of its file in `commit`, if known. */
  blob?: string;
}

/** Returns the bytes that are signed and sent: the same for each attempt, unless the commit is replayed in between. */
export async function toMessageBody(
  message: Message,
  site: string,
  feed: Pick<CommitFeed, 'versionAt' | 'versionBy'>,
): Promise<Buffer> {
  const { event, at, actor, data, content } = message;
  const sent = content ? await dataOf(content, feed) : (data ?? {});
  return Buffer.from(JSON.stringify({ event, at, site, actor, data: sent }));
}

async function dataOf(content: ContentMessage, feed: Pick<CommitFeed, 'versionAt' | 'versionBy'>): Promise<object> {
  const { id, collection, slug, fields, commit, changeId, previousSlug, version = commit, blob } = content;
  // If the commit was replayed around a crash, only the change's id may still be known.
  const found = (await feed.versionAt(version, id, blob)) ?? (await feed.versionBy(changeId, id, version !== commit));
  const document = found?.doc && withoutFieldMeta(found.doc);
  return {
    ...{ id, collection, slug },
    status: document?.status ?? null,
    fields,
    // The current commit of the change, which may have been replayed.
    commit: version === commit && found ? found.commit : commit,
    changeId,
    ...(previousSlug && { previousSlug }),
    document: document ?? null,
  };
}

function withoutFieldMeta({ _fieldMeta, ...document }: StoredDocument) {
  return document;
}
