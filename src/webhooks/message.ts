// What a webhook is sent: the message as it waits in the outbox, and the body that is made of it.
import type { StoredDocument } from '../content/document.ts';
import type { CommitFeed } from '../history/feed/commit-feed.ts';
import type { EventActor } from './events.ts';

export interface Message {
  /** A name of the catalogue, or `ping`. */
  event: string;
  /** ISO 8601. */
  at: string;
  actor: EventActor;
  /** Sent as it is, unless it is about a document. */
  data?: object;
  content?: ContentMessage;
}

/** About a document. Its text stays in the repository until it is sent: thousands may wait. */
export interface ContentMessage {
  id: string;
  collection: string;
  slug: string;
  fields: readonly string[];
  commit: string;
  changeId: string;
  previousSlug?: string;
  /** The commit whose version is sent, where it is not this one: of a deletion the one before. */
  version?: string | undefined;
  /** Its file there, where that is known. */
  blob?: string;
}

/** The bytes that are signed and sent. The same for each try, but where a commit was replayed meanwhile. */
export async function toMessageBody(
  message: Message,
  site: string,
  feed: Pick<CommitFeed, 'versionAt' | 'versionBy'>,
): Promise<Buffer> {
  const { event, at, actor, data, content } = message;
  const told = content ? await dataOf(content, feed) : (data ?? {});
  return Buffer.from(JSON.stringify({ event, at, site, actor, data: told }));
}

async function dataOf(content: ContentMessage, feed: Pick<CommitFeed, 'versionAt' | 'versionBy'>): Promise<object> {
  const { id, collection, slug, fields, commit, changeId, previousSlug, version = commit, blob } = content;
  // Of a commit that was replayed in a crash only the change's id may still be known.
  const found = (await feed.versionAt(version, id, blob)) ?? (await feed.versionBy(changeId, id, version !== commit));
  const document = found?.doc && withoutFieldMeta(found.doc);
  return {
    ...{ id, collection, slug },
    status: document?.status ?? null,
    fields,
    // As it is called now: it may have been replayed since.
    commit: version === commit && found ? found.commit : commit,
    changeId,
    ...(previousSlug && { previousSlug }),
    document: document ?? null,
  };
}

function withoutFieldMeta({ _fieldMeta, ...document }: StoredDocument) {
  return document;
}
