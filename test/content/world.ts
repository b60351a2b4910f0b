// A collection in memory for decision tests: a clock that stands still, ids that count up, and documents as the last
// decision left them.
import type { Actor } from '../../src/access/principal.ts';
import { parseConfig } from '../../src/config/parse.ts';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import type { CollectionState } from '../../src/content/collection-state.ts';
import type { CreateInput, ImportInput, UpdateInput } from '../../src/content/commands.ts';
import {
  createDocument,
  type Decision,
  deleteDocument,
  importDocument,
  updateDocument,
} from '../../src/content/decide.ts';
import type { DocumentEvent, StoredDocument } from '../../src/content/document.ts';
import { createFreeSlugs } from '../../src/content/free-slugs.ts';
import { changeLocks, type LockCommand } from '../../src/content/provenance.ts';
import type { Stamp } from '../../src/content/stamp.ts';
import { inOrder } from '../../src/content/stored.ts';
import { type Problem, ServiceError } from '../../src/lib/errors.ts';
import { toSlug } from '../../src/lib/text/slug.ts';
import type { CollectionSchema } from '../../src/schema/collection.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { CONFIG } from '../support/world.ts';

export const USER: Actor = { kind: 'user', userId: 'u1', name: 'Ada', email: 'ada@example.com' };
export const AI: Actor = { kind: 'ai', userId: 'u1', name: 'Ada', email: 'ada@example.com', aiModel: 'model-1' };
export const IMPORT: Actor = { kind: 'import', name: 'Colophon', email: 'colophon@localhost' };
export const SYSTEM: Actor = { kind: 'system', name: 'Colophon', email: 'colophon@localhost' };

export const NOON = '2026-01-02T12:00:00.000Z';

/** A document as its file has it, with changes to some of its keys. */
export function makeStored(schema: CollectionSchema, change: Partial<StoredDocument> = {}): StoredDocument {
  const own = { id: 'a1B2c3D4e5F6', slug: 'a', collection: 'posts', status: 'draft' as const };
  return inOrder(
    { ...own, createdAt: NOON, updatedAt: NOON, data: { title: 'T', rank: 1, own: 'o' }, ...change },
    schema,
  );
}

export interface Desk {
  schema: CollectionSchema;
  docs: Map<string, StoredDocument>;
  /** Slugs whose files are not documents. */
  external: Set<string>;
  clock: { now: string };
  state: CollectionState;
  create(input: CreateInput, actor?: Actor): Decision;
  update(slug: string, input: UpdateInput, actor?: Actor): Decision;
  import(input: ImportInput, actor?: Actor): Decision | undefined;
  remove(slug: string, actor?: Actor): DocumentEvent;
  locks(slug: string, command: LockCommand, actor?: Actor): ReturnType<typeof changeLocks>;
  get(slug: string): StoredDocument;
}

/** Without `locales` the site has those of `CONFIG`. */
export function makeDesk(
  collection = 'posts',
  now = NOON,
  locales: string[] | undefined = CONFIG.locales,
  config: SiteConfigInput = CONFIG,
): Desk {
  const schema = compileSite(parseConfig({ ...config, ...(locales && { locales }) })).collections.get(collection)!;
  const docs = new Map<string, StoredDocument>();
  const external = new Set<string>();
  const clock = { now };
  let ids = 0;
  let groups = 0;
  const isTaken = (slug: string): boolean => docs.has(slug) || external.has(slug);
  const state: CollectionState = {
    schema,
    findBySlug: (slug) => docs.get(slug),
    findTaken: (slug) => (isTaken(slug) ? `content/${collection}/${slug}.json` : undefined),
    freeSlug: (base) => createFreeSlugs(({ slug }) => isTaken(slug)).find(collection, base),
    inGroup: (group) => [...docs.values()].filter((doc) => doc.translationGroup === group),
    withValue: (field, value) => [...docs.values()].filter((doc) => doc.data[field] === value),
    translationsOf: (slug) => [...docs.values()].filter((doc) => doc.translationOf === slug),
  };
  const stampOf = (actor: Actor): Stamp => ({
    now: new Date(clock.now),
    actor,
    newId: () => `Id0000000${String(++ids).padStart(3, '0')}`,
    newGroup: () => `00000000-0000-4000-8000-${String(++groups).padStart(12, '0')}`,
  });
  function apply<E extends DocumentEvent | undefined>(event: E): E {
    if (!event) return event;
    for (const { before, after } of [event, ...(event.also ?? [])]) {
      if (before) docs.delete(before.slug);
      if (after) docs.set(after.slug, after);
    }
    return event;
  }
  const get = (slug: string): StoredDocument => {
    const doc = docs.get(slug);
    if (!doc) throw new Error(`no document ${slug}`);
    return doc;
  };
  return {
    schema,
    docs,
    external,
    clock,
    state,
    create: (input, actor = USER) => apply(createDocument(state, input, stampOf(actor), toSlug)),
    update: (slug, input, actor = USER) => apply(updateDocument(state, get(slug), input, stampOf(actor))),
    import: (input, actor = IMPORT) => apply(importDocument(state, docs.get(input.slug), input, stampOf(actor))),
    remove: (slug, actor = USER) => apply(deleteDocument(get(slug), actor)),
    locks: (slug, command, actor = USER) => apply(changeLocks(schema, get(slug), command, stampOf(actor))),
    get,
  };
}

/** The code and details with which `work` is refused. */
export function refusal(work: () => unknown): { code: string; details: Problem[] } {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, details: error.details ?? [] };
    throw error;
  }
  throw new Error('it was not refused');
}

/** The paths of the problems with which `work` is refused (400). */
export function problems(work: () => unknown): string[] {
  const { code, details } = refusal(work);
  if (code !== 'invalid_input') throw new Error(`refused with ${code}`);
  return details.map(({ path }) => path);
}
