// The index of one locale from the files of the last build and the documents that changed since then: byte for byte
// what new-index.ts makes of all documents. Reads the titles, and the groups of the terms that changed; all groups if
// documents got other numbers, as when a page of titles begins or ends.
import { documentTerms, type SearchDocument } from './document-terms.ts';
import { encodeManifest, parseManifest } from './manifest.ts';
import { pieceNameAt, sharedPieceOf } from './piece-names.ts';
import { ANY, groupLines, sortLines, type TermLine, toPieces } from './pieces.ts';
import { decodeLine, emptyPostings, encodeLine, hasMarked, type Postings, termOf } from './postings.ts';
import { decodePage, encodePage, encodePages, type NumberedEntry, numberEntries, toEntry } from './title-pages.ts';

/** Reads a file of the last build by its name. */
type ReadLast = (name: string) => string;

/** What becomes of one term: documents that no longer have it, and those that have it now, by their new numbers. */
interface TermEdit {
  remove: Set<number>;
  add: { number: number; weight: number }[];
}

/** New numbers of documents of the last build, and -1 for one that leaves; `moved` marks those that change. */
interface Renumber {
  to: Int32Array;
  moved: Uint8Array;
}

/** The files that differ, by name; undefined for one that leaves. */
export function changeIndex(
  read: ReadLast,
  before: readonly SearchDocument[],
  after: readonly SearchDocument[],
): Map<string, string | undefined> {
  const files = new Map<string, string | undefined>();
  const set = (name: string, text: string | undefined, known: string | undefined): void => {
    if (text !== known) files.set(name, text);
  };
  const manifestText = read('index.json');
  const manifest = parseManifest(manifestText);
  const oldPages = Array.from({ length: manifest.pages }, (_, page) => read(`index-${page}.json`));
  const titles = changeTitles(oldPages, before, after) ?? changeNumbers(oldPages, before, after);
  for (let page = 0; page < Math.max(titles.pages.length, oldPages.length); page++)
    set(`index-${page}.json`, titles.pages[page], oldPages[page]);

  const { renumber, oldNumbers, numbers } = titles;
  const edits = renumber ? toEdits([], after, oldNumbers, numbers) : toEdits(before, after, oldNumbers, numbers);
  const editsByGroup = groupEdits(edits);
  const oldGroups = groupPieces(manifest.pieces);
  const pieces = new Map(manifest.pieces);
  const readPiece = (name: string): string =>
    manifest.pieces.has(name) && hasText(name, manifest.pieces) ? read(`${name}.txt`) : '';
  for (const [unit, touched] of toUnits(
    renumber ? [...oldGroups.keys(), ...editsByGroup.keys()] : editsByGroup.keys(),
  )) {
    const known = new Map<string, string>();
    const shared = unit.isShared ? groupLines(toLines(readPiece(unit.name))) : new Map<string, TermLine[]>();
    const groups = new Map<string, readonly TermLine[]>();
    for (const group of renumber ? new Set([...touched, ...shared.keys()]) : touched) {
      const own = (oldGroups.get(group) ?? []).filter((name) => !(unit.isShared && name === unit.name));
      const texts = new Map(own.map((name) => [name, readPiece(name)]));
      const before = [...(shared.get(group) ?? []), ...[...texts.values()].flatMap(toLines)];
      const lines = changeLines(before, editsByGroup.get(group) ?? new Map(), renumber);
      if (!lines) continue;
      for (const [name, text] of texts) known.set(name, text);
      groups.set(group, lines);
    }
    if (groups.size === 0) continue;
    if (unit.isShared) known.set(unit.name, readPiece(unit.name));
    for (const name of known.keys()) pieces.delete(name);
    const placed = [...new Map<string, readonly TermLine[]>([...shared, ...groups])];
    for (const { name, text, isSplit } of toPieces(placed.filter(([, lines]) => lines.length > 0))) {
      pieces.set(name, isSplit);
      set(`${name}.txt`, text || undefined, known.get(name) || undefined);
      known.delete(name);
    }
    for (const [name, text] of known) set(`${name}.txt`, undefined, text || undefined);
  }
  set('index.json', encodeManifest({ pages: titles.pages.length, pieces }), manifestText);
  return files;
}

