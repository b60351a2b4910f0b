// Requests that may hold up others: each is the worst of its kind that is allowed, or once caused a long silence.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { FLUSH, toPacket } from '../../src/git/pkt-line.ts';

export interface StallRequest {
  name: string;
  /** A reader of a long answer has the same bar as strangers. */
  by: 'stranger' | 'editor' | 'reader';
  prepare?(): Promise<unknown>;
  /** Returns anything worth a note. */
  run(): Promise<unknown>;
}

export interface StallTarget {
  url: string;
  headers: { authorization: string };
  count: number;
  isQuick: boolean;
}

const MARK = '\u0301';
const JSON_TYPE = { 'content-type': 'application/json' };
const ID = 'a'.repeat(40);

/** One function, because it is a table: one request a row, written with the senders above the rows. */
export function requests({ url, headers, count, isQuick }: StallTarget): StallRequest[] {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, localAddress: '127.0.0.251' });
  const { port } = new URL(url);
  const asEditor = { ...headers, ...JSON_TYPE };

  /** Returns the status; reads the body as fast as it comes. */
  function send(
    method: string,
    path: string,
    body?: string | Buffer,
    more: Record<string, string> = {},
  ): Promise<number> {
    return new Promise((resolve) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = request(
        { agent, host: '127.0.0.1', port, method, path, headers: { ...length, ...more } },
        (response) => {
          response.once('close', () => resolve(response.statusCode ?? 0)).resume();
        },
      );
      // Cut off: the request is refused while it is still being sent.
      sent.once('error', () => resolve(0));
      sent.end(body);
    });
  }
  const get = (path: string, more: Record<string, string> = headers) => send('GET', path, undefined, more);
  const login = (body: string) => send('POST', '/api/auth/login', body, JSON_TYPE);
  const write = (method: string, path: string, value: unknown) => send(method, path, JSON.stringify(value), asEditor);
  const many = async (n: number, run: (i: number) => Promise<unknown>): Promise<unknown[]> =>
    Promise.all(Array.from({ length: n }, (_, i) => run(i)));

  async function thirtyClients(more: Record<string, string>): Promise<string> {
    const until = performance.now() + 1500;
    let answers = 0;
    await many(30, async () => {
      while (performance.now() < until) {
        await get('/api/openapi.json', more);
        answers++;
      }
    });
    return `${answers} answers`;
  }

  async function idleSockets(n: number): Promise<string> {
    const sockets = Array.from({ length: n }, (_, i) =>
      connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.1.${1 + (i % 50)}` }).on('error', () => {}),
    );
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    const status = await write('POST', '/api/cms/posts', { slug: `beside-sockets-${n}`, data: { title: 'x' } });
    for (const socket of sockets) socket.destroy();
    return `write beside them: ${status}`;
  }

  async function eventStreams(n: number): Promise<string> {
    const open: IncomingMessage[] = [];
    await many(n, async (i) => {
      const localAddress = `127.0.2.${1 + (i % 50)}`;
      const options = { host: '127.0.0.1', port, path: '/api/cms/changes', agent: new Agent(), localAddress };
      const sent = request({ ...options, headers: { ...headers, accept: 'text/event-stream' } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      open.push(response.on('error', () => {}).resume());
    });
    for (let i = 0; i < 20; i++) await write('PATCH', '/api/cms/posts/doc-3', { data: { title: `sent ${i}` } });
    const held = open.filter(({ statusCode }) => statusCode === 200).length;
    for (const response of open) response.destroy();
    return `${held} are open`;
  }

  const marks = (characters: number) => `a${MARK.repeat(characters)}`;
  const loginOf = (value: string) => login(JSON.stringify({ email: `${value}@example.org`, password: value }));
  const surrogates = `{${Array.from({ length: 60_000 }, (_, i) => `"\\ud800${i}":1`).join()}}`;
  const numbers = `{"email":[${Array.from({ length: 200_000 }, () => '1e5').join()}]}`;
  const keys = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${i}`, i]));
  const large = (letter: string) =>
    Array.from({ length: 9000 }, (_, i) => `<p>${letter.repeat(80)} ${(i * 7919) % 9001}</p>`).join('\n');
  const versions = isQuick ? 500 : 10_000;
  const form = (file: Buffer, name: string): { body: Buffer; headers: Record<string, string> } => ({
    body: Buffer.concat([
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
      file,
      Buffer.from('\r\n--x--\r\n'),
    ]),
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
  });
  const upload = (file: Buffer, name: string) => {
    const { body, headers: more } = form(file, name);
    return send('POST', '/api/upload', body, more);
  };
  const list = (query: string, more: Record<string, string> = headers) => get(`/api/cms/posts${query}`, more);
  const gzip = { ...headers, 'accept-encoding': 'gzip' };
  const receive = { ...headers, 'content-type': 'application/x-git-receive-pack-request' };
  const uploadPack = { ...headers, 'content-type': 'application/x-git-upload-pack-request' };
  const longRefs = (n: number) =>
    Buffer.concat([
      ...Array.from({ length: n }, (_, i) => toPacket(`${ID} ${ID} refs/heads/${'x'.repeat(17_480)}${i}\n`)),
      FLUSH,
    ]);
  const haves = Buffer.concat([
    toPacket(`want ${ID} side-band-64k\n`),
    FLUSH,
    ...Array.from({ length: 80_000 }, (_, i) => toPacket(`have ${i.toString(16).padStart(40, '0')}\n`)),
  ]);

  return [
    { name: 'log in with 160 kB of combining marks', by: 'stranger', run: () => loginOf(marks(40_000)) },
    { name: 'log in with 600 kB of combining marks', by: 'stranger', run: () => loginOf(marks(150_000)) },
    { name: 'log in with lone surrogates as keys', by: 'stranger', run: () => login(surrogates) },
    { name: 'log in with 200,000 numbers like 1e5', by: 'stranger', run: () => login(numbers) },
    { name: 'log in with 60,000 keys', by: 'stranger', run: () => login(JSON.stringify(keys(60_000))) },
    { name: 'log in with 400,000 brackets', by: 'stranger', run: () => login('['.repeat(400_000)) },
    {
      name: 'a form with 60,000 fields',
      by: 'stranger',
      run: () => send('POST', '/api/forms/contact', JSON.stringify(keys(60_000)), JSON_TYPE),
    },
    {
      name: 'a urlencoded form with 100,000 fields',
      by: 'stranger',
      run: () =>
        send('POST', '/api/forms/contact', 'a=1&'.repeat(100_000), {
          'content-type': 'application/x-www-form-urlencoded',
        }),
    },
    {
      name: 'a form with a megabyte of marks',
      by: 'stranger',
      run: () => send('POST', '/api/forms/contact', JSON.stringify({ name: marks(400_000), message: 'x' }), JSON_TYPE),
    },
    { name: '1,000 idle sockets', by: 'stranger', run: () => idleSockets(1000) },
    { name: '100 event streams, and 20 writes', by: 'editor', run: () => eventStreams(100) },
    { name: 'the API description, 30 clients', by: 'stranger', run: () => thirtyClients({}) },
    {
      name: 'the API description, 30 clients, compressed',
      by: 'stranger',
      run: () => thirtyClients({ 'accept-encoding': 'gzip, br' }),
    },
    { name: `a list of ${count} to a fast reader`, by: 'reader', run: () => list('') },
    { name: `a list of ${count} to a stranger`, by: 'stranger', run: () => list('', {}) },
    { name: `a list of ${count}, compressed`, by: 'reader', run: () => list('', gzip) },
    {
      name: `a list of ${count}, compressed by brotli`,
      by: 'reader',
      run: () => list('', { ...headers, 'accept-encoding': 'br' }),
    },
    { name: `a list of ${count}, one field of each`, by: 'reader', run: () => list('?fields=title') },
    { name: 'ten lists of everything at once', by: 'reader', run: () => many(isQuick ? 4 : 10, () => list('')) },
    { name: 'a page by an uncommon key', by: 'stranger', run: () => list('?limit=20&orderBy=title', {}) },
    { name: 'a page by a long text', by: 'stranger', run: () => list('?limit=20&orderBy=body&order=asc', {}) },
    {
      name: 'a page far down, by a key that no document has',
      by: 'stranger',
      run: () => list(`?limit=20&orderBy=none&offset=${count - 20}`, {}),
    },
    {
      name: 'a page by a tag and an uncommon key',
      by: 'stranger',
      run: () => list('?limit=20&tags=e&orderBy=tags', {}),
    },
    { name: 'everything by an uncommon key', by: 'stranger', run: () => list('?orderBy=slug&order=asc', {}) },
    { name: 'a page of one locale', by: 'stranger', run: () => list('?limit=20&locale=en&orderBy=updatedAt', {}) },
    {
      name: 'pages by 30 different keys',
      by: 'stranger',
      run: () => many(30, (i) => list(`?limit=20&orderBy=key${i}`, {})),
    },
    { name: 'the feed of all changes', by: 'reader', run: () => get('/api/cms/changes') },
    { name: 'search for the commonest letters', by: 'editor', run: () => get('/api/search?q=e&limit=50') },
    {
      name: 'search for many words, far down',
      by: 'editor',
      run: () =>
        get(
          `/api/search?q=${encodeURIComponent('e t a o i n s h r d l u')}&limit=50&offset=${Math.min(count - 50, 9000)}`,
        ),
    },
    { name: 'search for a word of 8,000 letters', by: 'editor', run: () => get(`/api/search?q=${'e'.repeat(8000)}`) },
    {
      name: 'a document with marks, and a search for it',
      by: 'editor',
      run: async () => [
        await write('POST', '/api/cms/posts', { slug: 'marks', data: { title: 'marks', body: marks(300_000) } }),
        await get('/api/search?q=marks'),
      ],
    },
    {
      name: 'a document with surrogates as keys',
      by: 'editor',
      run: () => send('POST', '/api/cms/posts', `{"slug":"s","data":${surrogates}}`, asEditor),
    },
    {
      name: 'a document with 200,000 numbers like 1e5',
      by: 'editor',
      run: () =>
        send('POST', '/api/cms/posts', `{"slug":"n","data":{"title":"n","list":${numbers.slice(9, -1)}}}`, asEditor),
    },
    {
      name: 'a document with 45,000 keys',
      by: 'editor',
      run: () => write('POST', '/api/cms/posts', { slug: 'keys', data: { title: 'k', ...keys(45_000) } }),
    },
    {
      name: 'a PATCH of the document with 45,000 keys',
      by: 'editor',
      run: () =>
        write('PATCH', '/api/cms/posts/keys', {
          data: Object.fromEntries(Object.keys(keys(45_000)).map((key) => [key, 'x'])),
        }),
    },
    {
      name: 'a PATCH of a megabyte of text',
      by: 'editor',
      prepare: () => write('POST', '/api/cms/posts', { slug: 'large', data: { title: 'l', body: large('a') } }),
      run: () => write('PATCH', '/api/cms/posts/large', { data: { body: large('b') } }),
    },
    { name: 'the history of the megabyte', by: 'editor', run: () => get('/api/cms/posts/large/history') },
    {
      name: `${versions} versions, and their history`,
      by: 'editor',
      prepare: () =>
        inTurns(versions, 64, (i) => write('PATCH', '/api/cms/posts/doc-1', { data: { title: `version ${i}` } })),
      run: () => get('/api/cms/posts/doc-1/history'),
    },
    {
      name: 'an SVG of 10 MB of &',
      by: 'editor',
      run: () =>
        upload(
          Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><text>${'&'.repeat(10_000_000)}</text></svg>`),
          'a.svg',
        ),
    },
    {
      name: 'an SVG of 10 MB of empty groups',
      by: 'editor',
      run: () =>
        upload(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(2_000_000)}</svg>`), 'b.svg'),
    },
    {
      name: '500 uploads at once',
      by: 'editor',
      run: () => many(500, (i) => upload(Buffer.from(`text ${i} `.repeat(200)), `t${i}.txt`)),
    },
    { name: 'the list of media', by: 'editor', run: () => get('/api/media') },
    { name: 'a backup', by: 'editor', run: () => write('POST', '/api/admin/backups', {}) },
    { name: 'the trash', by: 'editor', run: () => get('/api/admin/trash') },
    { name: 'the audit', by: 'editor', run: () => get('/api/admin/audit') },
    {
      name: 'the manifest and the schemas',
      by: 'editor',
      run: async () => [await get('/api/manifest'), await get('/api/schema')],
    },
    {
      name: 'a push of 3,000 refs of 17,500 characters',
      by: 'editor',
      run: () => send('POST', '/git/default.git/git-receive-pack', longRefs(3000), receive),
    },
    {
      name: 'a fetch that has 80,000 commits',
      by: 'editor',
      run: () => send('POST', '/git/default.git/git-upload-pack', haves, uploadPack),
    },
    { name: 'a check of all links', by: 'editor', run: () => write('POST', '/api/admin/link-check', {}) },
    { name: 'the heartbeat', by: 'editor', run: () => get('/api/cms/heartbeat') },
    {
      name: 'a path of 8,000 characters, 2,000 times',
      by: 'stranger',
      run: () => many(2000, () => get(`/${'a/'.repeat(4000)}`, {})),
    },
    {
      name: 'If-None-Match of 15 kB, 500 times',
      by: 'stranger',
      run: () => many(500, () => get('/api/cms/posts/doc-2', { 'if-none-match': '"a", '.repeat(2500) })),
    },
    {
      name: 'cookies of 15 kB, 500 times',
      by: 'stranger',
      run: () => many(500, () => get('/api/auth/me', { cookie: 'a=b; '.repeat(2500) })),
    },
  ];
}

/** Runs this many, a few at a time. */
async function inTurns(total: number, atOnce: number, run: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < total) await run(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
