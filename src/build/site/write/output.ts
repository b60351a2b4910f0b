// The output folder. New files are staged in a folder inside of it and moved when the whole site is made, so that a
// failed build, a full disk included, leaves the old site as it was. Only files that a build made are replaced or removed.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../../lib/error-code.ts';
import type { SiteFile } from '../../build.ts';
import { PlanError } from '../plan/plan-error.ts';
import { LIST_FILE, type MadeFile, parseFileList, STAGING, toFileLines, toFileList, UNFINISHED } from './file-list.ts';
import { createIntactFiles, type IntactFiles } from './intact-files.ts';
import { checkTargets, mergeFolder, removeFiles } from './move-files.ts';
import { createStagedFiles, toMadeFile } from './staged-files.ts';

export interface Output {
  /** Hash of the list of files that the last build left; empty if no build has ended there. */
  readonly listHash: string;
  /** Whether the file is still as the last build left it, by its size. */
  isIntact(file: string): boolean;
  /** Files of the last build below a folder. */
  listOld(folder: string): string[];
  readOld(file: string): string;
  /** Takes a file over from the last build. It must be intact. */
  keep(file: string): void;
  put(file: string, bytes: string | Buffer): void;
  /** The same for bytes on the disk. */
  copy(file: string, from: string, made: MadeFile): void;
  has(file: string): boolean;
  /** So many files are put soon. */
  expect(files: number): void;
  /** Awaited between files, so that no more wait to be written than memory has space for. */
  space(): Promise<void> | undefined;
  /** Resolves when every file is on the disk. */
  settled(): Promise<void>;
  /**
   * Makes the new site the present one, and returns its files, sorted by path. `prepare` is called with the hash of their
   * list before anything is moved, and may still stop it.
   */
  finish(prepare: (listHash: string) => void): SiteFile[];
  /** Leaves the old site as it was. */
  abandon(): Promise<void>;
  close(): Promise<void>;
}

/** @throws PlanError if the folder has files that no build made */
export function openOutput(folder: string): Output {
  const isNew = !fs.existsSync(folder);
  const { files: old, listHash, list: oldList } = readOld(folder);
  // After a build that did not end, a file may be of the old or of the new site.
  const intact: IntactFiles | undefined = listHash === '' ? undefined : createIntactFiles(folder, oldList, old);
  const staging = path.join(folder, STAGING);
  const made = new Map<string, MadeFile>();
  /** A file in each folder, from the first file on that the last build did not have. */
  let folders: Map<string, string> | undefined;
  fs.rmSync(staging, { recursive: true, force: true });
  fs.mkdirSync(staging, { recursive: true });
  const staged = createStagedFiles(staging);

  function isIntact(file: string): boolean {
    return intact?.isIntact(file) === true;
  }

  function isSame(file: string, next: MadeFile): boolean {
    const known = old.get(file);
    return known?.sha256 === next.sha256 && known.sizeBytes === next.sizeBytes && isIntact(file);
  }

  function note(file: string, next: MadeFile): void {
    // Files that were together before fit together.
    if (!folders && listHash !== '' && old.has(file)) return void made.set(file, next);
    checkName(file);
    if (!folders) {
      folders = new Map();
      for (const known of made.keys()) addFolders(folders, made, known);
    }
    const inside = folders.get(file);
    if (inside) throw new PlanError([`the file "${file}" of the site has the name of the folder of "${inside}"`]);
    addFolders(folders, made, file);
    made.set(file, next);
  }

  return {
    listHash,
    isIntact,
    listOld: (above) => [...old.keys()].filter((file) => file.startsWith(above)),
    readOld: (file) => fs.readFileSync(path.join(folder, file), 'utf8'),
    keep: (file) => note(file, old.get(file)!),
    put(file, content) {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
      const next = toMadeFile(bytes);
      note(file, next);
      if (!isSame(file, next)) staged.write(file, bytes);
    },
    copy(file, from, next) {
      note(file, next);
      if (!isSame(file, next)) staged.copy(file, from);
    },
    has: (file) => made.has(file),
    expect: staged.expect,
    space: staged.space,
    settled: staged.settled,
    async close() {
      await Promise.all([staged.close(), intact?.close()]);
    },
    finish(prepare) {
      const lines = toFileLines(made);
      const list = toFileList(lines);
      const gone = [...old.keys()].filter((file) => !made.has(file));
      // Both lists are on the disk before anything is moved: a full disk stops the build here.
      const both = gone.length === 0 ? lines : toFileLines(new Map([...old, ...made]));
      fs.writeFileSync(path.join(staging, UNFINISHED), toFileList(both, { isFinished: false }));
      fs.writeFileSync(path.join(staging, LIST_FILE), list);
      prepare(hash('sha256', list));
      if (
        old.size === 0 ||
        gone.length > 0 ||
        fs.readdirSync(staging).length > 2 ||
        listHash !== hash('sha256', list)
      ) {
        checkTargets(staging, folder, (file) => old.has(file));
        fs.renameSync(path.join(staging, UNFINISHED), path.join(folder, LIST_FILE));
        const finished = path.join(folder, UNFINISHED);
        fs.renameSync(path.join(staging, LIST_FILE), finished);
        removeFiles(
          folder,
          gone.filter((file) => isInTheWay(staging, file)),
        );
        mergeFolder(staging, folder);
        removeFiles(folder, gone);
        fs.renameSync(finished, path.join(folder, LIST_FILE));
      }
      fs.rmSync(staging, { recursive: true, force: true });
      const files = [...made].map(([file, { sizeBytes, sha256 }]) => ({ path: file, sizeBytes, sha256 }));
      files.sort((a, b) => (a.path < b.path ? -1 : 1));
      return files;
    },
    async abandon() {
      await staged.close();
      fs.rmSync(staging, { recursive: true, force: true });
      if (isNew) removeIfEmpty(folder);
    },
  };
}

