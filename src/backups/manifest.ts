// `_data/backups/manifest.json`: the list of backups. It is read once, and then replaced as a whole with every change;
// a change is durable before it is reported. If the file cannot be read, it is left alone, and so are the backups.

import type { DataFolder } from '../data/data-folder.ts';
import { ServiceError } from '../lib/errors.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { ManifestFile, NO_SNAPSHOTS, type SnapshotRecord } from './snapshot.ts';

export interface Manifest {
  /** @throws unavailable if the file is damaged. */
  read(): ManifestFile;
  /** One change after another; resolves once it is durable. */
  update(change: (file: ManifestFile) => ManifestFile): Promise<void>;
}

const NAME = 'manifest.json';

export async function openManifest(folder: DataFolder): Promise<Manifest> {
  const bytes = await folder.read(NAME);
  let current = bytes === undefined ? NO_SNAPSHOTS : parse(bytes);
  const inOrder = createInOrder();

  function read(): ManifestFile {
    if (current) return current;
    throw new ServiceError(
      'unavailable',
      'the manifest of the backups, "_data/backups/manifest.json", is damaged; move it away to start a new one',
    );
  }

  async function apply(change: (file: ManifestFile) => ManifestFile): Promise<void> {
    const next = change(read());
    if (next === current) return;
    await folder.write(NAME, `${JSON.stringify(next, null, 2)}\n`);
    current = next;
  }

  return {
    read,
    update: (change) => inOrder(() => apply(change)),
  };
}

function parse(bytes: Buffer): ManifestFile | undefined {
  try {
    return ManifestFile.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function withSnapshot(file: ManifestFile, id: string, change: Partial<SnapshotRecord>): ManifestFile {
  const snapshots = file.snapshots.map((one) => (one.id === id ? { ...one, ...change } : one));
  return { ...file, snapshots };
}
