// Makes the folder of a build, and gives it to the user who builds if the service is root.
import { chown, mkdir } from 'node:fs/promises';
import type { BuildFolder } from './build-folder.ts';
import type { UserIds } from './builder-user.ts';
import type { BuildNetwork } from './bwrap.ts';
import { writeEtcFiles } from './etc-files.ts';

/** The tree's files are written later, and given away by those who write them. */
export async function prepareFolder(folder: BuildFolder, network: BuildNetwork, builder: UserIds | undefined) {
  const { tree, home, temporary, etc } = folder;
  for (const made of [tree, home, temporary, etc]) await mkdir(made, { recursive: true, mode: 0o700 });
  await writeEtcFiles(etc, network);
  if (builder === undefined) return;
  for (const given of [tree, home, temporary]) await chown(given, builder.uid, builder.gid);
}
