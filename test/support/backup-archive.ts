// Backups as users have them: requested over HTTP, downloaded into a file, restored by the command line.
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as assert from 'uvu/assert';
import { restoreSite } from '../../src/sites/restore-site.ts';
import { gif, upload } from './upload.ts';
import { CONFIG, type World } from './world.ts';

const CLI = resolve(import.meta.dirname, '../../src/cli/main.ts');

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs `colophon <args>` in its own process, with nothing of our environment except PATH. */
export function colophon(env: Record<string, string>, ...args: string[]): Promise<Ran> {
  return new Promise((done) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, encoding: 'utf8' as const };
    execFile(process.execPath, [CLI, ...args], options, (error, out, err) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      done({ code, out, err });
    });
  });
}

/** Resolves with status and headers once the file has all of it; rejects if the download breaks off. */
export async function downloadArchive(
  url: string,
  id: string,
  headers: Record<string, string>,
  file: string,
): Promise<{ status: number; headers: Record<string, unknown> }> {
  const response = await new Promise<import('node:http').IncomingMessage>((done, failed) => {
    request(`${url}/api/admin/backups/${id}/archive`, { headers }, done).on('error', failed).end();
  });
  await pipeline(response, createWriteStream(file));
  if (!response.complete) throw new Error('the archive broke off');
  return { status: response.statusCode ?? 0, headers: response.headers };
}

export const sha256 = (bytes: Buffer): string => hash('sha256', bytes);

export function makeFolder(): { path: string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-archive-'));
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Makes a backup and downloads it. */
export async function archiveOf(world: World, folder: string): Promise<{ id: string; commit: string; file: string }> {
  const { json } = await world.admin.post('/api/admin/backups');
  const file = join(folder, `${json.id}.tar.gz`);
  const { status } = await downloadArchive(world.url, json.id, world.admin.headers as Record<string, string>, file);
  assert.is(status, 200);
  return { ...json, file };
}

/** Unpacks as the command line does, into `<folder>/sites`. */
export function unpack(folder: string, file: string) {
  return restoreSite({
    archive: file,
    sites: join(folder, 'sites'),
    siteFor: ({ site }) => site,
    onProgress: () => undefined,
  });
}

const FORM = { name: 'contact', label: 'Contact', fields: [{ name: 'text', label: 'Text', type: 'text' }] };

export const SITE = { ...CONFIG, forms: [FORM] } as typeof CONFIG;

/** A site with some of everything. */
export async function fill(world: World): Promise<void> {
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'hello', status: 'published', data: { title: 'one', body: 'words' } });
  await admin.put('/api/content/posts/hello/_fieldMeta/title/lock', { reason: 'mine' });
  await admin.patch('/api/cms/posts/hello', { data: { title: 'two' } });
  await admin.post('/api/cms/many', { slug: 'sharded', data: { title: 'x' } });
  await admin.post('/api/cms/posts', { slug: 'gone', data: { title: 'gone' } });
  await admin.delete('/api/cms/posts/gone');
  assert.is((await upload(admin, 'one.gif', gif(1), { folder: 'images' })).status, 200);
  assert.is((await upload(admin, 'two.gif', gif(2), { folder: 'images' })).status, 200);
  await admin.delete('/api/media/images/two.gif');
  assert.is((await admin.post('/api/forms/contact', { text: 'a question' })).status, 200);
  const settings = {
    timezone: 'Europe/Copenhagen',
    vercelToken: 'vercel-token-0123456789',
    revalidateSecret: 'revalidate-secret-0123456789',
    webhooks: [{ url: 'https://example.com/hook', events: ['*'], secret: 'hook-secret-0123456789' }],
  };
  assert.is((await admin.post('/api/admin/site-config', settings)).status, 200);
}
