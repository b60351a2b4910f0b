// Compiles src/ into dist/ for the package, because Node strips no types below node_modules. `npm pack` runs it; a
// checkout runs its sources and does not need it.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildAdmin } from '../src/admin-files/build.ts';

const ROOT = path.join(import.meta.dirname, '..');
/** Files that the compiler does not copy: they are read, or sent, unchanged. */
const READ_AS_IS = [
  '**/*.txt',
  'forms/widget-script.js',
  'build/search/client.js',
  'build/themes/**/*.*',
  'templates/*/**',
];

rmSync(path.join(ROOT, 'dist'), { recursive: true, force: true });
const tsc = path.join(ROOT, 'node_modules', '.bin', 'tsc');
execFileSync(tsc, ['-p', 'scripts/build/tsconfig.json'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
for (const file of globSync(READ_AS_IS, { cwd: path.join(ROOT, 'src') })) {
  cpSync(path.join(ROOT, 'src', file), path.join(ROOT, 'dist', file), { recursive: true });
}
await buildAdmin(path.join(ROOT, 'src/admin'), path.join(ROOT, 'dist/admin'));
