// Sends a long file as a request body. fetch holds what it is given in memory until it has gone, however slowly that is;
// Node's own client waits, so a file of 2 GB needs as much memory as one of 2 MB.
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export interface LongUpload {
  url: string;
  headers: Record<string, string>;
  file: string;
  sizeBytes: number;
  signal: AbortSignal;
}

const CHUNK_BYTES = 256 << 10;

/** PUTs the file. A server may answer, and end the connection, before it has all of it. */
export async function putLongFile({ url, headers, file, sizeBytes, signal }: LongUpload): Promise<Response> {
  const { request } = url.startsWith('https:') ? https : http;
  const sending = request(url, {
    method: 'PUT',
    headers: { ...headers, 'content-length': `${sizeBytes}` },
    signal,
  });
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve);
    sending.once('error', reject);
  });
  const sent = pipeline(fs.createReadStream(file, { highWaterMark: CHUNK_BYTES }), sending);
  const [answer] = await Promise.all([answered, sent.catch(() => answered)]);
  const found = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, `${value}`]);
  return new Response(await text(answer), { status: answer.statusCode ?? 500, headers: found });
}
