// Asks for the right to write into the folders of a site before it is opened. Without, a site of which a part belongs to
// another user is read and served, and its first change ends the process as a failed disk does, after each start again.
// Does not look at single files: whatever opens them says so itself.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';

/** The outermost first, for it is the one to be named. Not `index/`: a view is disposable, and the log names the folder. */
const WRITTEN = [
  '',
  'wal',
  'content.git',
  'content.git/objects',
  'content.git/objects/pack',
  'content.git/colophon.epochs',
  'content.git/colophon-new',
  'content.git/refs',
  'content.git/refs/heads',
  'content.git/refs/notes',
  'content.git/refs/tags',
  '_data',
  'media',
];

/** Folders that are missing are made later. @throws the system's error for the first that takes no files of this user's */
export function checkFolderRights(siteFolder: string): void {
  for (const name of WRITTEN) {
    try {
      accessSync(path.join(siteFolder, name), constants.W_OK | constants.X_OK);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
    }
  }
}
