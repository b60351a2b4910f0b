// The sync server as one JavaScript module without imports of ours, for a machine that has only Node 22 or later. Each
// module becomes a function that returns what it exports; imports of Node are merged at the top.
import fs from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { siblingUrl } from '../lib/sibling.ts';
import { SYNC_VERSION } from './version.ts';

interface BundledModule {
  /** What other modules call it. */
  variable: string;
  /** JavaScript with its imports and exports. */
  code: string;
}

/** Biome ends each statement with a semicolon, and the compiler too. */
const IMPORT = /^import\s(?:([\w$]+)|\{([^}]*)\})?\s*(?:from\s)?\s*['"]([^'"]+)['"];$/gm;
const EXPORT = /^export (?=(?:async )?(?:function\*?|class|const) (\w+))/gm;

/** The text of the file. Run it as `<name>.mjs`, with SYNC_SECRET in the environment. */
export function toOneFile(): string {
  const modules = new Map<string, BundledModule>();
  const builtins = new Map<string, Set<string>>();
  addModule(fileURLToPath(siblingUrl(import.meta.url, 'program')), modules, builtins);
  const imports = Array.from(builtins, ([specifier, names]) => `import ${toClause(names)} from '${specifier}';`);
  const bodies = Array.from(modules.values(), ({ code }) => code);
  return [`// The sync server of Colophon, version ${SYNC_VERSION}.`, ...imports, ...bodies].join('\n');
}

/** What a module imports comes before it. */
function addModule(file: string, modules: Map<string, BundledModule>, builtins: Map<string, Set<string>>): string {
  const known = modules.get(file);
  if (known) return known.variable;
  const source = toJavaScript(file);
  const links: string[] = [];
  for (const [, whole, names = '', specifier = ''] of source.matchAll(IMPORT)) {
    if (specifier.startsWith('.')) {
      const variable = addModule(path.resolve(path.dirname(file), specifier), modules, builtins);
      links.push(`  const { ${toNames(names).join(', ')} } = ${variable};`);
      continue;
    }
    if (!specifier.startsWith('node:'))
      throw new Error(`"${file}" imports "${specifier}", which a machine does not have`);
    const found = builtins.get(specifier) ?? new Set();
    builtins.set(specifier, found);
    for (const name of whole === undefined ? toNames(names) : [`default as ${whole}`]) found.add(name);
  }
  const exported = Array.from(source.matchAll(EXPORT), ([, name]) => name);
  const body = source.replace(IMPORT, '').replace(EXPORT, '').trim();
  if (/^(?:import|export)\b/m.test(body)) throw new Error(`"${file}" imports or exports in a form that is not bundled`);
  const variable = `module${modules.size + 1}`;
  const lines = [`const ${variable} = (() => {`, ...links, body, `  return { ${exported.join(', ')} };`, '})();'];
  modules.set(file, { variable, code: `\n// ${path.basename(file)}\n${lines.join('\n')}` });
  return variable;
}

function toJavaScript(file: string): string {
  const text = fs.readFileSync(file, 'utf8');
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
  // Types leave spaces behind.
  return code.replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n');
}

function toNames(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function toClause(names: ReadonlySet<string>): string {
  return `{ ${[...names].sort().join(', ')} }`;
}
