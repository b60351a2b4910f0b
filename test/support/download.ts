// Downloads bytes as they are served: sends the path as it is written, and returns the body as received.
import { request } from 'node:http';

export interface Download {
  status: number;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
}

export function download(
  { port }: { port: number },
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Download> {
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers as Download['headers'],
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    req.on('error', reject);
    req.end();
  });
}
