// A busy minute of a site: reads of documents, lists, searches, and many writes at once.
import autocannon, { type Client, type Request } from 'autocannon';
import { createDocuments, createRandom } from './documents.ts';
import type { Service } from './service.ts';

const PREPARED = 200;
const ORDERS = ['date', 'title', 'createdAt', 'updatedAt'];
const READ_SECONDS = 3;
const WRITE_SECONDS = 8;

/** Throws if any request was refused. */
export async function runMixedLoad({ url, headers }: Pick<Service, 'url' | 'headers'>, count: number): Promise<void> {
  const documents = createDocuments();
  const random = createRandom(9);
  const any = (): number => Math.floor(random() * count);
  const words = (): string => {
    const all = documents.data(0).body.split(' ');
    return all.slice(3, 4 + (any() % 3)).join(' ');
  };
  const run = async (connections: number, duration: number, make: () => Request): Promise<void> => {
    const setupClient = (client: Client): void => client.setRequests(Array.from({ length: PREPARED }, make));
    const found = await autocannon({ url, connections, duration, setupClient, timeout: 60 });
    if (found.non2xx || found.errors) throw new Error(`${found.non2xx} refusals, ${found.errors} errors`);
  };
  const get = (path: string): Request => ({ method: 'GET', path, headers });
  await run(64, READ_SECONDS, () => get(`/api/cms/posts/${documents.slug(any())}`));
  await run(16, READ_SECONDS, () =>
    get(`/api/cms/posts?limit=20&offset=${20 * Math.floor(any() / 20)}&orderBy=${ORDERS[any() % ORDERS.length]}`),
  );
  await run(16, READ_SECONDS, () => get(`/api/search?q=${encodeURIComponent(words())}`));
  await run(64, WRITE_SECONDS, () => ({
    method: 'PATCH',
    path: `/api/cms/posts/${documents.slug(any())}`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { body: documents.data(0).body } }),
  }));
}
