// A command that root runs on the data folder of another user must leave nothing there that this user, as whom the
// service runs, cannot open. The user may move names in the folder meanwhile: nothing outside of it is given away.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';

const ROOT = 0;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

interface Owner {
  uid: number;
  gid: number;
}

/**
 * Call it before the command works. The returned function gives what belongs to root in the folder to the folder's owner;
 * a folder that was missing gets the owner of the folder that it was made in.
 */
export function rememberOwner(folder: string): () => void {
  if (process.geteuid?.() !== ROOT) return () => undefined;
  const { uid, gid } = statNearest(folder);
  return uid === ROOT ? () => undefined : () => give(folder, folder, { uid, gid });
}

function statNearest(folder: string): fs.Stats {
  return fs.statSync(folder, { throwIfNoEntry: false }) ?? statNearest(path.dirname(folder));
}

/** `place` is how the name is looked up: in its opened folder, whatever `file`, its path, leads to by now. */
function give(place: string, file: string, owner: Owner): void {
  const known = fs.lstatSync(place, { throwIfNoEntry: false });
  if (!known?.isDirectory() && !(known?.isFile() && known.uid === ROOT)) return;
  const fd = openNoLink(place);
  if (fd === undefined) return;
  try {
    const stat = fs.fstatSync(fd);
    if (stat.isDirectory()) {
      const opened = `/proc/self/fd/${fd}`;
      const inside = fs.existsSync(opened) ? opened : file;
      for (const name of fs.readdirSync(inside)) give(path.join(inside, name), path.join(file, name), owner);
    }
    // A file with two names may have one outside of the folder.
    if (stat.uid === ROOT && (stat.isDirectory() || stat.nlink === 1)) fs.fchownSync(fd, owner.uid, owner.gid);
  } finally {
    fs.closeSync(fd);
  }
}

/** Undefined if it is gone or a link by now. */
function openNoLink(place: string): number | undefined {
  try {
    return fs.openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ELOOP')) return undefined;
    throw error;
  }
}
