// Builds src/admin into dist/admin, unless what is there was built from the same files. npm's `prepare` runs it in a
// checkout: after `npm ci`, and again before the first `npx colophon`. `-- --sizes` prints what each screen weighs.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findBuilt } from '../src/admin-files/manifest.ts';
import { hashSources } from '../src/admin-files/sources.ts';

const ROOT = path.join(import.meta.dirname, '..');
const sources = path.join(ROOT, 'src/admin');
const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(ROOT, 'dist/admin') }, sizes: { type: 'boolean' } },
});

let manifest = findBuilt(values.out);
if (manifest?.sources !== hashSources(sources)) {
  // Imported only now: what builds takes as long to load as the comparison takes.
  const { buildAdmin } = await import('../src/admin-files/build.ts');
  manifest = await buildAdmin(sources, values.out);
}
if (values.sizes) {
  for (const [name, bytes] of Object.entries(manifest.budgets))
    console.log(`${(bytes / 1000).toFixed(1).padStart(6)} KB  ${name}`);
}