/** The texts of the pages of titles, and numbers by path, at least those of the documents that changed. */
interface ChangedTitles {
  pages: readonly string[];
  oldNumbers: ReadonlyMap<string, number>;
  numbers: ReadonlyMap<string, number>;
  renumber: Renumber | undefined;
}

/** Numbers follow from addresses and times: if the documents keep theirs, only their own titles differ. */
function changeTitles(
  oldPages: readonly string[],
  before: readonly SearchDocument[],
  after: readonly SearchDocument[],
): ChangedTitles | undefined {
  const next = new Map(after.map((document) => [document.path, toEntry(document)]));
  if (next.size !== before.length || after.length !== before.length) return undefined;
  const numbers = new Map<string, number>();
  const needles = before.map(({ path }) => JSON.stringify(path));
  const pages = oldPages.map((text, page) => {
    if (!needles.some((path) => text.includes(path))) return text;
    const entries = decodePage(text, page).map((entry) => {
      const changed = next.get(entry.path);
      if (changed?.seconds !== entry.seconds) return entry;
      numbers.set(entry.path, entry.number);
      return { ...entry, title: changed.title };
    });
    return encodePage(entries);
  });
  return numbers.size === next.size ? { pages, oldNumbers: numbers, numbers, renumber: undefined } : undefined;
}

function changeNumbers(
  oldPages: readonly string[],
  before: readonly SearchDocument[],
  after: readonly SearchDocument[],
): ChangedTitles {
  const oldEntries = oldPages.flatMap(decodePage);
  const entries = changeEntries(oldEntries, before, after);
  const numbers = numbersOf(entries);
  return {
    pages: encodePages(entries),
    oldNumbers: numbersOf(oldEntries),
    numbers,
    renumber: toRenumber(oldEntries, numbers, new Set(before.map(({ path }) => path))),
  };
}

/** A split block of letters has no text of its own. */
function hasText(name: string, pieces: ReadonlyMap<string, boolean>): boolean {
  return !(pieces.get(name) && /^w-[0-9a-f]+$/.test(name));
}

function changeEntries(
  old: readonly NumberedEntry[],
  before: readonly SearchDocument[],
  after: readonly SearchDocument[],
): NumberedEntry[] {
  const entries = new Map(old.map(({ path, title, seconds }) => [path, { path, title, seconds }]));
  for (const { path } of before) {
    if (!entries.delete(path)) throw new Error(`the last build's search has no document at "${path}"`);
  }
  for (const document of after) {
    if (entries.has(document.path)) throw new Error(`two documents at "${document.path}"`);
    entries.set(document.path, toEntry(document));
  }
  return numberEntries(entries.values());
}

function numbersOf(entries: readonly NumberedEntry[]): Map<string, number> {
  return new Map(entries.map(({ path, number }) => [path, number]));
}

function toRenumber(
  oldEntries: readonly NumberedEntry[],
  numbers: ReadonlyMap<string, number>,
  changed: ReadonlySet<string>,
): Renumber | undefined {
  const kept = oldEntries.filter(({ path }) => !changed.has(path));
  if (kept.every(({ path, number }) => numbers.get(path) === number)) return undefined;
  const to = new Int32Array((oldEntries.at(-1)?.number ?? 0) + 1).fill(-1);
  for (const { path, number } of kept) to[number] = numbers.get(path)!;
  return { to, moved: Uint8Array.from(to, (number, from) => (number === from ? 0 : 1)) };
}

