// Tools that create, change, delete and restore documents, and that propose changes. Text is stored as it was given.
import { z } from 'zod';
import { CreateDocumentBody } from '../content/input.ts';
import type { AiWrites } from '../curation/ai-writes.ts';
import { invalid, notFound } from '../lib/errors.ts';
import { ADDS, CHANGES, defineTool, input, present } from './define.ts';
import { getCollection } from './documents-read.ts';
import { Collection, Data, IfMatch, Locale, Model, NewSlug, Reason, Slug, TranslationOf, toEtag } from './input.ts';
import { QueuedOutput, WrittenOutput } from './output.ts';
import type { Tool } from './tool.ts';
import type { ToolSite } from './tool-site.ts';
import { carefulActor, toWritten, writerOf } from './writer.ts';

/** Named so that a model which sends it learns what to do: by itself this tool sets no time. */
const PublishAt = CreateDocumentBody.shape.publishAt.describe('refused: schedule_document sets it');
const DRAFT = ['content:draft'] as const;

export function writingTools(site: ToolSite, writes: AiWrites): Tool[] {
  return [
    createTool(site, writes),
    updateTool(site, writes),
    deleteTool(site),
    restoreTool(site),
    proposeTool(site, writes),
  ];
}

function createTool(site: ToolSite, writes: AiWrites): Tool {
  return defineTool({
    name: 'create_document',
    title: 'Create document',
    description: 'Creates a draft. publish_document makes it public. Without `slug` one is made of the title.',
    input: input({
      collection: Collection,
      data: Data,
      slug: NewSlug,
      locale: Locale,
      translationOf: TranslationOf,
      model: Model,
      reason: Reason,
    }),
    output: WrittenOutput,
    permissions: DRAFT,
    effect: 'create',
    reads: 'own',
    annotations: ADDS,
    async run({ collection, model, reason, ...given }, caller) {
      checkFields(site, collection, given.data);
      return toWritten(await writes.create(collection, present(given), writerOf(caller, model, reason)));
    },
  });
}

function updateTool(site: ToolSite, writes: AiWrites): Tool {
  return defineTool({
    name: 'update_document',
    title: 'Update document',
    description:
      'Changes the given fields of a document; the others stay. Locked fields are left alone and named in skippedFields. ' +
      'A change of a published document may be queued for a person instead: the answer is then `queued`.',
    input: input({
      collection: Collection,
      slug: Slug,
      data: Data.optional(),
      newSlug: NewSlug,
      locale: Locale,
      publishAt: PublishAt,
      ifMatch: IfMatch,
      model: Model,
      reason: Reason,
    }),
    output: WrittenOutput,
    permissions: DRAFT,
    effect: 'update',
    reads: 'others',
    annotations: CHANGES,
    async run({ collection, slug, data, newSlug, locale, publishAt, ifMatch, model, reason }, caller) {
      const found = getSlug(site, collection, slug);
      if (data === undefined && newSlug === undefined && locale === undefined) {
        throw invalid([{ path: 'data', message: 'is required, unless newSlug or locale is given' }]);
      }
      checkFields(site, collection, data ?? {}, found.data);
      const change = present({ data, slug: newSlug, locale });
      if (publishAt !== undefined) {
        // The service says why a change of a published document cannot wait.
        await site.content.update(collection, { slug: found.slug }, { ...change, publishAt }, carefulActor(caller), {
          dryRun: true,
        });
        throw invalid([{ path: 'publishAt', message: 'is set by schedule_document, after this change' }]);
      }
      const options = ifMatch === undefined ? {} : { ifMatch: toEtag(ifMatch) };
      return toWritten(await writes.update(collection, found.slug, change, writerOf(caller, model, reason), options));
    },
  });
}

function deleteTool(site: ToolSite): Tool {
  return defineTool({
    name: 'delete_document',
    title: 'Delete document',
    description: 'Deletes a document. Its history stays, and restore_document brings it back.',
    input: input({ collection: Collection, slug: Slug, ifMatch: IfMatch }),
    output: z.looseObject({ deleted: z.boolean(), commit: z.string() }),
    permissions: DRAFT,
    effect: 'delete',
    reads: 'own',
    annotations: CHANGES,
    async run({ collection, slug, ifMatch }, caller) {
      const found = getSlug(site, collection, slug);
      const { commit } = await site.content.remove(
        collection,
        { slug: found.slug },
        carefulActor(caller),
        matching(ifMatch),
      );
      return { deleted: true, collection, slug: found.slug, commit };
    },
  });
}

function restoreTool(site: ToolSite): Tool {
  return defineTool({
    name: 'restore_document',
    title: 'Restore document',
    description: 'Writes an earlier version of a document again, or a deleted document. get_history has the commits.',
    input: input({ collection: Collection, slug: Slug, commit: z.string().min(1).max(64), ifMatch: IfMatch }),
    output: WrittenOutput,
    permissions: DRAFT,
    effect: 'restore',
    reads: 'others',
    annotations: CHANGES,
    async run({ collection, slug, commit, ifMatch }, caller) {
      getCollection(site, collection);
      await site.history.check(collection, slug);
      const actor = carefulActor(caller);
      const command = await site.history.restorable(collection, slug, commit);
      const { body, etag, warnings } = await site.content.restore(collection, command, actor, matching(ifMatch));
      return { document: JSON.parse(String(body)), etag, warnings };
    },
  });
}

function proposeTool(site: ToolSite, writes: AiWrites): Tool {
  return defineTool({
    name: 'propose_change',
    title: 'Propose change',
    description:
      'Queues a new document, or with `slug` a change of one, for a person to approve. Changes nothing itself.',
    input: input({
      collection: Collection,
      slug: Slug.optional(),
      data: Data,
      alternatives: z.array(Data).max(4).optional(),
      model: Model,
      reason: Reason,
    }),
    output: QueuedOutput,
    permissions: DRAFT,
    effect: 'propose',
    reads: 'own',
    annotations: ADDS,
    async run({ collection, slug, data, alternatives, model, reason }, caller) {
      const found = slug === undefined ? undefined : getSlug(site, collection, slug);
      for (const one of [data, ...(alternatives ?? [])]) checkFields(site, collection, one, found?.data);
      const target = found && { slug: found.slug };
      const writer = writerOf(caller, model, reason);
      const { queued } = await writes.propose(collection, target, data, writer, alternatives);
      return { queued };
    },
  });
}

/**
 * A key that the collection does not have would be stored and never shown; a model that invents one is refused, unless
 * the document has it already. @throws ServiceError 400
 */
function checkFields(site: ToolSite, collection: string, data: object, stored: object = {}): void {
  const { fields } = getCollection(site, collection);
  const unknown = Object.keys(data).filter((key) => !fields.has(key) && !Object.hasOwn(stored, key));
  if (unknown.length === 0) return;
  throw invalid(unknown.map((key) => ({ path: `data.${key}`, message: `is not a field of "${collection}"` })));
}

/** The document that a slug or an id names. @throws ServiceError 404 */
export function getSlug(
  site: Pick<ToolSite, 'content' | 'schema'>,
  collection: string,
  slug: string,
): { slug: string; data: object } {
  getCollection(site, collection);
  const found = site.content.stored(collection, { idOrSlug: slug });
  if (!found) throw notFound(`document "${collection}/${slug}"`);
  return { slug: found.slug, data: found.data };
}

export function matching(ifMatch: string | undefined): { ifMatch?: (etag: string) => boolean } {
  if (ifMatch === undefined) return {};
  const wanted = toEtag(ifMatch);
  return { ifMatch: (etag) => etag === wanted };
}
