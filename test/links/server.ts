// External servers that misbehave, on 127.0.0.1, so that only checks with access to private addresses reach them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Elsewhere extends AsyncDisposable {
  url: string;
  /** `METHOD path` of each request, in order. */
  asked: string[];
  /** User agents of the requests. */
  agents: Set<string>;
  /** The largest number of simultaneous requests. */
  most(): number;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const PLACES: Record<string, Handler> = {
  '/fine': (_, res) => res.end('fine'),
  '/head-unknown': (req, res) => {
    res.statusCode = req.method === 'HEAD' ? 405 : 200;
    res.end();
  },
  '/head-lies': (req, res) => {
    res.statusCode = req.method === 'HEAD' ? 404 : 200;
    res.end();
  },
  '/head-closes': (req, res) => (req.method === 'HEAD' ? void res.destroy() : void res.end('fine')),
  '/huge': (req, res) => {
    if (req.method === 'HEAD') {
      res.statusCode = 501;
      return void res.end();
    }
    const more = (): void => {
      while (!res.destroyed && res.write(Buffer.alloc(65_536)));
    };
    res.on('drain', more);
    more();
  },
  '/gone': (_, res) => {
    res.statusCode = 404;
    res.end('x'.repeat(100_000));
  },
  '/broken': (_, res) => {
    res.statusCode = 500;
    res.end();
  },
  '/login': (_, res) => {
    res.statusCode = 401;
    res.end();
  },
  '/busy': (_, res) => {
    res.statusCode = 429;
    res.end();
  },
  '/moved': (_, res) => redirect(res, '/fine'),
  '/moved-away': (_, res) => redirect(res, 'ftp://else.example/'),
  '/loop': (_, res) => redirect(res, '/loop-back'),
  '/loop-back': (_, res) => redirect(res, '/loop'),
  '/nowhere': (_, res) => {
    res.statusCode = 302;
    res.end();
  },
  '/metadata': (_, res) => redirect(res, 'http://169.254.169.254/latest/meta-data/'),
  '/hangs': () => undefined,
  '/drips': (req, res) => {
    if (req.method === 'HEAD') return;
    const timer = setInterval(() => res.write('x'), 20);
    res.on('close', () => clearInterval(timer));
  },
  '/closes': (_, res) => void res.destroy(),
};

function redirect(res: ServerResponse, location: string): void {
  res.statusCode = 301;
  res.setHeader('location', location);
  res.end();
}

export async function openElsewhere(): Promise<Elsewhere> {
  const asked: string[] = [];
  const agents = new Set<string>();
  let now = 0;
  let most = 0;
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://x');
    asked.push(`${req.method} ${req.url}`);
    agents.add(String(req.headers['user-agent']));
    most = Math.max(most, ++now);
    res.on('close', () => now--);
    const [, step] = /^\/step\/(\d+)$/.exec(pathname) ?? [];
    if (step !== undefined) redirect(res, `/step/${Number(step) + 1}`);
    else (PLACES[pathname] ?? PLACES['/gone']!)(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    agents,
    most: () => most,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
