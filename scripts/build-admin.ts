// Builds src/admin into dist/admin, as npm's `prepare` does in a checkout. Prints what each screen weighs.
import path from 'node:path';
import { buildAdmin } from '../src/admin-files/build.ts';

const ROOT = path.join(import.meta.dirname, '..');
const { budgets } = await buildAdmin(path.join(ROOT, 'src/admin'), path.join(ROOT, 'dist/admin'));
for (const [name, bytes] of Object.entries(budgets))
  console.log(`${(bytes / 1000).toFixed(1).padStart(6)} KB  ${name}`);
