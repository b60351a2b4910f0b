// The definitions of reference links in a document. Pure.
import type { Node } from 'prosemirror-model';
import { type LinkTargets, readLinks } from './markdown-in.ts';

export function linksOf(blocks: readonly Node[]): LinkTargets {
  const sources = sourcesOf(blocks);
  return sources.length > 0 ? readLinks(sources.map(({ textContent }) => textContent).join('\n\n')) : {};
}

/** Blocks that may define links. */
export function sourcesOf(blocks: readonly Node[]): Node[] {
  return blocks.filter(({ type }) => type.name === 'markdownSource');
}
