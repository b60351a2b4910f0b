// A backup made by a running service, and its archive fetched into a file: for the command line, while the service has
// the data folder.
import { Readable } from 'node:stream';
import { ServiceError } from '../lib/errors.ts';
import { Snapshot } from './snapshot.ts';
import { writeDurably } from './write-file.ts';

export interface FetchBackupOptions {
  /** Where the service is, as `http://127.0.0.1:3010`. */
  url: string;
  token: string;
  site?: string;
  /** Where the archive goes; none is fetched without it. */
  out?: string;
  fetch: typeof fetch;
}

/** Resolves once the file is whole and synced. @throws ServiceError for a refusal, `upstream_failed` for a broken line. */
export async function fetchBackup(options: FetchBackupOptions): Promise<{ snapshot: Snapshot; archiveBytes: number }> {
  const { url, token, site, out, fetch } = options;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new ServiceError('invalid_input', `"${url}" is not an http or https address`);
  }
  const base = parsed.origin + parsed.pathname.replace(/\/+$/, '');

  async function call(method: string, path: string): Promise<Response> {
    const target = new URL(base + path);
    if (site !== undefined) target.searchParams.set('site', site);
    const response = await fetch(target, {
      method,
      headers: { authorization: `Bearer ${token}` },
      // A redirect could carry the token elsewhere.
      redirect: 'manual',
    }).catch((cause) => {
      throw new ServiceError('upstream_failed', `${base} cannot be reached`, { cause });
    });
    if (response.ok) return response;
    const text = await response.text();
    throw new ServiceError('upstream_failed', `${base} answers with status ${response.status}: ${text.slice(0, 500)}`);
  }

  const snapshot = Snapshot.parse(await (await call('POST', '/api/admin/backups')).json());
  if (out === undefined) return { snapshot, archiveBytes: 0 };
  const { body } = await call('GET', `/api/admin/backups/${snapshot.id}/archive`);
  if (!body) throw new ServiceError('upstream_failed', `${base} sends no archive`);
  const { sizeBytes } = await writeDurably(out, Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]));
  return { snapshot, archiveBytes: sizeBytes };
}
