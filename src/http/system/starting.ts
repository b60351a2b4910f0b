// What the service answers between taking its port and opening its sites: it is alive, and serves nothing yet. Must not
// touch the data folder.
import type { RequestListener } from 'node:http';

const ALIVE = JSON.stringify({ ok: true });
const STARTING = JSON.stringify({ error: 'the service is starting', code: 'unavailable' });

export const answerStarting: RequestListener = (req, res) => {
  const isAlive = req.method === 'GET' && req.url === '/healthz';
  const body = isAlive ? ALIVE : STARTING;
  res.writeHead(isAlive ? 200 : 503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    // The next request on this connection is for the service itself, and a body that nobody reads ends here.
    Connection: 'close',
    ...(isAlive ? {} : { 'Retry-After': '1' }),
  });
  res.end(body);
};
