// Gives a tree to the user who builds in it. Must run before any command of that user does.
import fs from 'node:fs';
import path from 'node:path';
import type { UserIds } from '../sandbox/builder-user.ts';

/** Follows no link. */
export function giveAway(folder: string, { uid, gid }: UserIds): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) giveAway(file, { uid, gid });
    else fs.lchownSync(file, uid, gid);
  }
  fs.lchownSync(folder, uid, gid);
}
