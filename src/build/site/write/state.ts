// What a build knows for the next one: the documents' records, and what each page was made from. It may be deleted at
// any time; a damaged one, or one of another version, configuration or theme, makes the next build a full one.
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { FormerAddresses } from '../plan/former-addresses.ts';
import type { KnownSearch } from '../put-search.ts';
import type { SiteDocument } from '../read/site-document.ts';
import { createFactTable, type FactTable } from './fact-table.ts';

/** Count up when pages, records or facts would be made differently. */
export const BUILDER_VERSION = 2;

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
  documents: SiteDocument[];
  pages: readonly KnownPage[];
  facts: FactTable;
  former: FormerAddresses | undefined;
  /** Media that no smaller picture can be made of. */
  opaque: string[];
  search: KnownSearch | undefined;
}

const FILE = 'state.json';

/** Undefined if it is missing or cannot be used. */
export function readState(folder: string, key: string): BuildState | undefined {
  const file = path.join(folder, FILE);
  if (!fs.existsSync(file)) return undefined;
  const bytes = fs.readFileSync(file);
  const end = bytes.indexOf('\n');
  const rest = bytes.subarray(end + 1);
  if (bytes.toString('latin1', 0, end) !== firstLine(key, rest)) return undefined;
  const { names, values, pages, ...value } = JSON.parse(rest.toString('utf8')) as SavedState;
  return {
    ...value,
    key,
    facts: createFactTable([...names], [...values]),
    pages: pages.map(([page, recipe, facts, media]) => ({ file: page, recipe, facts, media })),
  };
}

/** Writes the state beside the last one, and returns what puts it in its place. */
export function prepareState(folder: string, { key, facts, pages, ...rest }: BuildState): () => void {
  const { names, values, renumber } = facts.compacted(pages);
  const saved: SavedState = {
    ...rest,
    names,
    values,
    pages: pages.map((page) => [page.file, page.recipe, renumber(page.facts), page.media]),
  };
  const bytes = Buffer.from(JSON.stringify(saved), 'utf8');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, FILE);
  const open = fs.openSync(`${file}.new`, 'w', 0o600);
  try {
    fs.writevSync(open, [Buffer.from(`${firstLine(key, bytes)}\n`), bytes]);
  } finally {
    fs.closeSync(open);
  }
  return () => fs.renameSync(`${file}.new`, file);
}

function firstLine(key: string, rest: Buffer): string {
  return `${BUILDER_VERSION} ${key} ${rest.length} ${crc32(rest)}`;
}

interface SavedState extends Omit<BuildState, 'key' | 'facts' | 'pages'> {
  names: readonly string[];
  values: readonly string[];
  pages: [file: string, recipe: string, facts: number[], media: readonly string[]][];
}
