// Finds every line of the store that makes something durable, in the sources, and can disable one of them: a
// MemoryFiles that is asked before a sync finds the line by the stack.
import { readSources } from '../source.ts';

const CALL =
  /\b(?:disk\.)?((?<=disk\.)(?:syncFolder|syncFolderApart|syncFile|syncLargeFile|createFile|createLargeFile|makeFolder|preallocate|openDurable)\(.*|file\.finish\(\).*)$/;

/** Carries out the calls, and makes none of its own. */
const DISK = 'disk/disk.ts';

export interface SyncSite {
  /** Such as `repository/pack-files.ts syncFolder(folder) #2`: file, call, and a number if several are alike. */
  name: string;
  file: string;
  line: number;
}

export function listSyncSites(): SyncSite[] {
  const sites: SyncSite[] = [];
  for (const { path, text } of readSources(['src/store/**/*.ts'])) {
    const file = path.slice('src/store/'.length);
    if (file === DISK) continue;
    for (const [index, line] of text.split('\n').entries()) {
      const call = CALL.exec(line)?.[1]
        ?.replace(/[;{].*$/, '')
        .trim();
      if (call === undefined || line.trimStart().startsWith('//')) continue;
      const alike = sites.filter(
        ({ name }) => name === `${file} ${call}` || name.startsWith(`${file} ${call} #`),
      ).length;
      sites.push({ name: alike ? `${file} ${call} #${alike + 1}` : `${file} ${call}`, file, line: index + 1 });
    }
  }
  if (sites.length === 0) throw new Error('nothing below src/store makes anything durable, as far as this reads it');
  return sites;
}

/** Returns true for the syncs of this line; if a kind is given, only for those of such files. */
export function isSyncOf({ file, line }: SyncSite, kind?: string): (what: string) => boolean {
  const place = `/src/store/${file}:${line}:`;
  return (what) => {
    if (kind !== undefined && !what.endsWith(` ${kind}`)) return false;
    const { stack = '' } = new Error();
    const frame = stack.split('\n').find((one) => one.includes('/src/store/') && !one.includes(`/src/store/${DISK}`));
    return frame?.includes(place) === true;
  };
}
