// A small HTTP client for tests against a process: node:http rather than fetch, because it sends each request exactly
// once, which is what counting answered writes needs. An answer that breaks off is an error.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by the tests
  json: any;
  /** `cms-session=...` to send back, if the answer sets one. */
  cookie: string | undefined;
}

export interface Client {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Closes idle connections. */
  close(): void;
}

const TIMEOUT_MS = 30_000;

export function createClient(url: string, cookie?: string): Client {
  const agent = new Agent({ keepAlive: true });

  function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const req = request(`${url}${path}`, {
        method,
        agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          ...(cookie ? { cookie } : {}),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      req.on('error', reject);
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8');
          const isJson = /json/.test(res.headers['content-type'] ?? '');
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text: answer,
            json: isJson && answer ? JSON.parse(answer) : undefined,
            cookie: res.headers['set-cookie']
              ?.map((line) => line.split(';')[0])
              .find((one) => one?.replace(/^__Host-/, '').startsWith('cms-session=')),
          });
        });
      });
      req.end(text);
    });
  }

  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    close: () => agent.destroy(),
  };
}
