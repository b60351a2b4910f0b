// Calls that wait for a person, because a model that has read what others wrote may only obey it. A held call is checked
// as a call would be, and bound to the version of what it is about.
import type { Data } from '../content/document.ts';
import { titleOf } from '../content/search-entry.ts';
import { ServiceError } from '../lib/errors.ts';
import { checkVersion } from '../lib/version-tag.ts';
import { getCollection } from './documents-read.ts';
import { getSlug } from './documents-write.ts';
import { toEtag } from './input.ts';
import type { Tool, ToolCaller, ToolEffect } from './tool.ts';
import type { ToolSite } from './tool-site.ts';
import { carefulActor, mayPublish } from './writer.ts';

/** What a held call is about, as people know it. */
export interface HeldDocument {
  collection: string;
  /** Null for an item of the queue that has no document yet. */
  slug: string | null;
  title: string;
}

export interface HeldCall {
  tool: string;
  effect: ToolEffect;
  /** Null if it is about no document: a deploy, an upload. */
  document: HeldDocument | null;
  /** ETag of the document or the item; null if it does not exist now. */
  version: string | null;
  /** The input, with that version as `ifMatch`. */
  input: Record<string, unknown>;
}

/** Effects that are never held; an `update` is only if what it changes is public. */
const FREE: ReadonlySet<ToolEffect> = new Set(['none', 'create', 'propose']);
const MAX_TITLE_CHARS = 200;
const OF_ITEMS: ReadonlySet<ToolEffect> = new Set(['approve', 'reject']);
const OF_NO_DOCUMENT: ReadonlySet<ToolEffect> = new Set(['deploy', 'upload']);

/** Returns undefined if the call needs no person. @throws ServiceError as the call would */
export async function holdCall(
  tool: Tool,
  given: Record<string, unknown>,
  caller: ToolCaller,
  site: ToolSite,
): Promise<HeldCall | undefined> {
  const { name, effect } = tool;
  if (FREE.has(effect)) return undefined;
  if (OF_NO_DOCUMENT.has(effect)) return { tool: name, effect, document: null, version: null, input: given };
  const found = OF_ITEMS.has(effect) ? await findItem(site, given) : await findDocument(tool, site, given, caller);
  if (!found) return undefined;
  const { document, version, ...named } = found;
  if (given.ifMatch !== undefined && version !== null) {
    const wanted = toEtag(String(given.ifMatch));
    checkVersion((etag) => etag === wanted, version, `${name}: what it is about`);
  }
  const input = { ...given, ...named, ...(version === null ? {} : { ifMatch: version }) };
  return { tool: name, effect, document, version, input };
}

type Found = Pick<HeldCall, 'document' | 'version'> & { slug?: string };

async function findItem({ curation }: ToolSite, { id }: Record<string, unknown>): Promise<Found> {
  const item = await curation.get(String(id));
  const { collection, slug, title } = item;
  return { document: { collection, slug, title }, version: curation.etagOf(item) };
}

async function findDocument(
  { effect }: Tool,
  site: ToolSite,
  given: Record<string, unknown>,
  caller: ToolCaller,
): Promise<Found | undefined> {
  const collection = String(given.collection);
  const schema = getCollection(site, collection);
  const idOrSlug = String(given.slug);
  const shown = (data: object, slug: string): HeldDocument => {
    const title = titleOf(data as Data, slug, schema.config.ui?.titleField);
    return { collection, slug, title: title.slice(0, MAX_TITLE_CHARS).toWellFormed() };
  };
  const ref = { idOrSlug };
  const answer = site.content.find(collection, ref);
  if (!answer && effect === 'restore') {
    await site.history.check(collection, idOrSlug);
    const { version, last } = await site.history.restorable(collection, idOrSlug, String(given.commit));
    return { document: shown(last.data, version.slug), version: null };
  }
  const { slug, data } = getSlug(site, collection, idOrSlug);
  if (effect === 'update' && !isForPublisher(site, collection, slug, caller)) return undefined;
  site.content.checkDocument(collection, { slug }, carefulActor(caller));
  if (effect === 'restore') await site.history.restorable(collection, slug, String(given.commit));
  return { document: shown(data, slug), version: answer!.etag, slug };
}

/** Whether the caller may change the document and a drafts-only writer may not: without the right it is queued. */
function isForPublisher(site: ToolSite, collection: string, slug: string, caller: ToolCaller): boolean {
  if (!mayPublish(caller)) return false;
  try {
    site.content.checkDocument(collection, { slug }, { ...caller.actor, draftsOnly: true });
    return false;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'forbidden') throw error;
    return true;
  }
}
