// Backups as their users have them: asked for over HTTP, downloaded into a file, restored by the command line.
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

const CLI = resolve(import.meta.dirname, '../../src/cli/main.ts');

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** `colophon <args>` as a process of its own, with nothing of our environment but the path. */
export function colophon(env: Record<string, string>, ...args: string[]): Promise<Ran> {
  return new Promise((done) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, encoding: 'utf8' as const };
    execFile(process.execPath, [CLI, ...args], options, (error, out, err) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      done({ code, out, err });
    });
  });
}

/** Resolves with status and headers once the file has all of it; rejects where it breaks off. */
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
