// What a build knows for the next one: the documents' records, and what each page was made from. It may be deleted at
// any time; a damaged one, or one of another version, configuration or theme, makes the next build a full one.
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { FormerAddresses } from '../plan/former-addresses.ts';
import type { KnownSearch } from '../put-search.ts';
import type { SiteDocument } from '../read/site-document.ts';
import { type ReadList, readChunks, writeChunks } from './chunked-lines.ts';
import { createFactTable, type FactTable } from './fact-table.ts';

/** Count up when pages, records or facts would be made differently. */
export const BUILDER_VERSION = 3;

/** One page of the last build. */
export interface KnownPage {
  file: string;
  /** The planned page as text. */
  recipe: string;
  /** Numbers of facts. */
  facts: readonly number[];
  media: readonly string[];
}

export interface BuildState {
  /** Everything besides the documents that all pages depend on, hashed. */
  key: string;
  commit: string;
  /** Hash of the list of files in the output folder. */
  listHash: string;
  documents: readonly SiteDocument[];
  pages: readonly KnownPage[];
  facts: FactTable;
  former: FormerAddresses | undefined;
  /** Media that no smaller picture can be made of. */
  opaque: string[];
  search: KnownSearch | undefined;
  /** The lists as they were read, for what is written again. */
  read?: {
    documents: ReadList<SiteDocument>;
    pages: ReadList<KnownPage>;
    names: ReadList<string>;
    values: ReadList<string>;
  };
}

const FILE = 'state.json';

/** Undefined if it is missing or cannot be used. */
export function readState(folder: string, key: string): BuildState | undefined {
  const file = path.join(folder, FILE);
  if (!fs.existsSync(file)) return undefined;
  const bytes = fs.readFileSync(file);
  const [head = NOTHING, rest = NOTHING] = cut(bytes);
  if (head.toString('latin1') !== firstLine(key, rest)) return undefined;
  const lines = [...splitLines(rest)];
  const { counts, ...value } = JSON.parse(lines.shift()!.toString('utf8')) as SavedHead;
  const take = (count: number): Buffer[] => lines.splice(0, count);
  const documents = readChunks(take(counts.documents), (doc: SiteDocument) => doc);
  const pages = readChunks(
    take(counts.pages),
    ([page, recipe, facts, media]: SavedPage): KnownPage => ({ file: page, recipe, facts, media }),
  );
  const names = readChunks(take(counts.names), (name: string) => name);
  const values = readChunks(take(counts.values), (one: string) => one);
  const facts = createFactTable([...names.items], [...values.items]);
  return {
    ...value,
    key,
    documents: documents.items,
    pages: pages.items,
    facts,
    read: { documents, pages, names, values },
  };
}

/** Writes the state beside the last one, and returns what puts it in its place. */
export function prepareState(folder: string, { key, facts, documents, pages, read, ...rest }: BuildState): () => void {
  const { names, values, renumber } = facts.compacted(pages);
  // Other numbers are other lines.
  const known = renumber ? undefined : read;
  const lists = {
    documents: writeChunks(
      documents,
      read?.documents,
      (doc, at) => doc === read!.documents.items[at],
      (doc) => doc,
    ),
    pages: writeChunks(
      pages,
      known?.pages,
      (page, at) => page === known!.pages.items[at],
      (page): SavedPage => [page.file, page.recipe, renumber ? renumber(page.facts) : page.facts, page.media],
    ),
    names: writeChunks(
      names,
      known?.names,
      (name, at) => name === known!.names.items[at],
      (name) => name,
    ),
    values: writeChunks(
      values,
      known?.values,
      (one, at) => one === known!.values.items[at],
      (one) => one,
    ),
  };
  const { documents: docs, pages: made, names: named, values: valued } = lists;
  const counts = { documents: docs.length, pages: made.length, names: named.length, values: valued.length };
  const head = Buffer.from(JSON.stringify({ ...rest, counts } satisfies SavedHead), 'utf8');
  const bytes = joinLines([head, ...docs, ...made, ...named, ...valued]);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, FILE);
  const open = fs.openSync(`${file}.new`, 'w', 0o600);
  try {
    fs.writeFileSync(open, `${firstLine(key, bytes)}\n`);
    fs.writeFileSync(open, bytes);
  } finally {
    fs.closeSync(open);
  }
  return () => fs.renameSync(`${file}.new`, file);
}

const NOTHING = Buffer.alloc(0);
const LINE_END = 10;

function cut(bytes: Buffer): [Buffer, Buffer] {
  const end = bytes.indexOf(LINE_END);
  return [bytes.subarray(0, end), bytes.subarray(end + 1)];
}

function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from);
    yield bytes.subarray(from, end);
    from = end + 1;
  }
}

function joinLines(lines: readonly Buffer[]): Buffer {
  const end = Buffer.of(LINE_END);
  return Buffer.concat(lines.flatMap((line) => [line, end]));
}

function firstLine(key: string, rest: Buffer): string {
  return `${BUILDER_VERSION} ${key} ${rest.length} ${crc32(rest)}`;
}

type SavedPage = [file: string, recipe: string, facts: readonly number[], media: readonly string[]];

/** The second line; the lists follow it, so many lines each. */
interface SavedHead extends Pick<BuildState, 'commit' | 'listHash' | 'former' | 'opaque' | 'search'> {
  counts: { documents: number; pages: number; names: number; values: number };
}
