// Checks that the service may write into the folders of a site before it opens the site. Otherwise a site that partly
// belongs to another user would be read and served, and its first change would end the process as a failed disk does,
// again after each start. Does not check single files: the code that opens them reports their errors.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';

/**
 * The outermost first, because the error names it. Without `index/`: a view is disposable, and the process log names that
 * folder.
 */
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

/**
 * Missing folders are made later. @throws the system's error for the first folder in which this user cannot make files
 */
export function checkFolderRights(siteFolder: string): void {
  for (const name of WRITTEN) {
    try {
      accessSync(path.join(siteFolder, name), constants.W_OK | constants.X_OK);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
    }
  }
}
