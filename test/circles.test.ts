// No files of src import each other in a circle, types included: a reader of one would have to read all of them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readSources, type Source, toSource } from './support/source.ts';

/** Files that import each other, each group once; types count. */
function findCircles(sources: readonly Source[]): string[][] {
  const importsOf = new Map(
    sources.map(({ path: file, imports }) => [file, imports.flatMap((found) => found.file ?? [])]),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  // Tarjan's strongly connected components.
  const visit = (file: string): number => {
    let low = order.size;
    order.set(file, low);
    open.push(file);
    for (const next of importsOf.get(file) ?? []) {
      if (!importsOf.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next)!);
    }
    lowest.set(file, low);
    if (low === order.get(file)) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) circles.push(group.sort());
    }
    return low;
  };
  for (const { path: file } of sources) if (!order.has(file)) visit(file);
  return circles;
}

test('no files import each other in a circle, not even types', () => {
  const bad = [
    toSource('src/a.ts', "import type { B } from './b.ts';"),
    toSource('src/b.ts', "import { c } from './c.ts';\nimport { d } from './d.ts';"),
    toSource('src/c.ts', "export { a } from './a.ts';"),
    toSource('src/d.ts', ''),
  ];
  assert.equal(findCircles(bad), [['src/a.ts', 'src/b.ts', 'src/c.ts']]);
  assert.equal(findCircles(readSources(['src/**/*.ts'])), []);
});

test.run();
