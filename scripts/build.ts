// Compiles src/ into dist/ for the package, because Node strips no types below node_modules. `npm pack` runs it; a
// checkout runs its sources and does not need it.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { buildAdmin } from '../src/admin-files/build.ts';
import { compile } from './build/compile.ts';

const ROOT = path.join(import.meta.dirname, '..');

rmSync(path.join(ROOT, 'dist'), { recursive: true, force: true });
compile(path.join(ROOT, 'dist'));
await buildAdmin(path.join(ROOT, 'src/admin'), path.join(ROOT, 'dist/admin'));
