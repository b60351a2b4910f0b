// The documents that a commit changed, as they were and as it left them; if an address depends on a document's
// parents, all documents of its collection.
import type { SiteConfig } from '../../../config/site-config.ts';
import { parsePath } from '../../../content/files/paths.ts';
import { contentTree, entersDocumentFolders } from '../../../content/from-git/changed-files.ts';
import { listDocumentFiles } from '../../../content/from-git/list-documents.ts';
import { createOriginLookup } from '../../../content/from-git/origins.ts';
import { readDocument } from '../../../content/from-git/other-files.ts';
import { DOCUMENT_FILE_BYTES } from '../../../content/stored.ts';
import { createBoundedMap } from '../../../lib/memory/bounded-map.ts';
import { toFileSchemas } from '../../../schema/file-schema.ts';
import { type Oid, parseCommit } from '../../../store/git/objects.ts';
import { isRegular } from '../../../store/intake/intake-tree.ts';
import type { Odb } from '../../../store/repository/odb.ts';
import { diffTrees } from '../../../store/repository/tree-walk.ts';
import { createToSiteDocument, type SiteDocument } from './site-document.ts';

export interface CommitSides {
  before: SiteDocument[];
  after: SiteDocument[];
}

export interface SidesParts {
  odb: Odb;
  config: SiteConfig;
  /** Those whose documents have addresses. */
  collections: ReadonlyMap<string, { parentField?: string | undefined }>;
  /** A record that was read already. */
  recordOf(file: string, oid: Oid): SiteDocument | undefined;
}

export interface SidesReader {
  /** Yields whenever the caller may do other work. */
  read(before: Oid | null, after: Oid): Generator<undefined, CommitSides>;
}

/** Records that are kept: the next commit changes the same documents, as a rule. */
const RECORDS_KEPT = 20_000;

export function createSidesReader({ odb, config, collections, recordOf }: SidesParts): SidesReader {
  const toSiteDocument = createToSiteDocument(config);
  const schemas = toFileSchemas(config);
  const origins = createOriginLookup(odb);
  const kept = createBoundedMap<string, SiteDocument | null>(RECORDS_KEPT);

  const treeOf = (commit: Oid): Oid => parseCommit(odb.get(commit, 'commit')).tree;

  function readRecord(file: string, oid: Oid, commit: Oid): SiteDocument | null {
    const present = recordOf(file, oid);
    if (present) return present;
    const key = `${file} ${oid}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const doc = readDocument(() => odb.get(oid, 'blob', DOCUMENT_FILE_BYTES), file, {
      schema: schemas.get(parsePath(file)!.collection),
      originOf: () => origins.at(commit, file),
    });
    const record = typeof doc === 'string' ? null : toSiteDocument(file, oid, doc);
    kept.set(key, record);
    return record;
  }

  function* addWhole(into: SiteDocument[], commit: Oid, collection: string): Generator<undefined, void> {
    const have = new Set(into.map(({ file }) => file));
    for (const { paths, oids } of listDocumentFiles(odb, treeOf(commit), (name) => name === collection)) {
      for (const [at, file] of paths.entries()) {
        const record = have.has(file) ? null : readRecord(file, oids[at]!, commit);
        if (record) into.push(record);
        yield undefined;
      }
    }
  }

  return {
    *read(before, after) {
      const sides: CommitSides = { before: [], after: [] };
      const touched = new Set<string>();
      const enters = entersDocumentFolders(odb, (name) => collections.has(name));
      const [old, now] = [before && contentTree(odb, treeOf(before)), contentTree(odb, treeOf(after))];
      const commits = { before, after };
      for (const { path, mode, ...change } of diffTrees(odb, old, now, 'content/', enters)) {
        const place = parsePath(path);
        if (!place || !isRegular(mode)) continue;
        for (const side of ['before', 'after'] as const) {
          const record = change[side] && readRecord(path, change[side], commits[side]!);
          if (record) sides[side].push(record);
        }
        if (change.before) touched.add(place.collection);
        yield undefined;
      }
      for (const name of touched) {
        if (collections.get(name)?.parentField === undefined) continue;
        yield* addWhole(sides.before, before!, name);
        yield* addWhole(sides.after, after, name);
      }
      return sides;
    },
  };
}
