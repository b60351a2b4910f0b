// The curation queue: what models want to write, and what people decide about it. One decision at a time, so that of two
// people who decide at once one wins and the other gets 409.
import { randomBytes } from 'node:crypto';
import type { Actor, Permission, Principal } from '../access/principal.ts';
import type { ContentService } from '../content/api.ts';
import type { Data, StoredDocument } from '../content/document.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { isEqual } from '../lib/equal.ts';
import { conflict, invalid, lacksPermission, notFound, type Problem, ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { createNews, type News } from '../lib/queues/news.ts';
import { checkVersion, type VersionMatch } from '../lib/version-tag.ts';
import type { SiteSchema } from '../schema/collection.ts';
import type { AiWrites } from './ai-writes.ts';
import { type ApprovalChoice, chooseData } from './decide.ts';
import { type CurationItem, type ItemStatus, isDecided, itemEtag, toItemId, toTitle } from './item.ts';
import type { ItemEntry } from './item-index.ts';
import { type CurationNews, createItems, type Items, withNews } from './items.ts';
import { createPropose, type ProposeParts, toBase } from './propose.ts';
import { createQueueWrites } from './queue-writes.ts';
import { type CurationStats, toStats } from './stats.ts';
import { writeApproved } from './write-approved.ts';

export interface CurationParts {
  site: string;
  content: ContentService;
  schema: SiteSchema;
  /** `_data`. */
  data: DataFolder;
  /** Path of a document's page; undefined if it has none. */
  pathOf(document: StoredDocument): string | undefined;
  now(): Date;
  logger: Pick<Logger, 'warn'>;
}

/** Items that one run may propose. */
const MAX_COLLECTED = 50;
/** An item may be as large as a document, and a page is made in memory. */
const MAX_PAGE_CHARS = 16 << 20;

export interface ItemsQuery {
  /** Those that wait, if absent. */
  status?: ItemStatus | 'all' | undefined;
  /** Id of an agent. */
  agent?: string | undefined;
  limit: number;
  offset: number;
}

export interface ItemEdit {
  fields?: Data | undefined;
  status?: 'in_review' | undefined;
  /** What the document had in these fields when the editor looked; as it is now, if absent. */
  base?: Data | undefined;
}

export interface Approval extends ApprovalChoice {
  /** An edit of the item's own data that is carried out with the approval, or not at all. */
  edit?: Pick<ItemEdit, 'fields' | 'base'> | undefined;
}

/** Who decides about an item. */
export interface ItemEditor {
  principal: Principal;
  actor: Actor;
  /** The version that was looked at; any, if absent. */
  ifMatch?: VersionMatch | undefined;
}

/** With what keeps the document from being published, or what it points to and readers cannot see. */
export type ApprovedItem = CurationItem & { warnings?: Problem[] };

export interface CollectedWrites {
  aiWrites: AiWrites;
  /** Stores the items with what the run used, and returns their ids. */
  keep(used: { tokens: number; costUsd: number | null }): Promise<string[]>;
}

export interface Curation {
  aiWrites: AiWrites;
  /** Writes whose items are kept all together, or not at all: of a run that may fail. */
  collect(): CollectedWrites;
  /** Newest first. */
  list(
    query: Omit<ItemsQuery, 'status'> & { status?: string | undefined },
  ): Promise<{ items: CurationItem[]; total: number }>;
  stats(): Promise<CurationStats>;
  /** @throws 404 */
  get(id: string): Promise<CurationItem>;
  /** The version of an item, quoted. */
  etagOf(item: CurationItem): string;
  /** A field that a person changes is that person's from then on. @throws 404, 409 if it is decided, 412, 400 */
  edit(id: string, edit: ItemEdit, by: ItemEditor): Promise<CurationItem>;
  /** @throws 403 for a caller that may approve nothing, not even as a draft */
  checkApprover(by: ItemEditor): void;
  /** @throws 403, 404, 400, 412, and 409: decided, locked, or changed since (VersionsConflict) */
  approve(id: string, approval: Approval, by: ItemEditor): Promise<ApprovedItem>;
  /** @throws 403, 404, 409 if it is decided, 412 */
  reject(id: string, choice: { feedback?: string | undefined }, by: ItemEditor): Promise<CurationItem>;
  /** Takes a rejection back: the item waits again. @throws 403, 404, 409 unless it is rejected */
  reopen(id: string, by: ItemEditor): Promise<CurationItem>;
  /** Calls the listener with each item that comes, changes or goes; returns the function that stops it. */
  listen: News<CurationNews>['listen'];
  /** What people said when they rejected items of an agent, newest first. */
  feedbackFor(agentId: string, max: number): Promise<{ title: string; feedback: string }[]>;
  /** Reads the files again after something else changed them (a restored backup). */
  reload(): void;
}

export function createCuration(parts: CurationParts): Curation {
  const { site, content, schema, now } = parts;
  const news = createNews<CurationNews>();
  const items = withNews(createItems(parts), news.report);
  const inOrder = createInOrder();
  let lastMs = 0;
  const newId = (): string => {
    // Later than the previous one, so that items are listed in the order in which they came.
    lastMs = Math.max(now().getTime(), lastMs + 1);
    return toItemId(lastMs, randomBytes(8));
  };

  async function get(id: string): Promise<CurationItem> {
    const item = await items.find(id);
    if (!item) throw notFound(`item "${id}"`);
    return item;
  }

  /** One after another, on the item as the last change left it. */
  function changeIf(
    mayChange: (item: CurationItem) => boolean,
    id: string,
    { ifMatch }: Pick<ItemEditor, 'ifMatch'>,
    work: (item: CurationItem) => CurationItem | Promise<CurationItem>,
  ): Promise<CurationItem> {
    return inOrder(async () => {
      const item = await get(id);
      if (!mayChange(item)) throw conflict(`item "${id}" is ${item.status}${isDecided(item) ? ' already' : ''}`);
      checkVersion(ifMatch, itemEtag(item), `item "${id}"`);
      const changed = await work(item);
      await items.write(changed);
      return changed;
    });
  }

  const change = changeIf.bind(undefined, (item) => !isDecided(item));

  const decided = ({ principal }: ItemEditor) => ({
    decidedAt: now().toISOString(),
    decidedBy: { id: principal.userId, name: principal.name || principal.email },
  });

  return {
    aiWrites: createQueueWrites(content, createPropose({ content, schema, items, now, newId })),
    collect: () => collectItems({ content, schema, items, now, newId }),
    get,
    etagOf: itemEtag,
    list: ({ status, agent, limit, offset }) =>
      readPage(items, {
        isWanted: (entry) =>
          (status === 'all' || (status === undefined ? !isDecided(entry) : entry.status === status)) &&
          (agent === undefined || entry.agentId === agent),
        limit,
        offset,
      }),
    async stats() {
      const index = await items.index();
      return toStats(index.counts(), index.byAgent());
    },
    edit: (id, edit, by) =>
      change(id, by, (item) => {
        needs(by, 'content:write');
        return edited(parts, item, edit, by);
      }),
    checkApprover(by) {
      needs(by, by.principal.permissions.has('content:write') ? 'content:write' : 'content:publish');
    },
    approve(id, { edit, ...choice }, by) {
      needs(by, 'content:read', choice.asDraft ? 'content:write' : 'content:publish');
      if (edit) needs(by, 'content:write');
      if (edit && choice.alternative !== undefined) {
        throw invalid([{ path: 'alternative', message: 'is approved as it is; leave it out, or edit' }]);
      }
      let remarks: Pick<ApprovedItem, 'warnings'> = {};
      const decide = async (before: CurationItem): Promise<CurationItem> => {
        const item = edit ? edited(parts, before, edit, by) : before;
        const { data: chosen, leftOut } = chooseData(item, choice);
        const { draftsOnly: _, ...actor } = by.actor;
        const mayPublish = by.principal.permissions.has('content:publish');
        const approver = mayPublish ? actor : { ...actor, draftsOnly: true };
        const written = await writeApproved({ site, content }, item, chosen, choice, approver);
        const { document, skippedFields, warnings } = written;
        remarks = warnings ? { warnings } : {};
        return {
          ...item,
          status: choice.asDraft ? 'approved' : 'published',
          slug: document.slug,
          documentId: document.id,
          documentUrl: parts.pathOf(document) ?? null,
          skippedFields: [...new Set([...item.skippedFields, ...skippedFields])],
          leftOutFields: leftOut,
          ...decided(by),
        };
      };
      return change(id, by, decide).then((item) => ({ ...item, ...remarks }));
    },
    reject(id, { feedback }, by) {
      needs(by, 'content:write');
      return change(id, by, (item) => ({
        ...item,
        status: 'rejected',
        feedback: feedback?.trim() || null,
        ...decided(by),
      }));
    },
    reopen(id, by) {
      needs(by, 'content:write');
      return changeIf(isRejected, id, by, toReopened);
    },
    async feedbackFor(agentId, max) {
      const isWanted = (entry: ItemEntry) =>
        entry.agentId === agentId && entry.status === 'rejected' && entry.hasFeedback;
      const { items: found } = await readPage(items, { isWanted, limit: max, offset: 0 });
      return found.map(({ title, feedback }) => ({ title, feedback: feedback ?? '' }));
    },
    listen: news.listen,
    reload: items.reload,
  };
}

async function readPage(items: Items, range: { isWanted(entry: ItemEntry): boolean; limit: number; offset: number }) {
  const { ids, total } = (await items.index()).page(range);
  const found: CurationItem[] = [];
  let sizeChars = 0;
  for (const id of ids) {
    const item = await items.find(id);
    if (!item) continue;
    sizeChars += JSON.stringify(item.data).length;
    if (sizeChars > MAX_PAGE_CHARS) throw new ServiceError('too_large', 'the page is too large; set a smaller limit');
    found.push(item);
  }
  return { items: found, total };
}

function toReopened(item: CurationItem): CurationItem {
  return { ...item, status: 'ready', feedback: null, decidedAt: null, decidedBy: null };
}

function isRejected({ status }: CurationItem): boolean {
  return status === 'rejected';
}

/** Proposals of one run, which are items of the queue once they are kept: all of them, or none. */
function collectItems(
  parts: ProposeParts & { items: Items; content: ContentService },
): ReturnType<Curation['collect']> {
  const { content, items } = parts;
  const collected: CurationItem[] = [];
  const write = async (item: CurationItem): Promise<void> => {
    if (collected.length === MAX_COLLECTED) throw conflict(`one run proposes at most ${MAX_COLLECTED} items`);
    collected.push(item);
  };
  const propose = createPropose({ ...parts, items: { ...items, write } });
  return {
    aiWrites: createQueueWrites(content, propose),
    async keep(used) {
      const kept: string[] = [];
      try {
        for (const item of collected) {
          await items.write({ ...item, ...used });
          kept.push(item.id);
        }
      } catch (error) {
        for (const id of kept) await items.remove(id);
        throw error;
      }
      return kept;
    },
  };
}

function edited(
  { content, schema }: CurationParts,
  item: CurationItem,
  { fields = {}, status, base }: ItemEdit,
  { actor }: ItemEditor,
): CurationItem {
  const checks = schema.collections.get(item.collection);
  if (!checks) throw conflict(`collection "${item.collection}" is gone; reject the item`);
  const names = Object.keys(fields);
  const isPerson = actor.kind === 'user';
  // A person may leave a text half done, as in a draft: it is refused when it would be published.
  const problems = isPerson ? checks.checkTypes(fields, names) : checks.check(fields, names);
  if (problems.length > 0) throw invalid(problems);
  const data = { ...item.data, ...fields };
  const document = item.documentId === null ? undefined : content.stored(item.collection, { id: item.documentId });
  const changed = names.filter((field) => !isEqual(item.data[field], fields[field]));
  // A person who edits has seen what the document has by now; for a model only new fields are compared with that.
  const seen = isPerson ? names : names.filter((field) => !Object.hasOwn(item.data, field));
  const known = base && isPerson ? pick(base, seen) : toBase(document, seen);
  return {
    ...item,
    data,
    title: toTitle({ ...document?.data, ...data }, item.title),
    base: document ? { ...withoutKeys(item.base, seen), ...known } : item.base,
    editedFields: isPerson
      ? [...new Set([...item.editedFields, ...changed])]
      : item.editedFields.filter((field) => !changed.includes(field)),
    status: status ?? item.status,
  };
}

/** @throws ServiceError 403 */
function needs({ principal }: ItemEditor, ...permissions: Permission[]): void {
  for (const permission of permissions) {
    if (principal.heldBack !== undefined || !principal.permissions.has(permission)) {
      throw lacksPermission(principal, permission);
    }
  }
}

function pick(data: Data, keys: readonly string[]): Data {
  return Object.fromEntries(Object.entries(data).filter(([key]) => keys.includes(key)));
}

function withoutKeys(data: Data, keys: readonly string[]): Data {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.includes(key)));
}
