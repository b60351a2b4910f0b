// A collection as decisions see it.
import type { Actor } from '../access/principal.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { StoredDocument } from './document.ts';
import { createFreeSlugs } from './free-slugs.ts';
import type { PendingState } from './pending.ts';
import type { ContentView } from './rows/view.ts';
import type { Stamp } from './stamp.ts';

/** What a decision may know about the collection, always as of the last accepted write. */
export interface CollectionState {
  schema: CollectionSchema;
  findBySlug(slug: string): StoredDocument | undefined;
  /** Path of the file in the slug's place: a document's, or one that is not a document and must be left alone. */
  findTaken(slug: string): string | undefined;
  /** The slug itself, or with `-2`, `-3` and so on if it is taken. */
  freeSlug(base: string): string;
  /** Documents whose `translationOf` is this slug. */
  translationsOf(slug: string): StoredDocument[];
  /** Documents of a group of translations. */
  inGroup(group: string): Iterable<StoredDocument>;
  /** Documents with a value of a unique field. */
  withValue(field: string, value: unknown): Iterable<StoredDocument>;
}

export interface StatesParts {
  view: Pick<ContentView, 'subscribe'>;
  pending: Omit<PendingState, 'push' | 'prepareGroups' | 'underWay'>;
  findTaken(doc: { collection: string; slug: string }): string | undefined;
  now(): Date;
  newId(): string;
  newGroup(): string;
}

/** What decisions are given: the state of their collection, and time and ids. */
export function createStates(parts: StatesParts, schemaOf: (collection: string) => CollectionSchema) {
  const { pending } = parts;
  const freeSlugs = createFreeSlugs((doc) => parts.findTaken(doc) !== undefined);
  parts.view.subscribe((before, after) => {
    if (before && before.slug !== after?.slug) freeSlugs.freed(before.collection, before.slug);
  });
  return {
    stateOf: (collection: string): CollectionState => ({
      schema: schemaOf(collection),
      findBySlug: (slug) => pending.findBySlug(collection, slug)?.doc,
      findTaken: (slug) => parts.findTaken({ collection, slug }),
      freeSlug: (base) => freeSlugs.find(collection, base),
      translationsOf: (slug) => pending.translationsOf(collection, slug),
      inGroup: (group) => pending.inGroup(collection, group),
      withValue: (field, value) => pending.withValue(collection, field, value),
    }),
    stampFor(actor: Actor): Stamp {
      const newId = (): string => {
        for (;;) {
          const id = parts.newId();
          if (!pending.hasId(id)) return id;
        }
      };
      return { now: parts.now(), actor, newId, newGroup: parts.newGroup };
    },
  };
}
