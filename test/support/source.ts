// The project's own files as text, for the tests that check the code against its conventions and the documentation
// against the code. Finds imports by their shape, which the formatter fixes; executes nothing.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Every file of code, as patterns. */
export const CODE = ['src/**/*.{ts,tsx,js}', 'scripts/**/*.ts', 'test/**/*.ts', 'content/**/*.ts'];

export interface Import {
  /** The path as it is written. */
  specifier: string;
  /** The imported file, from the project's folder; undefined for packages and Node's own modules. */
  file: string | undefined;
  /** The package's name, without a path below it. */
  package: string | undefined;
  /** True if stripping the types leaves nothing of it. */
  isType: boolean;
}

export interface Source {
  /** From the project's folder, with slashes. */
  path: string;
  text: string;
  imports: Import[];
}

/** Sentences about what is wrong with a file. */
export type Rule = (source: Source) => string[];

export function check(rule: Rule, sources: readonly Source[]): void {
  assert.ok(sources.length > 0, 'no files to check');
  const problems = sources.flatMap((source) => rule(source).map((problem) => `${source.path}: ${problem}`));
  assert.equal(problems, []);
}

/** The rule must report each bad file and no good one. */
export function trust(
  rule: Rule,
  { bad, good = [] }: { bad: [path: string, text: string][]; good?: [path: string, text: string][] },
): void {
  for (const [file, text] of bad) assert.ok(rule(toSource(file, text)).length > 0, `${file} passes: ${text}`);
  for (const [file, text] of good) assert.equal(rule(toSource(file, text)), [], `${file}: ${text}`);
}

export function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

export function listFiles(patterns: readonly string[]): string[] {
  const files = globSync([...patterns], { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !TEMPLATE.test(file))
    .sort();
}

/** Nobody reads it: `npm run admin-types` writes it. */
const GENERATED = 'src/admin/api/schema.d.ts';

/** A template is data for a site of its own, not a part of the service. */
const TEMPLATE = /^src\/templates\/[^/]+\//;

export function readSources(patterns: readonly string[]): Source[] {
  return listFiles(patterns)
    .filter((file) => file !== GENERATED)
    .map((file) => toSource(file, readText(file)));
}

export function toSource(file: string, text: string): Source {
  return { path: file, text, imports: findImports(file, text) };
}

/** `import ... from 'x'` and `export ... from 'x'` at the start of a line, `import 'x'`, and `import('x')` in code. */
const STATEMENT = /^(?:import|export) (type )?(\*(?: as \w+)?|[\w$]+|(?:[\w$]+, )?\{[^}]*\}) from '([^']+)'/gm;
const BARE = /^import '([^']+)'/gm;
const DYNAMIC = /(?<!typeof )(?<!"[^\n]*)\bimport\('([^']+)'\)/g;

function findImports(file: string, text: string): Import[] {
  const found: Import[] = [];
  for (const [, type, names = '', specifier = ''] of text.matchAll(STATEMENT)) {
    found.push(toImport(file, specifier, type !== undefined || hasOnlyTypes(names)));
  }
  for (const [, specifier = ''] of text.matchAll(BARE)) found.push(toImport(file, specifier, false));
  for (const [, specifier = ''] of withoutComments(text).matchAll(DYNAMIC))
    found.push(toImport(file, specifier, false));
  return found;
}

function hasOnlyTypes(names: string): boolean {
  const list = /^\{([^}]*)\}$/.exec(names)?.[1];
  if (list === undefined) return false;
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .every((name) => name.startsWith('type '));
}

function toImport(from: string, specifier: string, isType: boolean): Import {
  const isOwn = specifier.startsWith('.');
  // The build makes what `colophon:` names.
  const isPackage = !isOwn && !/^(?:node|colophon):/.test(specifier);
  const [first = '', second = ''] = specifier.split('/');
  return {
    specifier,
    isType,
    file: isOwn ? path.posix.join(path.posix.dirname(from), specifier) : undefined,
    package: isPackage ? (first.startsWith('@') ? `${first}/${second}` : first) : undefined,
  };
}

/** Good enough for code in this project's format: a `//` after a space or at a line's start, and block comments. */
export function withoutComments(text: string): string {
  return text.replace(/(^|\s)\/\/.*$/gm, '$1').replace(/\/\*[\s\S]*?\*\//g, '');
}
