// Makes a backup by a running service, and fetches its archive into a file: for the command line, while the service
// holds the data folder.
import { Readable } from 'node:stream';
import { type ApiOptions, createApi } from '../lib/api-call.ts';
import { ServiceError } from '../lib/errors.ts';
import { Snapshot } from './snapshot.ts';
import { writeDurably } from './write-file.ts';

export interface FetchBackupOptions extends ApiOptions {
  /** Path for the archive; without it no archive is fetched. */
  out?: string | undefined;
  /** Bytes of the archive so far; 0 while the service makes the backup. */
  onProgress?(doneBytes: number): void;
}

/**
 * Resolves once the file is whole and synced. @throws ServiceError for a refusal, `upstream_failed` for a broken
 * connection.
 */
export async function fetchBackup(options: FetchBackupOptions): Promise<{ snapshot: Snapshot; archiveBytes: number }> {
  const { out, onProgress = () => undefined } = options;
  onProgress(0);
  const { base, call } = createApi(options);
  const snapshot = Snapshot.parse(await (await call('POST', '/api/admin/backups')).json());
  if (out === undefined) return { snapshot, archiveBytes: 0 };
  const { body } = await call('GET', `/api/admin/backups/${snapshot.id}/archive`);
  if (!body) throw new ServiceError('upstream_failed', `"${base}" sent no archive`);
  const chunks = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  const { sizeBytes } = await writeDurably(out, chunks, onProgress);
  return { snapshot, archiveBytes: sizeBytes };
}
