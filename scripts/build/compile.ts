// The JavaScript of the package.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');
/** Files that the compiler does not copy: they are read, or sent, unchanged. */
const READ_AS_IS = [
  '**/*.txt',
  'forms/widget-script.js',
  'build/search/client.js',
  'build/themes/**/*.*',
  'templates/*/**',
];

/** Compiles `src` into this folder. */
export function compile(folder: string): void {
  const tsc = path.join(ROOT, 'node_modules', '.bin', 'tsc');
  const args = ['-p', 'scripts/build/tsconfig.json', '--outDir', folder];
  execFileSync(tsc, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  for (const file of globSync(READ_AS_IS, { cwd: path.join(ROOT, 'src') })) {
    cpSync(path.join(ROOT, 'src', file), path.join(folder, file), { recursive: true });
  }
}
