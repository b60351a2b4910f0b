// Filters of lists, answered from indexes, beside a look at every document: in one process without HTTP, so that nothing
// else is measured.

import { parseConfig } from '../../src/config/parse.ts';
import type { ListFilter } from '../../src/content/lists/filter.ts';
import { selectRows } from '../../src/content/lists/list.ts';
import type { CollectionView } from '../../src/content/rows/collection-view.ts';
import { toRow as toDocumentRow } from '../../src/content/rows/row.ts';
import { createContentView } from '../../src/content/rows/view.ts';
import { parseFile } from '../../src/content/stored.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { alternate, type Bench, barsAt } from './bench.ts';
import { configOf, createDocuments } from './documents.ts';
import { type BenchRow, median, toRow } from './table.ts';

const PAGE = 20;
const QUERIES = 40;
const EQUAL_MS = 5;
const RANGE_MS = 20;
const SCANS = 2;

export async function* filters(bench: Bench): AsyncGenerator<BenchRow> {
  for (const count of bench.counts) {
    bench.progress(`make ${count} documents`);
    const { view, titles } = makeView(count);
    const find = (filter: ListFilter[], orderBy: string): void => {
      selectRows(view, { filter, orderBy, order: 'asc', limit: PAGE });
    };
    const equal = (n: number): ListFilter[] =>
      n % 2 ? [{ key: 'title', op: 'eq', value: titles[n % count]! }] : [{ key: 'rank', op: 'eq', value: String(n) }];
    const range = (n: number): ListFilter[] => [
      { key: 'date', op: 'gte', value: new Date(Date.UTC(2020, 0, 5 + n)).toISOString() },
    ];
    for (const filter of [equal(1), equal(2), range(1)]) find(filter, 'title');
    const timed = (work: (n: number) => void, times: number): number => {
      const taken = Array.from({ length: times }, (_, n) => {
        const startMs = performance.now();
        work(n);
        return performance.now() - startMs;
      });
      return median(taken);
    };
    const found = await alternate(bench, {
      equal: () => timed((n) => find(equal(n), 'createdAt'), QUERIES),
      range: () => timed((n) => find(range(n), 'title'), QUERIES),
      scan: () => timed((n) => scan(view, titles[n]!), SCANS),
    });
    const reference = 'a look at every document';
    yield toRow({
      ...{ figure: `a filter of equality, ${count} documents, p50`, unit: 'ms', values: found.equal },
      ...{ reference, references: found.scan, bars: barsAt(count, { of: 'figure', atMost: EQUAL_MS }) },
    });
    yield toRow({
      ...{ figure: `a range in another order, ${count} documents, p50`, unit: 'ms', values: found.range },
      ...{ reference, references: found.scan, bars: barsAt(count, { of: 'figure', atMost: RANGE_MS }) },
    });
  }
}

function makeView(count: number): { view: CollectionView; titles: string[] } {
  const site = compileSite(parseConfig(configOf({ sharded: false })));
  const schema = site.collections.get('posts')!;
  const view = createContentView(site, 'c0');
  const documents = createDocuments();
  const ranks = Math.max(10, Math.floor(count / 50));
  const titles: string[] = [];
  for (let i = 0; i < count; i++) {
    const doc = parseFile(documents.file(i), undefined);
    if (typeof doc === 'string') throw new Error(doc);
    doc.data.rank = (i * 7919) % ranks;
    titles.push(String(doc.data.title));
    view.put(toDocumentRow(doc, `e${i}`, schema), 'c1');
  }
  return { view: view.collection('posts')!, titles };
}

function scan(view: CollectionView, title: string): number {
  let found = 0;
  for (const { body } of view.rows.values()) if (JSON.parse(body.toString('utf8')).data.title === title) found++;
  return found;
}
