// Compiles src/ into dist/ for the package: Node strips no types below node_modules. `npm pack` runs it; a checkout needs
// none of it, and runs its sources.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');
/** What the compiler leaves behind: files that are read, or sent, as they are. */
const READ_AS_IS = ['**/*.txt', 'forms/widget-script.js'];

rmSync(path.join(ROOT, 'dist'), { recursive: true, force: true });
const tsc = path.join(ROOT, 'node_modules', '.bin', 'tsc');
execFileSync(tsc, ['-p', 'scripts/build/tsconfig.json'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
for (const file of globSync(READ_AS_IS, { cwd: path.join(ROOT, 'src') })) {
  cpSync(path.join(ROOT, 'src', file), path.join(ROOT, 'dist', file));
}
