// Reads stored documents for one build. Those that were read first are kept, up to a size: a build of everything needs
// each of them for its record, its page and the search.
import type { SiteConfig } from '../../../config/site-config.ts';
import type { StoredDocument } from '../../../content/document.ts';
import { parsePath } from '../../../content/files/paths.ts';
import { createOriginLookup, originIn } from '../../../content/from-git/origins.ts';
import { readDocument } from '../../../content/from-git/other-files.ts';
import { DOCUMENT_FILE_BYTES } from '../../../content/stored.ts';
import { toFileSchemas } from '../../../schema/file-schema.ts';
import type { Oid } from '../../../store/git/objects.ts';
import type { ObjectPlace, Odb } from '../../../store/repository/odb.ts';

export interface DocumentReader {
  /** Returns the reason if the file is not a document. */
  read(file: string, oid: Oid, place?: ObjectPlace): StoredDocument | string;
  /** @throws if the file is not a document */
  get(file: string, oid: Oid): StoredDocument;
}

/** Size of the files that are kept; parsed they take about twice as much. */
const KEPT_BYTES = 48 << 20;

/** Reads documents of a commit; without it, a file's id and dates are not those of the log. */
export function createDocumentReader(
  odb: Odb,
  { config, commit }: { config: Pick<SiteConfig, 'collections'>; commit?: Oid },
  keptBytes = KEPT_BYTES,
): DocumentReader {
  const schemas = toFileSchemas(config);
  const origins = createOriginLookup(odb);
  const kept = new Map<string, StoredDocument>();
  let total = 0;

  function read(file: string, oid: Oid, place?: ObjectPlace): StoredDocument | string {
    const known = kept.get(file + oid);
    if (known) return known;
    let sizeBytes = 0;
    const readBytes = (): Buffer => {
      const bytes = odb.get(oid, 'blob', DOCUMENT_FILE_BYTES, place);
      sizeBytes = bytes.length;
      return bytes;
    };
    const doc = readDocument(readBytes, file, {
      schema: schemas.get(parsePath(file)!.collection),
      originOf: () => (commit ? origins.at(commit, file) : originIn('', file, 0)),
    });
    if (typeof doc === 'object' && total + sizeBytes <= keptBytes) {
      kept.set(file + oid, doc);
      total += sizeBytes;
    }
    return doc;
  }

  return {
    read,
    get(file, oid) {
      const doc = read(file, oid);
      if (typeof doc === 'string') throw new Error(`"${file}" of blob ${oid} cannot be read any more: ${doc}`);
      return doc;
    },
  };
}
