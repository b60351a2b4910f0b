// Keeps the scripts of a screen in few files. esbuild gives every set of modules that the same screens share a file of
// its own, which were thirty requests of some hundred bytes for one screen. If all that is loaded later imports the
// same modules, those are one set.
import fs from 'node:fs';
import path from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

const KIT = 'colophon:kit';
/**
 * Minified. A request costs a browser as much as reading some kilobytes, so that larger would be quicker; but what many
 * screens share goes into the first script, and 800 takes that above its budget.
 */
const SMALL_BYTES = 450;

export interface FewFiles {
  folder: string;
  /** The first script. */
  entry: string;
  /** Modules below `folder` that every screen has, besides those in front of the door. */
  kit: readonly string[];
  /** The screens there. */
  readDoor(): readonly string[];
}

export function fewFiles({ folder, entry, kit, readDoor }: FewFiles): Plugin {
  const later = new Set<string>();
  let door: ReadonlySet<string> | undefined;
  const isOurs = 'resolved once';
  return {
    name: 'few files',
    setup(builder) {
      builder.onResolve({ filter: /^\./ }, async ({ path: name, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === isOurs) return undefined;
        const found = await builder.resolve(name, { kind, importer, resolveDir, pluginData: isOurs });
        later.add(found.path);
        return found;
      });
      builder.onResolve({ filter: /^colophon:kit$/ }, () => ({ path: folder, namespace: 'kit' }));
      builder.onLoad({ filter: /^/, namespace: 'kit' }, () => ({
        contents: toImports(kit.map((file) => path.resolve(folder, file))),
        resolveDir: folder,
      }));
      builder.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
        if (!later.has(file)) return undefined;
        const text = await fs.promises.readFile(file, 'utf8');
        door ??= new Set(readDoor().map((screen) => path.join(folder, screen)));
        const more = door.has(file) ? [entry] : [entry, KIT];
        return { contents: `${text}\n${toImports(more)}`, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

const toImports = (modules: readonly string[]): string =>
  modules.map((module) => `import ${JSON.stringify(module)};`).join('\n');

/** The modules of small files that several others import, as the build without a kit made them. */
export function findKit(outputs: Metafile['outputs']): string[] {
  const importers = new Map<string, number>();
  for (const { imports } of Object.values(outputs)) {
    for (const { path: output } of imports) importers.set(output, (importers.get(output) ?? 0) + 1);
  }
  return Object.entries(outputs)
    .filter(([name, { bytes, entryPoint }]) => {
      const isShared = (importers.get(name) ?? 0) > 1;
      return name.endsWith('.js') && entryPoint === undefined && isShared && bytes <= SMALL_BYTES;
    })
    .flatMap(([, { inputs }]) => Object.keys(inputs))
    .sort();
}
