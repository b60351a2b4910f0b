// A document's file as a build command gets it. Build tools take keys of front matter and of data files for settings of
// theirs, some of which run code: editors must not choose them. So the top level has the keys that
// the configuration names, all others stand below `extra`, and front matter is printed anew, because tools read more out of
// YAML than the service does (merge keys, aliases, tags). Only the build's tree is changed, never the repository.
import type { CollectionConfig, SiteConfig } from '../../config/site-config.ts';
import type { Data, StoredDocument } from '../../content/document.ts';
import { isMarkdown, layoutOf } from '../../content/files/paths.ts';
import { probeOrigin } from '../../content/from-git/origins.ts';
import { readDocument } from '../../content/from-git/other-files.ts';
import { toFile } from '../../content/stored.ts';
import { toFileSchema } from '../../schema/file-schema.ts';

/** The key of everything that the configuration does not name. */
const EXTRA = 'extra';
/** The key of a text below the front matter that no field has space for (content/markdown/parse.ts). */
const TEXT_KEY = 'body';

/** What the thread of a build needs to know of a collection; can be sent to it. */
export interface BuildCollection {
  /** Its richtext fields, in the order of the configuration. */
  textFields: readonly string[];
  /** The keys that stay on the top level. */
  keys: readonly string[];
}

export function toBuildCollections({
  collections,
}: Pick<SiteConfig, 'collections'>): Readonly<Record<string, BuildCollection>> {
  return Object.fromEntries(collections.map((collection) => [collection.name, toBuildCollection(collection)]));
}

function toBuildCollection(collection: Pick<CollectionConfig, 'fields' | 'buildKeys'>): BuildCollection {
  const { fields, buildKeys = [] } = collection;
  return { textFields: toFileSchema({ fields }).textFields, keys: [...fields.map(({ name }) => name), ...buildKeys] };
}

/** Undefined if the file is not a document, or not a published one and no `drafts` are wanted. */
export function toBuildFile(
  read: () => Buffer,
  path: string,
  { textFields, keys }: BuildCollection,
  drafts: boolean,
): { content: Buffer } | undefined {
  const origin = probeOrigin();
  let bytes: Buffer | undefined;
  let hasOwnKeys = true;
  const doc = readDocument(() => (bytes = read()), path, {
    schema: { textFields, ordered: (data: Data) => data },
    originOf: origin.originOf,
    onUnknownKey: () => (hasOwnKeys = false),
  });
  if (typeof doc === 'string' || (doc.status !== 'published' && !drafts)) return undefined;
  const isText = isMarkdown(path);
  const texts = isText && textFields.length === 0 ? [TEXT_KEY] : textFields;
  const data = withExtra(doc.data, new Set(isText ? [...keys, ...texts] : keys));
  // Who wrote which field is nobody's business outside. A JSON file that has nothing to hide keeps its bytes.
  if (!isText && hasOwnKeys && data === doc.data && doc._fieldMeta === undefined) return { content: bytes! };
  const { _fieldMeta, ...rest } = doc;
  const built: StoredDocument = { ...rest, data };
  // What the file does not say is not made up here.
  for (const key of origin.lacks) delete (built as Partial<StoredDocument>)[key];
  return { content: toFile(built, layoutOf(path), { textFields: texts }) };
}

/** The same object if there is nothing to move. */
function withExtra(data: Data, known: ReadonlySet<string>): Data {
  const others = Object.entries(data).filter(([key]) => !known.has(key));
  if (others.length === 0) return data;
  const own = Object.entries(data).filter(([key]) => known.has(key));
  // `fromEntries` keeps a key `__proto__` a key. A field `extra` of the site's own stays, and the others are left out.
  return Object.fromEntries(known.has(EXTRA) ? own : [...own, [EXTRA, Object.fromEntries(others)]]);
}
