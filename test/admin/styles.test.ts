// All style sheets are one on every page: a class that two of them style on its own was meant for two things.
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const FOLDER = 'src/admin/styles';

/** Classes that a sheet styles wherever they stand: `.day`, `.day:hover`, and not `.activity .day`. */
function listBareClasses(css: string): Set<string> {
  const rules = css.replace(/\/\*[^*]*\*\//g, '').matchAll(/([^{};]+)\{/g);
  const selectors = [...rules].flatMap(([, selector]) => selector!.replace(/\([^()]*\)/g, '()').split(','));
  const found = selectors.map((selector) => /^\s*\.([\w-]+)(?:::?[a-z-]+)?\s*$/.exec(selector)?.[1]);
  return new Set(found.filter((name) => name !== undefined));
}

test('a class has its rules in one style sheet', () => {
  const sheets = new Map<string, string[]>();
  for (const file of readdirSync(FOLDER)) {
    for (const name of listBareClasses(readFileSync(`${FOLDER}/${file}`, 'utf8'))) {
      sheets.set(name, [...(sheets.get(name) ?? []), file]);
    }
  }
  assert.ok(sheets.size > 150);
  const twice = [...sheets].filter(([name, files]) => files.length > 1);
  assert.equal(twice, []);
});

test.run();
