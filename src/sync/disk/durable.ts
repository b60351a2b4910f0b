// Small files and folders of the volume that must survive a power cut: temporary file, sync, rename, sync of the folder.
import fs from 'node:fs';
import path from 'node:path';

export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces the file as a whole: a reader, and a start after a crash, find the old text or the new one. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`;
  const handle = await fs.promises.open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.promises.rename(temporary, file);
  await syncFolder(path.dirname(file));
}
