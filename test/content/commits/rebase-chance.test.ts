// What test/content/commits/rebase.test.ts checks case by case, at random: both sides do anything to the same
// documents, and when our changes are replayed on theirs no document and no key of either side is missing or doubled.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRebase } from '../../../src/content/commits/rebase.ts';
import type { StoredDocument } from '../../../src/content/document.ts';
import { layoutOf, otherPaths, pathOf, pathsOf, SHARDED } from '../../../src/content/files/paths.ts';
import { inOrder, toFile } from '../../../src/content/stored.ts';
import type { FileChange } from '../../../src/store/log/tree-set.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { makeDesk, NOON } from '../world.ts';

const { schema } = makeDesk();
const SEEDS = 1000;
const BROKEN = Buffer.from('{ broken');
const SLUGS = ['a', 'b', 'c', 'a-2', 'b-2', 'z'];

/** One side's files, and what it did. */
interface Side {
  name: string;
  files: Map<string, Buffer>;
  /** Documents that it wrote or removed. */
  touched: Set<string>;
  /** By id: the keys that it set, with their last values. */
  keys: Map<string, Map<string, unknown>>;
  /** Documents as they were when it deleted them. */
  deleted: StoredDocument[];
  /** Each of its changes. */
  changes: FileChange[][];
}

interface Place {
  path: string;
  doc: StoredDocument;
}

let clockMs = Date.parse(NOON);
let count = 0;
const later = (): string => new Date((clockMs += 1000)).toISOString();
const newId = (): string => `I${String(++count).padStart(11, '0')}`;

function makeSide(name: string, files: ReadonlyMap<string, Buffer>): Side {
  return { name, files: new Map(files), touched: new Set(), keys: new Map(), deleted: [], changes: [] };
}

function documentsOf(files: ReadonlyMap<string, Buffer>): Place[] {
  return [...files].flatMap(([path, bytes]) =>
    bytes.equals(BROKEN) ? [] : [{ path, doc: JSON.parse(bytes.toString()) as StoredDocument }],
  );
}

function make(slug: string, more: Partial<StoredDocument> = {}): StoredDocument {
  const now = later();
  return {
    id: newId(),
    slug,
    collection: 'posts',
    status: 'draft',
    createdAt: now,
    updatedAt: now,
    data: {},
    ...more,
  };
}

function change(side: Side, files: [string, StoredDocument | null][]): void {
  const made = files.map(([path, doc]) => ({
    path,
    content: doc && toFile(inOrder(doc, schema), layoutOf(path), schema),
  }));
  for (const { path, content } of made) {
    if (content) side.files.set(path, content);
    else side.files.delete(path);
  }
  for (const [, doc] of files) if (doc) side.touched.add(doc.id);
  side.changes.push(made);
}

function freeSlug({ files }: Side, random: Random): string | undefined {
  const free = SLUGS.filter((slug) => !files.has(path(slug, false)) && !files.has(path(slug, true)));
  return free[random.whole(0, free.length - 1)];
}

function path(slug: string, isSharded: boolean): string {
  return pathOf({ collection: 'posts', slug }, isSharded ? SHARDED : 0);
}

/** The document with a key of the side's own, or with the side's value of the common key. */
function withKey(side: Side, doc: StoredDocument, random: Random): StoredDocument {
  const key = random.whole(0, 3) ? `${side.name}${++count}` : 'title';
  const value = `${side.name} ${count}`;
  const keys = side.keys.get(doc.id) ?? new Map();
  side.keys.set(doc.id, keys.set(key, value));
  return { ...doc, updatedAt: later(), data: { ...doc.data, [key]: value } };
}

function act(side: Side, random: Random, known: readonly StoredDocument[]): void {
  const places = documentsOf(side.files);
  const one = places[random.whole(0, Math.max(0, places.length - 1))];
  const slug = freeSlug(side, random);
  const isSharded = random.whole(0, 3) === 0;
  const choice = random.whole(0, 7);
  if (choice === 0 && slug) change(side, [[path(slug, isSharded), withKey(side, make(slug), random)]]);
  else if (choice === 1 && slug && side.deleted.length) {
    const [back] = side.deleted.splice(random.whole(0, side.deleted.length - 1), 1);
    change(side, [[path(slug, isSharded), { ...back!, slug, updatedAt: later() }]]);
  } else if (choice === 2 && slug && known.length) {
    // Both sides import it, with any slug.
    const imported = known[random.whole(0, known.length - 1)]!;
    if (places.some(({ doc }) => doc.id === imported.id) || side.touched.has(imported.id)) return;
    change(side, [[path(slug, isSharded), withKey(side, { ...imported, slug }, random)]]);
  } else if (!one) return;
  else if (choice === 3 && slug) {
    const isInShard = one.path.split('/').length === 4;
    change(side, [
      [one.path, null],
      [path(slug, isInShard), withKey(side, { ...one.doc, slug }, random)],
    ]);
  } else if (choice === 4) {
    side.deleted.push(one.doc);
    side.touched.add(one.doc.id);
    change(side, [[one.path, null]]);
  } else change(side, [[one.path, withKey(side, one.doc, random)]]);
}

