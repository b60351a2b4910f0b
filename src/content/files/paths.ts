// The paths of documents' files: in the collection's folder or in a shard of it, as JSON or as Markdown (decisions.md,
// sections 5 and 14). A document has one file, but a repository may hold several of the four that it could have. Pure.
import { hash } from 'node:crypto';

/** A sum of SHARDED and MARKDOWN; 0 is a JSON file in the collection's folder. */
export type FileLayout = number;
export const SHARDED = 1;
export const MARKDOWN = 2;

export interface NamedDocument {
  collection: string;
  slug: string;
}

export function pathOf(doc: NamedDocument, layout: FileLayout): string {
  const file = `${doc.slug}.${layout & MARKDOWN ? 'md' : 'json'}`;
  return layout & SHARDED
    ? `content/${doc.collection}/${shardOf(doc.slug)}/${file}`
    : `content/${doc.collection}/${file}`;
}

/** The paths that a document's file may have, one for each layout. */
export function pathsOf({ collection, slug }: NamedDocument): string[] {
  const folder = `content/${collection}`;
  const shard = `${folder}/${shardOf(slug)}`;
  return [`${folder}/${slug}.json`, `${shard}/${slug}.json`, `${folder}/${slug}.md`, `${shard}/${slug}.md`];
}

export function shardOf(slug: string): string {
  return hash('sha1', slug).slice(0, 2);
}

/** The layout of a document's path. */
export function layoutOf(path: string): FileLayout {
  return (path.split('/').length === 4 ? SHARDED : 0) + (isMarkdown(path) ? MARKDOWN : 0);
}

export function isMarkdown(path: string): boolean {
  return path.endsWith('.md');
}

/** The layout that a collection's configuration names for new files. */
export function layoutFor(config: {
  sharded?: boolean | undefined;
  format?: 'json' | 'markdown' | undefined;
}): FileLayout {
  return (config.sharded ? SHARDED : 0) + (config.format === 'markdown' ? MARKDOWN : 0);
}

/** The paths of a document's file in the other layouts; empty if the path is not a document's. */
export function otherPaths(path: string): string[] {
  const place = parsePath(path);
  return place ? pathsOf(place).filter((other) => other !== path) : [];
}

const PATH = /^content\/([^/]+)\/([0-9a-f]{2}\/)?([^/]+)\.(?:json|md)$/;

/** The collection and slug of a path in the repository, in any layout; undefined if it is not a document's. */
export function parsePath(path: string): NamedDocument | undefined {
  const match = PATH.exec(path);
  if (!match) return undefined;
  const [, collection = '', shard, slug = ''] = match;
  return shard && shard !== `${shardOf(slug)}/` ? undefined : { collection, slug };
}
