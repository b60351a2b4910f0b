// Which addresses the documents had before, from the log: an address counts only if its document was published while it
// had it, so that the slug of a draft never leaves. Follows first parents, oldest first, and goes on from where the
// last build came to. Most commits of ours are decided by their trailers; the others are compared with their parent.
import type { SiteConfig } from '../../../config/site-config.ts';
import { createAddresses } from '../../../schema/address.ts';
import { type Oid, type Person, parseCommit, parseTrailers } from '../../../store/git/objects.ts';
import type { Odb } from '../../../store/repository/odb.ts';
import { type CommitSides, createSidesReader } from '../read/commit-sides.ts';
import type { SiteDocument } from '../read/site-document.ts';

/** JSON only: the state file has it as it is. */
export interface FormerAddresses {
  /** The commit that was followed last. */
  commit: Oid;
  /** Oldest first. */
  left: { from: string; id: string }[];
  /** Documents that were published at the address that they have now; `others` were not. */
  published: string[];
  others: string[];
}

export interface FormerParts {
  odb: Odb;
  config: SiteConfig;
  /** How commits of this service are signed. */
  committer: Person;
  head: Oid;
  known: FormerAddresses | undefined;
  /** A record that was read already. */
  recordOf(file: string, oid: Oid): SiteDocument | undefined;
}

/** Events that move no address. */
const HARMLESS = /^(?:field\.|media\.|repository\.|document\.deleted$)/;

/** Yields whenever the caller may do other work. */
export function* followAddresses(parts: FormerParts): Generator<undefined, FormerAddresses> {
  const { odb, head, known } = parts;
  const commits: Oid[] = [];
  let base: Oid | undefined = head;
  while (base !== undefined && base !== known?.commit) {
    commits.push(base);
    const [parent]: Oid[] = parseCommit(odb.get(base, 'commit')).parents;
    // In a shallow history the parent is missing.
    base = parent !== undefined && odb.has(parent) ? parent : undefined;
    yield undefined;
  }
  // The branch was moved to where the last build has not been: everything is followed again.
  const start = base === undefined ? undefined : known;
  const follower = createFollower(parts, start);
  let below = base ?? null;
  for (const commit of commits.reverse()) {
    yield* follower.follow(commit, below);
    below = commit;
    yield undefined;
  }
  return { commit: head, ...follower.result() };
}

function createFollower(parts: FormerParts, known: FormerAddresses | undefined) {
  const { odb, config, committer } = parts;
  const addresses = createAddresses(config);
  const paged = new Map(
    config.collections.filter(({ name }) => addresses.collections.includes(name)).map((one) => [one.name, one]),
  );
  const addressFields = new Set(['slug', 'locale', ...[...paged.values()].flatMap(fieldsOfAddress)]);
  const left = [...(known?.left ?? [])];
  const published = new Set(known?.published);
  const others = new Set(known?.others);
  const sides = createSidesReader({ odb, config, collections: paged, recordOf: parts.recordOf });

  function note(id: string, isPublished: boolean): void {
    if (isPublished) {
      published.add(id);
      others.delete(id);
    } else if (!published.has(id)) others.add(id);
  }

  /** Whether trailers alone decide the commit; then it is followed. */
  function followTrailers(message: string, by: Person): boolean {
    if (by.name !== committer.name || by.email !== committer.email) return false;
    const trailers = parseTrailers(message);
    const event = trailers.get('Event');
    const id = trailers.get('Document-Id');
    if (trailers.has('Set-Aside')) return true;
    if (event === undefined) return false;
    if (HARMLESS.test(event)) return true;
    if (id === undefined || event === 'document.renamed' || event === 'document.restored') return false;
    const isKnown = published.has(id) || others.has(id);
    const fields = (trailers.get('Fields') ?? '').split(', ');
    if (isKnown && fields.some((name) => addressFields.has(name))) return false;
    if (!isKnown && event !== 'document.created' && event !== 'content.imported') return false;
    note(id, trailers.get('Status') === 'published');
    return true;
  }

  function compare({ before, after }: CommitSides): void {
    const pathBefore = createPathOf(before);
    const pathAfter = createPathOf(after);
    const was = groupById(before);
    for (const doc of after) {
      const path = pathAfter(doc);
      const earlier = was.get(doc.id) ?? [];
      // A copy that waits for the id has not moved the document.
      const old = earlier.some(({ file }) => file === doc.file) && earlier.length > 1 ? undefined : earlier[0];
      const oldPath = old && pathBefore(old);
      if (oldPath !== undefined && oldPath !== path && (old!.status === 'published' || published.has(doc.id)))
        left.push({ from: oldPath, id: doc.id });
      if (old && oldPath !== path) published.delete(doc.id);
      note(doc.id, doc.status === 'published');
    }
  }

  /** Only what was published then is part of an address. */
  function createPathOf(docs: readonly SiteDocument[]): (doc: SiteDocument) => string | undefined {
    const bySlug = new Map(docs.map((doc) => [`${doc.collection}/${doc.slug}`, doc]));
    return (doc) =>
      addresses.pathOf(doc, (child, slug) => {
        const parent = bySlug.get(`${child.collection}/${slug}`);
        if (parent?.status !== 'published' || parent.locale === child.locale)
          return parent?.status === 'published' ? parent : undefined;
        return docs.find((other) => isTranslation(other, parent) && other.locale === child.locale) ?? parent;
      });
  }

  return {
    *follow(commit: Oid, below: Oid | null): Generator<undefined, void> {
      const { message, committer: by } = parseCommit(odb.get(commit, 'commit'));
      if (followTrailers(message, by)) return;
      compare(yield* sides.read(below, commit));
    },
    result: () => ({ left, published: [...published], others: [...others] }),
  };
}

function fieldsOfAddress({ urlPattern = '', parentField }: SiteConfig['collections'][number]): string[] {
  const names = [...urlPattern.matchAll(/:([A-Za-z][A-Za-z0-9]*)/g)].map(([, name]) => name!);
  const isDated = names.some((name) => ['year', 'month', 'day'].includes(name));
  return [...names, ...(isDated ? ['date'] : []), ...(parentField ? [parentField] : [])];
}

function groupById(docs: readonly SiteDocument[]): Map<string, SiteDocument[]> {
  const groups = new Map<string, SiteDocument[]>();
  for (const doc of docs) groups.set(doc.id, [...(groups.get(doc.id) ?? []), doc]);
  return groups;
}

function isTranslation(doc: SiteDocument, of: SiteDocument): boolean {
  return (
    doc.status === 'published' && doc.translationGroup !== undefined && doc.translationGroup === of.translationGroup
  );
}
