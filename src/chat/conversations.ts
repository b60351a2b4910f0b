// Conversations as files, `_data/chat/<owner>/<id>.json`: each owner's own, in no commit and in no backup.
import type { Principal } from '../access/principal.ts';
import { type DataFolder, isDataName } from '../data/data-folder.ts';
import { notFound } from '../lib/errors.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { createNews, type News } from '../lib/queues/news.ts';
import { parseStoredJson } from '../lib/stored-json.ts';
import { bounded, type StoredConfirmation } from './confirmation.ts';
import { type ConversationSummary, StoredConversation, toSummary, toTitle } from './conversation.ts';

/** A conversation of the owner went on, or is gone; without an id, all of them are. */
export interface ConversationNews {
  owner: string;
  id: string | null;
  change: 'saved' | 'removed';
}

export interface Conversations {
  /** Newest first. */
  list(owner: string): Promise<ConversationSummary[]>;
  /** @throws ServiceError 404, also for another owner's */
  get(owner: string, id: string): Promise<StoredConversation>;
  /** A new one. Beyond the limit the oldest ones of the owner make room. */
  save(owner: string, conversation: StoredConversation): Promise<void>;
  /** Adds to what is kept by now, because another turn may have ended meanwhile. Returns false if it is gone. */
  add(owner: string, id: string, added: AddedTurn): Promise<boolean>;
  /** The confirmation, and the conversation that has it. @throws ServiceError 404, also for another owner's */
  findConfirmation(owner: string, id: string): Promise<{ conversationId: string; confirmation: StoredConfirmation }>;
  /**
   * Replaces a confirmation with what `change` makes of it as it is by then; durable once it resolves. Returns undefined
   * if the conversation is gone. @throws what `change` throws
   */
  changeConfirmation(
    owner: string,
    at: { conversationId: string; id: string },
    change: (confirmation: StoredConfirmation) => StoredConfirmation,
  ): Promise<StoredConfirmation | undefined>;
  /** @throws ServiceError 404 */
  remove(owner: string, id: string): Promise<void>;
  removeAll(owner: string): Promise<void>;
  /** Calls the listener with each change; returns the function that stops it. */
  listen: News<ConversationNews>['listen'];
}

export interface AddedTurn extends Pick<StoredConversation, 'messages' | 'updatedAt' | 'confirmations' | 'hasRead'> {
  /** Its messages are the whole conversation from now on. What was asked and answered stays as it is by then. */
  replaces: boolean;
}

export const MAX_CONVERSATIONS = 200;
const EXTENSION = '.json';
const ID = /^[\w-]{1,100}$/;

/** A user's session sees the user's conversations, an access token its own: it may be known to more people than its user. */
export function ownerOf({ kind, userId, tokenId }: Pick<Principal, 'kind' | 'userId' | 'tokenId'>): string {
  const owner = kind === 'token' ? `token-${tokenId}` : `user-${userId}`;
  if (!isDataName(owner)) throw new Error(`"${owner}" cannot own conversations`);
  return owner;
}

export function createConversations(data: DataFolder, warn: (message: string) => void): Conversations {
  const folder = data.folder('chat');
  const inOrder = createInOrder();
  const news = createNews<ConversationNews>();

  async function read(owner: string, name: string): Promise<StoredConversation | undefined> {
    const bytes = await folder.folder(owner).read(name);
    if (!bytes) return undefined;
    const found = parseStoredJson(StoredConversation, bytes);
    if (!found) warn(`file "_data/chat/${owner}/${name}" is damaged, and was skipped`);
    return found;
  }

  /** One at a time: each may be as large as a document. */
  async function readAll(owner: string): Promise<ConversationSummary[]> {
    const names = (await folder.folder(owner).list()).filter((name) => name.endsWith(EXTENSION));
    const found: ConversationSummary[] = [];
    for (const name of names) {
      const one = await read(owner, name);
      if (one) found.push(toSummary(one));
    }
    return found.sort(newestFirst);
  }

  async function remove(owner: string, id: string): Promise<void> {
    if (!ID.test(id) || !(await folder.folder(owner).remove(id + EXTENSION))) throw notFound(`conversation "${id}"`);
    news.report({ owner, id, change: 'removed' });
  }

  async function write(owner: string, conversation: StoredConversation): Promise<void> {
    const { id } = conversation;
    await folder.folder(owner).write(id + EXTENSION, JSON.stringify(conversation));
    news.report({ owner, id, change: 'saved' });
  }

  return {
    list: readAll,
    async get(owner, id) {
      const found = ID.test(id) ? await read(owner, id + EXTENSION) : undefined;
      if (!found) throw notFound(`conversation "${id}"`);
      return found;
    },
    save: (owner, conversation) =>
      inOrder(async () => {
        await write(owner, conversation);
        const names = await folder.folder(owner).list();
        if (names.length <= MAX_CONVERSATIONS) return;
        for (const { id } of (await readAll(owner)).slice(MAX_CONVERSATIONS)) await remove(owner, id);
      }),
    add: (owner, id, { messages, updatedAt, confirmations, hasRead, replaces }) =>
      inOrder(async () => {
        const found = await read(owner, id + EXTENSION);
        if (!found) return false;
        const before = found.confirmations;
        const added = confirmations.filter((one) => !before.some((other) => other.id === one.id));
        await write(owner, {
          ...{ ...found, updatedAt, hasRead: found.hasRead || hasRead },
          ...(replaces ? { title: toTitle(messages), messages } : { messages: [...found.messages, ...messages] }),
          confirmations: bounded([...before, ...added], new Date(updatedAt)),
        });
        return true;
      }),
    async findConfirmation(owner, id) {
      for (const name of ID.test(id) ? await folder.folder(owner).list() : []) {
        const bytes = await folder.folder(owner).read(name);
        // Most files are not parsed: each may be as large as a document.
        const found = bytes?.includes(`"${id}"`) ? parseStoredJson(StoredConversation, bytes) : undefined;
        const confirmation = found?.confirmations.find((one) => one.id === id);
        if (found && confirmation) return { conversationId: found.id, confirmation };
      }
      throw notFound(`confirmation "${id}"`);
    },
    changeConfirmation: (owner, { conversationId, id }, change) =>
      inOrder(async () => {
        const found = await read(owner, conversationId + EXTENSION);
        const before = found?.confirmations.find((one) => one.id === id);
        if (!found || !before) return undefined;
        const after = change(before);
        const confirmations = found.confirmations.map((one) => (one === before ? after : one));
        await write(owner, { ...found, confirmations });
        return after;
      }),
    remove: (owner, id) => inOrder(() => remove(owner, id)),
    removeAll: (owner) =>
      inOrder(async () => {
        for (const name of await folder.folder(owner).list()) await folder.folder(owner).remove(name);
        news.report({ owner, id: null, change: 'removed' });
      }),
    listen: news.listen,
  };
}

function newestFirst(a: ConversationSummary, b: ConversationSummary): number {
  const [first, second] = [`${a.updatedAt} ${a.id}`, `${b.updatedAt} ${b.id}`];
  return first < second ? 1 : first > second ? -1 : 0;
}