function toEdits(
  before: readonly SearchDocument[],
  after: readonly SearchDocument[],
  oldNumbers: ReadonlyMap<string, number>,
  numbers: ReadonlyMap<string, number>,
): Map<string, TermEdit> {
  const edits = new Map<string, TermEdit>();
  const editOf = (term: string): TermEdit => {
    let edit = edits.get(term);
    if (!edit) edits.set(term, (edit = { remove: new Set(), add: [] }));
    return edit;
  };
  const kept = new Map<number, Map<string, number>>();
  for (const document of before) kept.set(oldNumbers.get(document.path)!, documentTerms(document));
  for (const document of after) {
    const number = numbers.get(document.path)!;
    const had = kept.get(number);
    for (const [term, weight] of documentTerms(document)) {
      if (had?.get(term) === weight) had.delete(term);
      else editOf(term).add.push({ number, weight });
    }
  }
  for (const [number, terms] of kept) for (const term of terms.keys()) editOf(term).remove.add(number);
  return edits;
}

function groupEdits(edits: ReadonlyMap<string, TermEdit>): Map<string, Map<string, TermEdit>> {
  const groups = new Map<string, Map<string, TermEdit>>();
  for (const [term, edit] of edits) {
    const name = pieceNameAt(term, 0);
    const group = groups.get(name);
    if (group) group.set(term, edit);
    else groups.set(name, new Map([[term, edit]]));
  }
  return groups;
}

/** The names of each group's pieces. A split piece comes before its smaller ones, whose names begin with its own. */
function groupPieces(pieces: ReadonlyMap<string, boolean>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of pieces.keys()) {
    const [first = '', second = '', third = ''] = name.split('-');
    const whole = [`${first}-${second}-${third}`, `${first}-${second}`, first].find((part) => pieces.get(part));
    const group = whole ?? name;
    const names = groups.get(group);
    if (names) names.push(name);
    else groups.set(group, [name]);
  }
  return groups;
}

/** What is made together: the piece that small groups share and its groups, or one group that shares none. */
interface Unit {
  name: string;
  isShared: boolean;
}

function toUnits(groups: Iterable<string>): Map<Unit, Set<string>> {
  const units = new Map<string, Unit>();
  const found = new Map<Unit, Set<string>>();
  for (const group of groups) {
    const shared = sharedPieceOf(group);
    const name = shared ?? group;
    let unit = units.get(name);
    if (!unit) {
      units.set(name, (unit = { name, isShared: shared !== undefined }));
      found.set(unit, new Set());
    }
    found.get(unit)!.add(group);
  }
  return found;
}

function toLines(text: string): TermLine[] {
  return text.split('\n').flatMap((line) => {
    const term = termOf(line);
    // The line of a split piece is made again.
    return line === '' || term.endsWith(ANY) ? [] : [[term, line]];
  });
}

/** The group's lines; undefined if they are as before. */
function changeLines(
  before: readonly TermLine[],
  edits: ReadonlyMap<string, TermEdit>,
  renumber: Renumber | undefined,
): TermLine[] | undefined {
  const lines = new Map(before);
  const touched = new Set(edits.keys());
  if (renumber) for (const [term, line] of lines) if (hasMarked(line, renumber.moved)) touched.add(term);
  if (touched.size === 0) return undefined;
  for (const term of touched) {
    const line = lines.get(term);
    const postings = changePostings(line === undefined ? emptyPostings() : decodeLine(line), edits.get(term), renumber);
    if (postings.some((numbers) => numbers.length > 0)) lines.set(term, encodeLine(term, postings));
    else lines.delete(term);
  }
  return sortLines([...lines]);
}

function changePostings(postings: Postings, edit: TermEdit | undefined, renumber: Renumber | undefined): Postings {
  return postings.map((old, weight) => {
    let numbers = renumber ? old.map((number) => renumber.to[number]!).filter((number) => number >= 0) : old;
    const added = edit?.add.filter((one) => one.weight === weight).map(({ number }) => number) ?? [];
    if (edit && edit.remove.size > 0) numbers = numbers.filter((number) => !edit.remove.has(number));
    return added.length > 0 || renumber ? [...numbers, ...added].sort((a, b) => a - b) : numbers;
  });
}
