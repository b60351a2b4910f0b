// What a build knows for the next one: the documents' records, and what each page was made from. It may be deleted at
// any time; a damaged one, or one of another version, configuration or theme, makes the next build a full one.
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { isCode } from '../../../lib/error-code.ts';
import type { FormerAddresses } from '../plan/former-addresses.ts';
import type { KnownSearch } from '../put-search.ts';
import type { SiteDocument } from '../read/site-document.ts';
import { fromJson, type ReadList, readChunks, toChunks, toJson } from './chunks.ts';
import { createFactTable, type FactTable } from './fact-table.ts';
import { DamagedState, type PieceFile, readPieces, removeOtherPieces, type StatePiece, writePieces } from './pieces.ts';

/** Count up when pages, records or facts would be made differently. */
export const BUILDER_VERSION = 6;

/** One page of the last build. */
export interface KnownPage {
  file: string;
  /** The planned page as text. */
  recipe: string;
  /** Numbers of facts. */
  facts: ArrayLike<number>;
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
  /** What was read, for what is written again. */
  read?: ReadState;
}

interface ReadState {
  file: PieceFile;
  documents: ReadList<SiteDocument>;
  pages: ReadList<KnownPage>;
  facts: readonly StatePiece[];
}

const FILE = 'state.json';

/**
 * Undefined if it is missing or cannot be used. Facts are read when they are asked for. @throws DamagedState, then, if they
 * are damaged
 */
export function readState(folder: string, key: string): BuildState | undefined {
  try {
    return readHead(folder, key);
  } catch (error) {
    if (error instanceof DamagedState || isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function readHead(folder: string, key: string): BuildState | undefined {
  const bytes = fs.readFileSync(path.join(folder, FILE));
  const end = bytes.indexOf(LINE_END);
  const rest = bytes.subarray(end + 1);
  if (bytes.toString('latin1', 0, end) !== firstLine(key, rest)) return undefined;
  const { pieces, ...value } = fromJson(rest) as SavedHead;
  const read = (of: readonly StatePiece[]): Buffer[] => readPieces(folder, pieces.file, of);
  const documents = readChunks(read(pieces.documents), (doc: SiteDocument) => doc);
  const factsOf = createFactsOf(read([pieces.numbers])[0]!);
  const pages = readChunks(
    read(pieces.pages),
    ([page, recipe, media, count]: SavedPage): KnownPage => ({ file: page, recipe, facts: factsOf(count), media }),
  );
  return {
    ...value,
    key,
    documents,
    pages,
    facts: createFactTable((group) => read([pieces.facts[group]!])[0]!),
    read: {
      file: pieces.file,
      documents: { items: documents, pieces: pieces.documents },
      pages: { items: pages, pieces: pieces.pages },
      facts: pieces.facts,
    },
  };
}

/** Writes the state beside the last one, and returns what puts it in its place. */
export function prepareState(folder: string, { key, facts, documents, pages, read, ...rest }: BuildState): () => void {
  const { groups, renumber } = facts.toGroups(pages);
  const parts = {
    documents: toChunks(documents, read?.documents, (doc) => doc),
    pages: toChunks(pages, read?.pages, (page): SavedPage => [page.file, page.recipe, page.media, page.facts.length]),
    facts: groups.map((group, at) => group ?? read!.facts[at]!),
    numbers: [joinFacts(pages, renumber)],
  };
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const written = writePieces(folder, read?.file, Object.values(parts).flat());
  const take = (count: number): StatePiece[] => written.pieces.splice(0, count);
  const pieces: SavedHead['pieces'] = {
    file: written.file,
    documents: take(parts.documents.length),
    pages: take(parts.pages.length),
    facts: take(parts.facts.length),
    numbers: take(1)[0]!,
  };
  const head = toJson({ ...rest, pieces } satisfies SavedHead);
  const file = path.join(folder, FILE);
  fs.writeFileSync(`${file}.new`, Buffer.concat([Buffer.from(`${firstLine(key, head)}\n`), head]), { mode: 0o600 });
  return () => {
    fs.renameSync(`${file}.new`, file);
    removeOtherPieces(folder, written.file);
  };
}

const LINE_END = 10;

function firstLine(key: string, rest: Buffer): string {
  return `${BUILDER_VERSION} ${key} ${rest.length} ${crc32(rest)}`;
}

/** The facts of one page after another, as numbers of this machine: the state never leaves it. */
function joinFacts(pages: readonly KnownPage[], renumber: ((fact: number) => number) | undefined): Buffer {
  const all = new Uint32Array(pages.reduce((sum, { facts }) => sum + facts.length, 0));
  let at = 0;
  for (const { facts } of pages) {
    for (let place = 0; place < facts.length; place++) {
      const fact = facts[place]!;
      all[at++] = renumber ? renumber(fact) : fact;
    }
  }
  return Buffer.from(all.buffer);
}

/** Returns the facts of the next page, of which there are `count`. */
function createFactsOf(bytes: Buffer): (count: number) => Uint32Array {
  const all = new Uint32Array(bytes.length / Uint32Array.BYTES_PER_ELEMENT);
  Buffer.from(all.buffer).set(bytes);
  let at = 0;
  return (count) => {
    at += count;
    return all.subarray(at - count, at);
  };
}

type SavedPage = [file: string, recipe: string, media: readonly string[], facts: number];

/** The second line. */
interface SavedHead extends Pick<BuildState, 'commit' | 'listHash' | 'former' | 'opaque' | 'search'> {
  pieces: {
    file: PieceFile;
    documents: readonly StatePiece[];
    pages: readonly StatePiece[];
    facts: readonly StatePiece[];
    /** The numbers of all pages' facts. */
    numbers: StatePiece;
  };
}
