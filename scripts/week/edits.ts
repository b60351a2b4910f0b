// The kinds of edits that the history of a real blog consists of, each on one Markdown text. Each puts a word into the
// text that occurs nowhere else, so that it can be found again. Pure.
import type { Random } from '../../test/support/random.ts';

export type EditKind = 'word' | 'sentence' | 'paragraph' | 'link' | 'item' | 'heading' | 'remove' | 'move' | 'reflow';

export const EDIT_KINDS: readonly EditKind[] = [
  'word',
  'word',
  'word',
  'sentence',
  'sentence',
  'paragraph',
  'link',
  'item',
  'heading',
  'remove',
  'move',
  'reflow',
];

/** Returns the text after the edit, or undefined if the text has no place for an edit of this kind. */
export function editText(text: string, kind: EditKind, word: string, random: Random): string | undefined {
  const blocks = text.split('\n\n');
  const prose = blocks.flatMap((block, at) => (/^[A-Z][^|`<]{60,}/.test(block) ? at : []));
  const at = prose[random.whole(0, prose.length - 1)];
  if (at === undefined) return undefined;
  const block = blocks[at] as string;
  switch (kind) {
    case 'word': {
      const words = [...block.matchAll(/(?<=[ \n])[a-z]{4,}(?=[ \n,.])/g)];
      if (words.length === 0) return undefined;
      const found = words[random.whole(0, words.length - 1)]!;
      blocks[at] = `${block.slice(0, found.index)}${word}${block.slice(found.index + found[0].length)}`;
      break;
    }
    case 'sentence':
      blocks[at] = `${block.trimEnd()} That is what ${word} shows.`;
      break;
    case 'paragraph':
      blocks.splice(at + 1, 0, `Update: since this was written, ${word} has changed, and the section above with it.`);
      break;
    case 'link': {
      const link = /\]\((https?:[^)\s]+)\)/.exec(block);
      if (!link) return undefined;
      blocks[at] = block.replace(`](${link[1]})`, `](https://example.org/${word})`);
      break;
    }
    case 'item': {
      const list = blocks.findIndex((one) => /^[*-] [^\n]+\n[*-] /.test(one));
      if (list < 0) return undefined;
      blocks[list] = `${blocks[list]}\n${(blocks[list] as string)[0]} One more: ${word}`;
      break;
    }
    case 'heading':
      blocks.splice(at, 0, `## About ${word}`);
      break;
    case 'remove':
      if (prose.length < 6) return undefined;
      blocks[at] = `(${word}: removed)`;
      break;
    case 'move': {
      if (at === 0) return undefined;
      blocks.splice(at, 1);
      blocks.splice(at - 1, 0, `${block.trimEnd()} (${word})`);
      break;
    }
    case 'reflow':
      blocks[at] = `${block.replaceAll('\n', ' ').trimEnd()} (${word})`;
  }
  return blocks.join('\n\n');
}
