// The documents beside a configuration (`<folder>/<collection>/<slug>.json`): the first commit of an empty site.
import fs from 'node:fs';
import path from 'node:path';
import type { SiteSchema } from '../schema/collection.ts';
import type { FileChange } from '../store/tree-set.ts';
import { inOrder, parseFile, pathOf, toFile } from './stored.ts';

export interface Starter {
  files: FileChange[];
  /** What was left out and why. */
  problems: string[];
}

export function readStarter(folder: string, schema: SiteSchema): Starter {
  const files: FileChange[] = [];
  const problems: string[] = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const documents = fs.readdirSync(path.join(folder, entry.name)).filter((name) => name.endsWith('.json'));
    const collection = schema.collections.get(entry.name);
    if (!collection) {
      if (documents.length) problems.push(`starter content: no collection "${entry.name}", its documents are left out`);
      continue;
    }
    for (const name of documents.sort()) {
      const place = { collection: entry.name, slug: name.slice(0, -'.json'.length) };
      const doc = parseFile(fs.readFileSync(path.join(folder, entry.name, name)), place);
      const found =
        typeof doc === 'string'
          ? [doc]
          : collection
              .check(doc.data, Object.keys(doc.data))
              .concat(doc.status === 'published' ? collection.checkRequired(doc.data) : [])
              .map((problem) => `${problem.path} ${problem.message}`);
      if (typeof doc === 'string' || found.length) {
        problems.push(`starter content: ${entry.name}/${name} is left out: ${found.join('; ')}`);
        continue;
      }
      const sharded = collection.config.sharded === true;
      files.push({ path: pathOf(place, sharded), content: toFile(inOrder(doc, collection)) });
    }
  }
  return { files, problems };
}