/** Changes that only a person with a clone makes. */
function actByHand(side: Side, random: Random): void {
  const places = documentsOf(side.files);
  const [one, other] = [places[random.whole(0, places.length - 1)], places[0]];
  const choice = random.whole(0, 3);
  if (!one || !other) return;
  if (choice === 0) {
    change(side, [
      [one.path, null],
      [otherPaths(one.path)[0]!, one.doc],
    ]);
  } else if (choice === 1 && one !== other) {
    change(side, [
      [one.path, { ...other.doc, slug: one.doc.slug }],
      [other.path, { ...one.doc, slug: other.doc.slug }],
    ]);
  } else if (choice === 2 && one !== other) {
    // Into the place of another document, which that overwrites.
    side.touched.add(other.doc.id);
    change(side, [
      [one.path, null],
      [other.path, { ...one.doc, slug: other.doc.slug }],
    ]);
  } else if (choice === 3 && random.whole(0, 2) === 0) side.files.set(one.path, BROKEN);
}

/** The state after the replay, and the documents of changes that could not be replayed. */
function replay(ours: Side, base: ReadonlyMap<string, Buffer>, theirs: Side): [Map<string, Buffer>, Set<string>] {
  const setAside = new Set<string>();
  const rebase = createRebase(() => schema);
  const [old, now] = [new Map(base), new Map(theirs.files)];
  const changed = [...now.keys()].filter((file) => !old.get(file)?.equals(now.get(file)!));
  const around = {
    base: (file: string) => old.get(file),
    theirs: (file: string) => now.get(file),
    changed: () => changed,
  };
  const apply = (to: Map<string, Buffer>, files: readonly FileChange[]): void => {
    for (const { path: file, content } of files) {
      if (content) to.set(file, content);
      else to.delete(file);
    }
  };
  for (const files of ours.changes) {
    const before = new Map(now);
    try {
      apply(now, rebase(files, around));
    } catch (error) {
      assert.match((error as Error).message, 'has become a file that is not a document');
      for (const { content } of files) if (content) setAside.add(JSON.parse(content.toString()).id);
    }
    apply(old, files);
    for (const [file, content] of before) {
      // Nothing overwrites a file that cannot be read.
      if (content.equals(BROKEN)) assert.ok(now.get(file)?.equals(BROKEN), `${file} is as they left it`);
    }
  }
  return [now, setAside];
}

function check([after, setAside]: ReturnType<typeof replay>, ours: Side, theirs: Side): void {
  const places = documentsOf(after);
  const found = new Map(places.map(({ doc }) => [doc.id, doc]));
  assert.is(found.size, places.length, 'each document is there once');
  const slugs = places.map(({ doc }) => doc.slug);
  assert.is(new Set(slugs).size, slugs.length, 'each slug is one document’s');
  for (const { path: file, doc } of places) assert.ok(pathsOf(doc).includes(file), file);
  const [mine, yours] = [ours, theirs].map(({ files }) => new Map(documentsOf(files).map(({ doc }) => [doc.id, doc])));
  for (const id of new Set([...mine!.keys(), ...yours!.keys(), ...found.keys()])) {
    const doc = found.get(id);
    if (setAside.has(id)) continue;
    if (!ours.touched.has(id)) {
      assert.equal(doc, yours!.get(id), `${id} is theirs alone`);
      continue;
    }
    assert.is(doc !== undefined, mine!.has(id), `${id} is there if ours is`);
    if (!doc) continue;
    const keys = ours.keys.get(id) ?? new Map();
    for (const [key, value] of keys) assert.is(doc.data[key], value, `${id}: our ${key}`);
    if (!yours!.has(id)) continue;
    for (const [key, value] of theirs.keys.get(id) ?? [])
      if (!keys.has(key)) assert.is(doc.data[key], value, `${id}: their ${key}`);
  }
}

test(`whatever both sides do, no document and no key of either is missing or doubled (${SEEDS} seeds)`, () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed);
    const base = new Map<string, Buffer>();
    for (const slug of SLUGS.slice(0, 4))
      base.set(
        path(slug, random.whole(0, 3) === 0),
        toFile(inOrder(make(slug, { data: { title: slug } }), schema), 0, schema),
      );
    const imported = [0, 1].map(() => ({ ...make('imported'), updatedAt: later() }));
    const [ours, theirs] = [makeSide('ours', base), makeSide('theirs', base)];
    for (let n = random.whole(1, 6); n > 0; n--) act(ours, random, imported);
    for (let n = random.whole(1, 4); n > 0; n--) (random.whole(0, 1) ? act : actByHand)(theirs, random, imported);
    try {
      check(replay(ours, base, theirs), ours, theirs);
    } catch (cause) {
      const said = [ours, theirs].map(({ name, changes }) => [
        name,
        ...changes.map((files) => files.map(({ path: file, content }) => `${file} ${content?.toString() ?? 'gone'}`)),
      ]);
      throw new Error(`seed ${seed}: ${(cause as Error).message}\n${JSON.stringify(said, null, 1)}`, { cause });
    }
  }
});

test.run();
