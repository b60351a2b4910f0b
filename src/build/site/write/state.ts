// What a build knows for the next one: the documents' records, and what each page was made from. It may be deleted at
// any time; a damaged one, or one of another version, configuration or theme, makes the next build a full one.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { FormerAddresses } from '../plan/former-addresses.ts';
import type { KnownSearch } from '../put-search.ts';
import type { SiteDocument } from '../read/site-document.ts';

/** Count up when pages, records or facts would be made differently. */
export const BUILDER_VERSION = 1;

/** One page of the last build. */
export interface KnownPage {
  file: string;
  /** The planned page as text. */
  recipe: string;
  /** Names of facts. */
  facts: readonly string[];
  media: readonly string[];
}

export interface BuildState {
  /** Everything besides the documents that all pages depend on, hashed. */
  key: string;
  commit: string;
  /** Hash of the list of files in the output folder. */
  listHash: string;
  documents: SiteDocument[];
  pages: KnownPage[];
  /** Value of each fact. */
  facts: ReadonlyMap<string, string>;
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
  const text = fs.readFileSync(file, 'utf8');
  // The first line is the hash of the rest.
  const end = text.indexOf('\n');
  if (text.slice(0, end) !== `${BUILDER_VERSION} ${key} ${hash('sha256', text.slice(end + 1))}`) return undefined;
  const value = JSON.parse(text.slice(end + 1)) as SavedState;
  const facts = new Map(value.names.map((name, at) => [name, value.values[at]!]));
  const pages = value.pages.map(([page, recipe, used, media]) => ({
    file: page,
    recipe,
    facts: used.map((at) => value.names[at]!),
    media,
  }));
  const { commit, listHash, documents, former, opaque, search } = value;
  return { key, commit, listHash, documents, pages, facts, former, opaque, search };
}

/** Writes the state beside the last one, and returns what puts it in its place. */
export function prepareState(folder: string, state: BuildState): () => void {
  const names = [...state.facts.keys()];
  const places = new Map(names.map((name, at) => [name, at]));
  const { key, facts, pages, ...rest } = state;
  const saved: SavedState = {
    ...rest,
    names,
    values: [...facts.values()],
    pages: pages.map((page) => [page.file, page.recipe, page.facts.map((name) => places.get(name)!), page.media]),
  };
  const text = JSON.stringify(saved);
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, FILE);
  fs.writeFileSync(`${file}.new`, `${BUILDER_VERSION} ${key} ${hash('sha256', text)}\n${text}`);
  return () => fs.renameSync(`${file}.new`, file);
}

/** Names of facts are written once, and pages name them by number. */
interface SavedState extends Omit<BuildState, 'key' | 'facts' | 'pages'> {
  names: string[];
  values: string[];
  pages: [file: string, recipe: string, facts: number[], media: readonly string[]][];
}
