// One HTTP exchange of a soak client: sent once, never repeated by itself, and classified as answered, never accepted,
// or unknown. Bodies stay text, because most of them are only hashed.
import { type Agent, request } from 'node:http';

export interface Exchange {
  method: string;
  path: string;
  body?: unknown;
  headers: Record<string, string>;
  /** The client hangs up after this long. */
  hangUpAfterMs?: number;
}

export type Answer =
  | { kind: 'answered'; status: number; text: string; header(name: string): string | undefined }
  | { kind: 'unsent' }
  | { kind: 'unknown'; isTimeout?: boolean };

/** No answer by then is a failure of the service. */
const TIMEOUT_MS = 30_000;
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ABORT_ERR', 'ECONNABORTED']);

export function exchange(url: string, agent: Agent, { method, path, body, headers, hangUpAfterMs }: Exchange) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise<Answer>((resolve, reject) => {
    const req = request(`${url}${path}`, {
      method,
      agent,
      headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = hangUpAfterMs === undefined;
      req.destroy();
    }, hangUpAfterMs ?? TIMEOUT_MS);
    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const failed = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ECONNREFUSED') settle({ kind: 'unsent' });
      else if (BROKEN.has(error.code ?? '')) settle({ kind: 'unknown', ...(isTimeout ? { isTimeout } : {}) });
      else reject(error);
    };
    req.on('error', failed);
    req.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', failed);
      res.on('end', () => {
        const header = (name: string): string | undefined => res.headers[name]?.toString();
        settle({
          kind: 'answered',
          status: res.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          header,
        });
      });
    });
    req.end(text);
  });
}
