// How many words a text has. Blocks are counted once: while one types, only the block with the cursor is new. Pure.
import type { Node } from 'prosemirror-model';
import { lazily } from '../../text/reader.ts';

const counts = new WeakMap<Node, number>();
const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: 'word' }));

export function countWords(node: Node): number {
  if (node.isText) return 0;
  let count = counts.get(node);
  if (count !== undefined) return count;
  count = 0;
  if (node.inlineContent) {
    const text = node.textBetween(0, node.content.size, ' ', ' ');
    for (const { isWordLike } of segmenter().segment(text)) if (isWordLike) count++;
  } else for (const child of node.children) count += countWords(child);
  counts.set(node, count);
  return count;
}
