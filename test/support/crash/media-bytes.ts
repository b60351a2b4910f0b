// Media bytes on a disk in memory, and what must hold for them after a crash.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { parsePointer } from '../../../src/lib/lfs-pointer.ts';
import type { ByteFiles } from '../../../src/media/bytes/open-byte-files.ts';
import { type MediaBytes, openBytes } from '../../../src/media/bytes/open-bytes.ts';
import { type Oid, parseCommit } from '../../../src/store/git/objects.ts';
import { readTreeEntries } from '../../../src/store/git/tree-check.ts';
import type { Store } from '../../../src/store/store.ts';
import type { MemoryDisk } from '../memory-disk.ts';
import type { StoppedTime } from '../stopped-time.ts';
import { type Files, FOLDER } from './stage.ts';

const MEDIA = `${FOLDER}/media`;

function filesOn(disk: MemoryDisk): ByteFiles {
  return {
    list: async (folder) => disk.list(folder),
    sizeOf: async (file) => disk.stat(file)?.size,
    changedMs: async (file) => (disk.stat(file) ? 0 : undefined),
    hashOf: async (file) => hash('sha256', disk.readFile(file) ?? ''),
    makeFolder: async (folder) => disk.makeFolder(folder),
    makeScratchFolder: async (folder) => disk.makeScratchFolder(folder),
    mark: async (file) => disk.beginFile(file).close(),
    rename: async (from, to) => disk.rename(from, to),
    async remove(fileOrFolder) {
      if (disk.stat(fileOrFolder)?.isDirectory()) disk.removeFolder(fileOrFolder);
      else disk.remove(fileOrFolder);
    },
    syncFile: async (file) => disk.syncFile(file),
    syncFolder: async (folder) => disk.syncFolder(folder),
  };
}

/** Hashes that the pointers of the newest commit name. */
function named(store: Store): Set<string> {
  const found = new Set<string>();
  const walk = (tree: Oid): void => {
    for (const { mode, oid } of readTreeEntries(store.odb.get(tree, 'tree'))) {
      if (mode === '40000') walk(oid);
      else {
        const pointer = parsePointer(store.odb.get(oid, 'blob'));
        if (pointer) found.add(pointer.sha256);
      }
    }
  };
  const head = store.log.status().gitHead;
  if (head) walk(parseCommit(store.odb.get(head, 'commit')).tree);
  return found;
}

/** Opens them as a start of the service does. */
export async function openBytesOn(disk: MemoryDisk, store: Store, time: StoppedTime): Promise<MediaBytes> {
  await time.until(store.log.flush());
  const known = named(store);
  let names = 0;
  return openBytes({
    folder: MEDIA,
    isNeeded: (sha256) => known.has(sha256),
    files: filesOn(disk),
    newName: () => `upload-${names++}`,
  });
}

/** All bytes that an acknowledged change names exist, even if a later change removed them; none exist in part. */
export async function checkMediaBytes(
  disk: MemoryDisk,
  store: Store,
  time: StoppedTime,
  changes: Iterable<Files>,
): Promise<void> {
  const bytes = await time.until(openBytesOn(disk, store, time));
  for (const files of changes) {
    for (const [file, text] of Object.entries(files)) {
      const pointer = text !== null && file.startsWith('media/') ? parsePointer(Buffer.from(text)) : undefined;
      if (!pointer) continue;
      const content = disk.readFile(bytes.pathOf(pointer.sha256));
      assert.equal(content && hash('sha256', content), pointer.sha256, `bytes of ${file}`);
    }
  }
  assert.deepEqual(disk.list(`${MEDIA}/incoming`), [], 'nothing of uploads under way is left');
}
