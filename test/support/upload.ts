// Uploads as browsers send them, and small files of known types.
import { hash } from 'node:crypto';
import type { Client, Reply } from './world.ts';

export const BOUNDARY = '----colophon-test-boundary';

export interface UploadPart {
  name: string;
  /** A part with a file name is a file. */
  filename?: string;
  type?: string;
  content: Buffer | string;
}

export function multipart(parts: readonly UploadPart[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, content }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    filename === undefined ? '' : `Content-Type: ${type ?? 'application/octet-stream'}\r\n`,
    '\r\n',
    content,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)));
}

export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

export function upload(
  client: Pick<Client, 'post'>,
  filename: string,
  content: Buffer | string,
  { folder, query = '' }: { folder?: string; query?: string } = {},
): Promise<Reply> {
  const body = multipart([
    ...(folder === undefined ? [] : [{ name: 'folder', content: folder }]),
    { name: 'file', filename, content },
  ]);
  return client.post(`/api/upload${query}`, body, MULTIPART);
}

export function sha256(content: Buffer | string): string {
  return hash('sha256', content);
}

/** A GIF of one pixel; each number gives a different one (in a comment block). */
export function gif(number = 0): Buffer {
  const comment = Buffer.from(String(number));
  return Buffer.concat([
    Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH+', 'base64'),
    Buffer.from([comment.length]),
    comment,
    Buffer.from([0]),
    Buffer.from('LAAAAAABAAEAAAIBRAA7', 'base64'),
  ]);
}
