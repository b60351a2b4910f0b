// The thread that finds links in documents: a text made to be slow costs the link check some seconds, and nothing else
// any time.
import { parentPort, workerData } from 'node:worker_threads';
import type { SiteConfig } from '../config/site-config.ts';
import { collectLinks } from './collect-links.ts';
import type { DocumentLinks, ExtractOrder } from './extract.ts';

/** No real page has more links. Only the first are checked, and each answer of the thread stays small. */
const MAX_LINKS = 2000;

const { collections, blocks } = workerData as Pick<SiteConfig, 'collections' | 'blocks'>;
const fieldsOf = new Map(collections.map(({ name, fields }) => [name, fields]));
const blocksByName = new Map(blocks.map((block) => [block.name, block]));

parentPort?.on('message', ({ documents }: ExtractOrder) => {
  const text = Buffer.from(documents.buffer, documents.byteOffset, documents.byteLength).toString('utf8');
  const found: DocumentLinks[] = [];
  for (const { collection, slug, locale, data } of JSON.parse(text)) {
    const links = collectLinks(data, fieldsOf.get(collection) ?? [], blocksByName);
    if (links.length === 0) continue;
    found.push({
      collection,
      slug,
      locale,
      links: links.slice(0, MAX_LINKS),
      more: Math.max(0, links.length - MAX_LINKS),
    });
  }
  parentPort?.postMessage(found);
});
