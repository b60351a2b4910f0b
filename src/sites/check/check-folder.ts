// colophon check: a clone or the folder beside the configuration, held against the configuration, and what a start would
// do with that folder. Reads only.

import path from 'node:path';
import type { WorkingFile } from '../../cli/working-tree.ts';
import { loadConfig } from '../../config/load.ts';
import type { SiteConfig } from '../../config/site-config.ts';
import { readStarter, type Starter } from '../../content/commits/starter.ts';
import { starterDifferences, toDifferencesText } from '../../content/commits/starter-differences.ts';
import { newDocumentId } from '../../content/document-id.ts';
import { pathsOf } from '../../content/files/paths.ts';
import { originIn } from '../../content/from-git/origins.ts';
import { readAnyDocument } from '../../content/from-git/other-files.ts';
import { DOCUMENT_FILE_BYTES } from '../../content/stored.ts';
import type { Problem } from '../../lib/errors.ts';
import { readMediaStarter } from '../../media/commits/starter.ts';
import { inspectMedia } from '../../media/kinds/detect.ts';
import type { SiteSchema } from '../../schema/collection.ts';
import { compileSite } from '../../schema/compile.ts';
import { nodeDisk } from '../../store/disk/disk.ts';
import { oidOf, parseCommit } from '../../store/git/objects.ts';
import { FILE_MODE } from '../../store/git/tree.ts';
import { createTreeReader } from '../../store/intake/intake-tree.ts';
import { createOdb } from '../../store/repository/odb.ts';
import { listRefs, MAIN } from '../../store/repository/refs.ts';
import { checkConfig } from '../check-config.ts';
import { type CheckedFiles, type CheckLine, checkFiles } from './check-files.ts';

export interface CheckFolderOptions {
  configPath: string;
  siteId: string;
  /** The site's repository, which need not exist. */
  repository: string;
  /** The files of a clone; undefined: those beside the configuration. */
  files: readonly WorkingFile[] | undefined;
  now: Date;
}

export interface FolderReport extends CheckedFiles {
  /** What a start does with the folder beside the configuration; undefined if it has no documents. */
  start: string | undefined;
}

export async function checkFolder(options: CheckFolderOptions): Promise<FolderReport> {
  const { configPath, files, now } = options;
  const wrong = await checkConfig(configPath);
  if (wrong.length > 0)
    return {
      documents: 0,
      problems: wrong.map((one) => toLine(path.basename(configPath), one)),
      warnings: [],
      start: undefined,
    };
  const config = await loadConfig(configPath);
  const schema = compileSite(config);
  const folder = path.dirname(options.configPath);
  const starter = readStarter(folder, schema, { now, newId: newDocumentId });
  const start = starter.files.length === 0 ? undefined : describeStart({ ...options, config }, schema, starter);
  if (files) return { ...(await checkFiles(schema, files, now)), start };
  const media = await readMediaStarter(path.join(folder, 'media'), {
    inspect: inspectMedia,
    restoreBytes: async (_, source) => {
      for await (const _ of source);
    },
    now,
  });
  const planted = [...starter.files, ...media.files].map(({ path: at, content }): WorkingFile => {
    const bytes = content ?? Buffer.alloc(0);
    return { path: at, mode: FILE_MODE, oid: oidOf('blob', bytes), sizeBytes: bytes.length, content: bytes };
  });
  const checked = await checkFiles(schema, planted, now);
  const left = starter.problems.flatMap(({ path: at, messages }) => messages.map((message) => ({ path: at, message })));
  const leftMedia = media.problems.map((message) => ({ path: 'media', message }));
  return {
    documents: checked.documents,
    problems: [...left, ...leftMedia, ...checked.problems.map(beside)],
    warnings: [...starter.unknown, ...checked.warnings.map(beside)],
    start,
  };
}

function toLine(file: string, { path: at, message }: Problem): CheckLine {
  return { path: file, message: at ? `${at}: ${message}` : message };
}

/** The file beside the configuration that a file of the first commit is made from. */
function beside({ path: at, message }: CheckLine): CheckLine {
  return { path: at.replace(/^content\//, ''), message };
}

function describeStart(
  { config, configPath, siteId, repository }: CheckFolderOptions & { config: SiteConfig },
  schema: SiteSchema,
  { documents }: Starter,
): string {
  const folder = path.dirname(configPath);
  const count = documents.length === 1 ? 'one document' : `${documents.length} documents`;
  const head = listRefs(nodeDisk, repository).find(({ name }) => name === MAIN)?.oid;
  if (head === undefined) {
    const unless = config.remote ? ', unless its remote has commits' : '';
    return `a start plants ${count} of ${folder} as the first commit of site "${siteId}"${unless}`;
  }
  const odb = createOdb(nodeDisk, repository);
  try {
    const { tree } = parseCommit(odb.get(head, 'commit'));
    const reader = createTreeReader(odb);
    const differing = starterDifferences(documents, (collection, slug) => {
      const at = pathsOf({ collection, slug }).find((one) => reader.find(tree, one));
      const oid = at && reader.find(tree, at)?.oid;
      if (!at || !oid) return undefined;
      const context = { schema: schema.collections.get(collection), originOf: () => originIn(oid, at, 0) };
      const found = readAnyDocument(() => odb.get(oid, 'blob', DOCUMENT_FILE_BYTES), at, context);
      return typeof found === 'string' ? undefined : found;
    });
    const same = `site "${siteId}" has content: a start plants nothing, and has all documents of ${folder} as they are`;
    return toDifferencesText(folder, differing) ?? same;
  } finally {
    odb.close();
  }
}
