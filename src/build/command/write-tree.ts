// Writes a commit's tree into an empty folder for a build command: documents that are published, media as their bytes,
// everything else as it is. Must write nothing outside of the folder, whatever names and links the tree has, nothing that
// is not public, and nothing of an editor's that a build tool takes for its own settings or code.
import fs from 'node:fs';
import path from 'node:path';
import { parsePath } from '../../content/files/paths.ts';
import { readMediaFile } from '../../content/from-git/other-files.ts';
import { DOCUMENT_FILE_BYTES } from '../../content/stored.ts';
import { codeOf, isCode } from '../../lib/error-code.ts';
import { bytesPath } from '../../media/bytes/byte-places.ts';
import { isMediaPath } from '../../media/stored.ts';
import { type Oid, parseCommit } from '../../store/git/objects.ts';
import { type ChangedFile, createTreeReader, isRegular, LINK_MODE } from '../../store/intake/intake-tree.ts';
import { ObjectTooLargeError, type Odb } from '../../store/repository/odb.ts';
import type { UserIds } from '../sandbox/builder-user.ts';
import { type BuildCollection, toBuildFile } from './build-file.ts';
import { giveAway } from './give-away.ts';
import { linkProblem, mediaNameProblem, nameProblem } from './tree-names.ts';

export interface WriteTreeOrder {
  commit: Oid;
  /** Exists and is empty. */
  folder: string;
  /** The site's `media/` folder. */
  media: string;
  /** The configured collections by name: other files below `content/` are not documents. */
  collections: Readonly<Record<string, BuildCollection>>;
  /** Documents of every status. */
  drafts: boolean;
  /** Files that the service does not show, such as a second file with the id of another. */
  ignored: readonly string[];
  /** Gets the folder and all in it, if it is not the service's user. */
  owner?: UserIds | undefined;
}

export interface WrittenTree {
  files: number;
  /** Sentences about files that were left out and are not just unpublished; at most MAX_REMARKS. */
  remarks: string[];
}

type FileToWrite = ChangedFile & { oid: Oid };

const MAX_REMARKS = 50;
const PATH_BYTES = 1024;
/** A file outside of `content/` and `media/` is read into memory. */
const FILE_BYTES = 256 << 20;

/** Must run in a thread: nothing else happens meanwhile. */
export function writeTree(odb: Odb, order: WriteTreeOrder): WrittenTree {
  const { folder, media } = order;
  const collections = new Map(Object.entries(order.collections));
  const ignored = new Set(order.ignored);
  const made = new Set<string>([folder]);
  const written: WrittenTree = { files: 0, remarks: [] };

  /** Folders are made one by one, so that one that is a link already is never passed. */
  function makeFolder(target: string): void {
    if (made.has(target)) return;
    makeFolder(path.dirname(target));
    fs.mkdirSync(target);
    made.add(target);
  }

  function place(file: string): string {
    const target = path.join(folder, file);
    makeFolder(path.dirname(target));
    return target;
  }

  /** Returns a remark if the file is left out, and nothing has to be said if it is just not public. */
  function write(file: FileToWrite): string | undefined {
    const { path: name, mode, oid } = file;
    const problem = pathProblem(name);
    if (problem !== undefined) return problem;
    if (name === 'content' || name === 'media') return 'it must be a folder';
    if (name.startsWith('content/')) return writeDocument(name, mode, oid);
    if (isMediaPath(name)) return writeMedia(file);
    if (mode === LINK_MODE) return writeLink(name, odb.get(oid, 'blob', PATH_BYTES).toString('utf8'));
    if (!isRegular(mode)) return 'it is a submodule';
    const bytes = odb.get(oid, 'blob', FILE_BYTES);
    fs.writeFileSync(place(name), bytes, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
    written.files++;
    return undefined;
  }

  function writeLink(name: string, target: string): string | undefined {
    const problem = linkProblem(name, target);
    if (problem !== undefined) return problem;
    fs.symlinkSync(target, place(name));
    written.files++;
    return undefined;
  }

  function writeDocument(name: string, mode: string, oid: Oid): string | undefined {
    const at = parsePath(name);
    const collection = at && collections.get(at.collection);
    // A `.gitkeep`, notes, a file of a collection that was removed: anything there may be a draft.
    if (!collection || !isRegular(mode) || ignored.has(name)) return undefined;
    const built = toBuildFile(() => odb.get(oid, 'blob', DOCUMENT_FILE_BYTES), name, collection, order.drafts);
    if (built === undefined) return undefined;
    fs.writeFileSync(place(name), built.content, { flag: 'wx' });
    written.files++;
    return undefined;
  }

  function writeMedia(file: FileToWrite): string | undefined {
    const found = readMediaFile(odb, file);
    if (typeof found === 'string') return found;
    const problem = found.kind === 'pointer' ? mediaNameProblem(file.path) : undefined;
    if (problem !== undefined) return problem;
    const target = place(file.path);
    if (found.kind === 'meta') fs.writeFileSync(target, odb.get(file.oid, 'blob'), { flag: 'wx' });
    else if (!copyBytes(bytesPath(media, found.pointer.sha256), target)) return 'its bytes are missing';
    written.files++;
    return undefined;
  }

  /** A tree that no git would write may have a name twice, or one that the file system does not take. */
  function tryWrite(file: FileToWrite): string | undefined {
    try {
      return write(file);
    } catch (error) {
      if (error instanceof ObjectTooLargeError) return 'it is too large';
      if (isCode(error, 'EEXIST', 'ENOTDIR', 'ENAMETOOLONG')) return `it cannot be written here (${codeOf(error)})`;
      throw error;
    }
  }

  const { tree } = parseCommit(odb.get(order.commit, 'commit'));
  for (const found of createTreeReader(odb).changes([], tree)) {
    if (found?.kind !== 'file' || found.oid === null) continue;
    const remark = tryWrite({ ...found, oid: found.oid });
    if (remark !== undefined && written.remarks.length < MAX_REMARKS)
      written.remarks.push(`left out "${found.path}": ${remark}`);
  }
  if (order.owner) giveAway(folder, order.owner);
  return written;
}

/**
 * A clone of the blocks if the file system has them, else a copy. Never a second name: a command may write into it.
 * Returns false if there are no such bytes.
 */
function copyBytes(from: string, target: string): boolean {
  const { COPYFILE_EXCL, COPYFILE_FICLONE } = fs.constants;
  try {
    fs.copyFileSync(from, target, COPYFILE_EXCL | COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function pathProblem(file: string): string | undefined {
  if (Buffer.byteLength(file) > PATH_BYTES) return 'its path is too long';
  for (const name of file.split('/')) {
    const problem = nameProblem(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
