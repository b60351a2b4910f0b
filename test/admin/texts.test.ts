// Which words are in a browser when a screen asks for them: those of the shell, and those of the files that the screen
// imports, itself or through what it shows.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ALL_TEXTS, TEXT_FILES } from './all-texts.ts';

const MAIN = 'src/admin/main.tsx';
const STATIC = /^(?:import|export) (?!type\b)(?:[^'";]*? from )?'(\.[^']+)'/gm;
const LAZY = /\bimport\('(\.[^']+)'\)/g;

interface Source {
  now: string[];
  later: string[];
  keys: string[];
}

const sources = new Map<string, Source>();

function read(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const text = /\.tsx?$/.test(file) ? readFileSync(file, 'utf8') : '';
  const follow = (pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, to]) => path.join(path.dirname(file), to!));
  const prefixes = [...text.matchAll(/`(\w+\.(?:\w+\.)*)\$\{/g)].map(([, prefix]) => prefix!);
  const keys = Object.keys(ALL_TEXTS).filter(
    (key) => text.includes(`'${key}'`) || prefixes.some((prefix) => key.startsWith(prefix)),
  );
  const isWords = file.startsWith('src/admin/text/');
  const source = { now: follow(STATIC), later: follow(LAZY), keys: isWords ? [] : keys };
  sources.set(file, source);
  return source;
}

function closure(entry: string): string[] {
  const all = new Set([entry]);
  for (const file of all) for (const next of read(file).now) all.add(next);
  return [...all];
}

function wordsIn(files: readonly string[]): Set<string> {
  return new Set(TEXT_FILES.filter(({ file }) => files.includes(file)).flatMap(({ texts }) => Object.keys(texts)));
}

/** What is shown and not loaded, of a module and of everything that it loads later. */
function findMissing(entry: string, before: ReadonlySet<string>, seen = new Set<string>()): string[] {
  if (seen.has(entry)) return [];
  const files = closure(entry);
  const there = new Set([...before, ...wordsIn(files)]);
  const missing = files.flatMap((file) =>
    read(file)
      .keys.filter((key) => !there.has(key))
      .map((key) => `${entry}: ${file} shows ${key}`),
  );
  const inside = new Set([...seen, entry]);
  return [...missing, ...files.flatMap((file) => read(file).later).flatMap((next) => findMissing(next, there, inside))];
}

test('every screen has the words that it shows', () => {
  assert.ok(closure(MAIN).includes('src/admin/text/en.ts'));
  assert.ok(closure(MAIN).flatMap((file) => read(file).later).length > 10);
  assert.equal([...new Set(findMissing(MAIN, new Set()))], []);
});

test('no word stands in two files', () => {
  const all = TEXT_FILES.flatMap(({ texts }) => Object.keys(texts));
  assert.equal(
    all.filter((key, at) => all.indexOf(key) !== at),
    [],
  );
});

test.run();
