// `include`: the documents that relations name, beside a list or in a document. Paths are compiled against the
// configuration first; then documents are followed breadth first, so that the first ones of a long answer are there.
import { hash } from 'node:crypto';
import { invalid } from '../../lib/errors.ts';
import type { Viewer } from '../api.ts';
import type { Data } from '../document.ts';
import type { Row } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';
import { type FieldScope, fieldsIn, valuesAt } from './relation-fields.ts';

const MAX_LEVELS = 3;
const MAX_INCLUDED = 200;
const MAX_NAMES = 50;
/** The key in front of the documents. */
export const INCLUDED = '"included":';

interface RelationStep {
  /** Keys inside of `data`. */
  path: readonly string[];
  collection: string;
  next: RelationStep[];
}

/** How far a name has been followed. */
interface PathEnd {
  steps: RelationStep[];
  scope: FieldScope;
  /** Keys since the last relation. */
  path: readonly string[];
}

/** What one request includes. */
export interface Inclusion {
  /** Changes with every document that may be included, and with nothing else that the reader does not see. */
  version: string;
  /** The collections that are followed. */
  collections: readonly string[];
  /** Notes what a document of the answer points to; call it in the order of the answer. */
  visit(row: Row): void;
  /** The same for data that no row has. */
  visitData(data: Data): void;
  /** The pieces of `"included":{...}`, after the last visit. */
  pieces(): Generator<Buffer>;
}

type Scope = Pick<ContentView, 'schema' | 'collection' | 'bySlug'>;

/** @throws ServiceError 400 for a name that is no relation, and for more levels than there may be. */
export function createInclusion(view: Scope, collection: string, names: readonly string[], viewer?: Viewer): Inclusion {
  const collections = new Set<string>();
  const steps: RelationStep[] = [];
  if (names.length > MAX_NAMES) throw refusal(`names at most ${MAX_NAMES} relations`);
  for (const name of names) addName(name);

  function addName(name: string): void {
    let ends: PathEnd[] = [
      { steps, scope: { fields: view.schema.collections.get(collection)!.config.fields }, path: [] },
    ];
    let levels = 0;
    const keys = name.split('.');
    for (const [index, key] of keys.entries()) {
      const found = ends.flatMap((end) => fieldsIn(view.schema, end.scope, key).map((field) => ({ end, field })));
      const related = found.filter(({ field }) => field.type === 'relation' && field.collection !== undefined);
      if (related.length > 0 && ++levels > MAX_LEVELS) throw refusal(`"${name}" has more than ${MAX_LEVELS} levels`);
      const isLast = index === keys.length - 1;
      if (found.length === 0 || (isLast && related.length === 0)) throw refusal(`"${name}" is no relation`);
      const seen = new Set<string>();
      const hidden = related.filter(({ field }) => viewer?.mayRead && !viewer.mayRead(field.collection!));
      ends = found.flatMap(({ end, field }): PathEnd[] => {
        const path = [...end.path, key];
        if (field.type !== 'relation')
          return [{ steps: end.steps, scope: { fields: field.fields, blocks: field }, path }];
        const target = field.collection!;
        if (hidden.some((one) => one.field === field) || seen.has(target)) return [];
        seen.add(target);
        collections.add(target);
        const step = addStep(end.steps, path, target);
        return [{ steps: step.next, scope: { fields: view.schema.collections.get(target)?.config.fields }, path: [] }];
      });
      // The fields stay unknown of a collection that the reader may not see, but that the path is too long.
      if (ends.length === 0 && levels + keys.length - index - 1 > MAX_LEVELS) {
        throw refusal(`"${name}" has more than ${MAX_LEVELS} levels`);
      }
      if (ends.length === 0) return;
    }
  }

  const included = new Map<string, Row>();
  const waiting: { row: Row; steps: readonly RelationStep[] }[] = [];
  const followed = new Map<RelationStep, Set<string>>();

  function find(name: string, slug: string): Row | undefined {
    const row = view.bySlug(name, slug);
    return row && viewer?.publishedOnly && row.status !== 'published' ? undefined : row;
  }

  function follow(data: Data, taken: readonly RelationStep[]): void {
    for (const step of taken) {
      for (const slug of valuesAt(data, step.path)) {
        const row = find(step.collection, slug);
        if (!row) continue;
        if (!included.has(row.id) && included.size >= MAX_INCLUDED) continue;
        included.set(row.id, row);
        const rows = followed.get(step) ?? new Set();
        followed.set(step, rows);
        if (step.next.length === 0 || rows.has(row.id)) continue;
        rows.add(row.id);
        waiting.push({ row, steps: step.next });
      }
    }
  }

  const version = (): string => {
    const versions = [...collections].sort().map((name) => {
      const { version: all, publicVersion } = view.collection(name)!;
      return `${name} ${viewer?.publishedOnly ? publicVersion : all}`;
    });
    return hash('sha1', JSON.stringify([names, versions]));
  };

  const isOver = (): boolean => included.size >= MAX_INCLUDED || steps.length === 0;
  return {
    version: version(),
    collections: [...collections],
    visit: (row) => void (isOver() || follow(dataOf(row), steps)),
    visitData: (data) => void (isOver() || follow(data, steps)),
    *pieces() {
      const parsed = new Map<Row, Data>();
      for (let next = 0; next < waiting.length && included.size < MAX_INCLUDED; next++) {
        const { row, steps: taken } = waiting[next]!;
        const data = parsed.get(row) ?? dataOf(row);
        parsed.set(row, data);
        follow(data, taken);
      }
      let isFirst = true;
      yield Buffer.from(`${INCLUDED}{`);
      for (const row of included.values()) {
        yield Buffer.from(`${isFirst ? '' : ','}${JSON.stringify(`${row.collection}/${row.slug}`)}:`);
        yield row.body;
        isFirst = false;
      }
      yield Buffer.from('}');
    },
  };
}

/** The same step for paths that begin alike. */
function addStep(steps: RelationStep[], path: readonly string[], collection: string): RelationStep {
  const known = steps.find((step) => step.collection === collection && step.path.join('.') === path.join('.'));
  if (known) return known;
  const step: RelationStep = { path, collection, next: [] };
  steps.push(step);
  return step;
}

function refusal(message: string) {
  return invalid([{ path: 'include', message }]);
}

function dataOf(row: Row): Data {
  return (JSON.parse(row.body.toString('utf8')) as { data: Data }).data;
}

/** A document with what it includes, inside of its object. */
export function includeIn(row: Row, inclusion: Inclusion): { body: Buffer; etag: string } {
  inclusion.visit(row);
  const body = Buffer.concat([row.body.subarray(0, -1), Buffer.from(','), ...inclusion.pieces(), Buffer.from('}')]);
  return { body, etag: `W/"${hash('sha1', `${row.etag} ${inclusion.version}`)}"` };
}
