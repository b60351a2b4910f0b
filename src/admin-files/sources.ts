// The files that the admin is built from: its sources, the pages of its help, the program that builds it, and the packages that
// are locked. It must not import what builds.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The pages for editors, from the folder of the admin's sources. */
export function helpFolderOf(sourceFolder: string): string {
  return path.join(sourceFolder, '../../content/help');
}

/** Another one as soon as a file of the sources is another. */
export function hashSources(sourceFolder: string): string {
  const hash = createHash('sha256');
  const builder = path.join(sourceFolder, '../admin-files');
  for (const folder of [sourceFolder, helpFolderOf(sourceFolder), builder].filter((one) => fs.existsSync(one))) {
    for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const file = path.join(folder, name);
      if (fs.statSync(file).isFile()) hash.update(`${name}\0`).update(fs.readFileSync(file));
    }
  }
  const locked = path.join(sourceFolder, '../../package-lock.json');
  if (fs.existsSync(locked)) hash.update(fs.readFileSync(locked));
  return hash.digest('hex').slice(0, 16);
}
