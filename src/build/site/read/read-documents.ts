// Reads the documents of a commit as records: all of them, or only what differs from the commit of the last build.
// Reads the repository alone, so that it works beside a running service.
import type { SiteConfig } from '../../../config/site-config.ts';
import { parsePath } from '../../../content/files/paths.ts';
import { contentTree, entersDocumentFolders } from '../../../content/from-git/changed-files.ts';
import { orderByLog } from '../../../content/from-git/claim-order.ts';
import { idKey, type Key, slugKey } from '../../../content/from-git/claims.ts';
import type { Breathe } from '../../../lib/queues/slices.ts';
import { runToEnd } from '../../../lib/queues/slices.ts';
import { type Oid, parseCommit } from '../../../store/git/objects.ts';
import { isRegular } from '../../../store/intake/intake-tree.ts';
import { comparePlaces, type ObjectPlace, type Odb } from '../../../store/repository/odb.ts';
import { diffTrees } from '../../../store/repository/tree-walk.ts';
import type { DocumentReader } from './document-reader.ts';
import { createToSiteDocument, type SiteDocument } from './site-document.ts';

export interface DocumentReadParts {
  odb: Odb;
  reader: DocumentReader;
  config: SiteConfig;
  commit: Oid;
  /** The documents of an earlier commit, by file. They are changed into those of this one. */
  documents: Map<string, SiteDocument>;
  /** The commit that `documents` are from; null if they are empty. */
  from: Oid | null;
  /** A file below `content/` that is not a document. */
  report(file: string, problem: string): void;
  breathe: Breathe;
}

/** Every document of the commit that holds its id and slug, in the order of the files. */
export async function readDocuments(parts: DocumentReadParts): Promise<SiteDocument[]> {
  const { odb, reader, config, commit, documents, from, report, breathe } = parts;
  const names = new Set(config.collections.map(({ name }) => name));
  const isCollection = (name: string): boolean => names.has(name);
  const toSiteDocument = createToSiteDocument(config);
  const treeOf = (of: Oid | null): Oid | null => of && contentTree(odb, parseCommit(odb.get(of, 'commit')).tree);
  const changed: { file: string; oid: Oid; place: ObjectPlace | undefined }[] = [];
  for (const difference of diffTrees(
    odb,
    treeOf(from),
    treeOf(commit),
    'content/',
    entersDocumentFolders(odb, isCollection),
  )) {
    const { path: file, mode, after } = difference;
    const named = parsePath(file);
    if (after && named && isCollection(named.collection) && isRegular(mode)) {
      changed.push({ file, oid: after, place: odb.locate(after) });
      continue;
    }
    documents.delete(file);
    if (after && named) report(file, 'not a regular file');
  }
  changed.sort((a, b) => comparePlaces(a.place, b.place));
  for (const { file, oid, place } of changed) {
    const doc = reader.read(file, oid, place);
    // A changed document keeps its place, so that the state has the others in the same lines.
    if (typeof doc === 'object') documents.set(file, toSiteDocument(file, oid, doc));
    else {
      documents.delete(file);
      report(file, doc);
    }
    await breathe();
  }
  return holders({ odb, commit, isCollection, documents, report });
}

interface HolderParts extends Pick<DocumentReadParts, 'odb' | 'commit' | 'documents' | 'report'> {
  isCollection(name: string): boolean;
}

/** Leaves out copies that wait for an id or slug, as the service does. */
function holders({ odb, commit, isCollection, documents, report }: HolderParts): SiteDocument[] {
  const contested = findContested(documents);
  const waiting = new Set<string>();
  if (contested.size > 0) {
    const knownId = (file: string, oid: Oid): string | undefined => {
      const doc = documents.get(file);
      return doc?.oid === oid ? doc.id : undefined;
    };
    for (const [key, order] of runToEnd(orderByLog({ odb, isCollection, knownId }, contested, commit))) {
      const [holder, ...others] = order;
      for (const file of others) {
        if (!waiting.has(file)) report(file, `"${holder}" has its ${key.startsWith('id ') ? 'id' : 'slug'}`);
        waiting.add(file);
      }
    }
  }
  const all = [...documents.values()].filter(({ file }) => !waiting.has(file));
  return all.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Whether no two documents have one id or one slug. */
function areDistinct(documents: ReadonlyMap<string, SiteDocument>): boolean {
  const ids = new Set<string>();
  const slugs = new Map<string, Set<string>>();
  let count = 0;
  for (const { id, collection, slug } of documents.values()) {
    ids.add(id);
    let ofCollection = slugs.get(collection);
    if (!ofCollection) slugs.set(collection, (ofCollection = new Set()));
    ofCollection.add(slug);
    count++;
  }
  const distinct = [...slugs.values()].reduce((sum, { size }) => sum + size, 0);
  return ids.size === count && distinct === count;
}

/** Files by the id or slug that several of them claim: as a rule none. */
function findContested(documents: ReadonlyMap<string, SiteDocument>): Map<Key, string[]> {
  const contested = new Map<Key, string[]>();
  if (areDistinct(documents)) return contested;
  const claims = new Map<Key, string>();
  for (const doc of documents.values()) {
    for (const key of [idKey(doc.id), slugKey(doc)]) {
      const first = claims.get(key);
      if (first === undefined) claims.set(key, doc.file);
      else contested.set(key, [...(contested.get(key) ?? [first]), doc.file]);
    }
  }
  return contested;
}