function readOld(folder: string): { files: Map<string, MadeFile>; listHash: string; list: string } {
  const about = fs.statSync(folder, { throwIfNoEntry: false });
  if (about && !about.isDirectory()) throw new PlanError([`"${folder}" is a file; choose another folder for the site`]);
  const names = about ? fs.readdirSync(folder).filter((name) => name !== STAGING) : [];
  if (names.length === 0) return { files: new Map(), listHash: '', list: '' };
  if (!names.includes(LIST_FILE)) {
    throw new PlanError([
      `"${folder}" has files that no build of this service made; empty it, or choose another folder for the site`,
    ]);
  }
  const text = fs.readFileSync(path.join(folder, LIST_FILE), 'utf8');
  const list = parseFileList(text);
  if (!list) {
    throw new PlanError([`"${path.join(folder, LIST_FILE)}" is damaged; empty the folder, so that it is built anew`]);
  }
  return { files: list.files, list: text, listHash: list.isFinished ? hash('sha256', text) : '' };
}

/** A file that was where a folder will be, or a folder of files that were where a file will be. */
function isInTheWay(staging: string, file: string): boolean {
  if (fs.statSync(path.join(staging, file), { throwIfNoEntry: false })?.isDirectory()) return true;
  const parts = file.split('/').slice(0, -1);
  return parts.some((_, at) => {
    const above = path.join(staging, ...parts.slice(0, at + 1));
    return fs.statSync(above, { throwIfNoEntry: false })?.isFile() === true;
  });
}

/** A file cannot have the name of a folder. @throws PlanError */
function addFolders(folders: Map<string, string>, made: ReadonlyMap<string, MadeFile>, file: string): void {
  for (let above = path.posix.dirname(file); above !== '.' && !folders.has(above); above = path.posix.dirname(above)) {
    if (made.has(above))
      throw new PlanError([`the file "${above}" of the site has the name of the folder of "${file}"`]);
    folders.set(above, file);
  }
}

function checkName(file: string): void {
  const parts = file.split('/');
  const isBad = parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part));
  if (isBad || [LIST_FILE, STAGING, UNFINISHED].includes(parts[0]!)) {
    throw new PlanError([`a file of the site cannot be named "${file}"`]);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!isCode(error, 'ENOTEMPTY', 'ENOENT')) throw error;
  }
}
