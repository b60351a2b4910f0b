// Whatever a document says and whatever a model answers, the structure of the document stays.
import fc from 'fast-check';
import { Marked } from 'marked';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mapMarkdown } from '../../../src/generation/texts/markdown.ts';
import { skeletonOf } from '../../../src/generation/texts/skeleton.ts';

const marked = new Marked({ gfm: true });
const skeleton = (text: string): string[] => skeletonOf(marked.lexer(text));

const INLINE = [
  ...['word', ' two words ', '**bold**', '_em_', '~~del~~', '`code`', '``a`b``', '[link](https://a.example "t")'],
  ...['![alt](/a.png)', '<https://auto.example>', 'https://bare.example/x', '<kbd>K</kbd>', '\\*', '&amp;', '[^1]'],
  ...['[ref]', '[text][ref]', 'a@b.example', '  \n', '\n', '|', '*', '[', ']', '<', '⟦1⟧', '{{ x }}', '$', 'ß漢'],
];
const PREFIXES = [
  '',
  '# ',
  '- ',
  '1. ',
  '> ',
  '    ',
  '- [ ] ',
  '> - ',
  '- > ',
  '\t',
  '  ',
  '| a | b |\n|---|---|\n| ',
];
const BLOCKS = [
  '```\nfence\n```',
  '---',
  '[ref]: https://ref.example',
  '<div>\ntext\n</div>',
  '[^1]: Note',
  'Set\n===',
];

const line = fc
  .tuple(fc.constantFrom(...PREFIXES), fc.array(fc.constantFrom(...INLINE), { minLength: 1, maxLength: 5 }))
  .map(([prefix, parts]) => prefix + parts.join(''));
const markdown = fc
  .array(fc.tuple(fc.oneof(line, fc.constantFrom(...BLOCKS)), fc.constantFrom('\n', '\n\n')), { maxLength: 8 })
  .map((lines) => lines.flat().join(''));

const EVIL = [
  ...['![x](https://evil.example/?q=1)', '[x](https://evil.example)', 'https://evil.example', '<img src=x>', '# h'],
  ...['- i', '1. i', '> q', '```', '---', '===', '\n\n', '`c`', '**b**', '|', '\\', '⟦1⟧', '⟦/2⟧', '[ref]', ': x', ''],
];

test('without answers, every text comes back byte for byte', () => {
  fc.assert(
    fc.property(markdown, (source) => {
      assert.is(mapMarkdown(source, 'p', { map: () => undefined, keep: () => undefined }), source);
    }),
    { seed: 13, numRuns: 800 },
  );
});

test('no answer changes the structure, or brings a link, an image or a tag', () => {
  fc.assert(
    fc.property(markdown, fc.infiniteStream(fc.tuple(fc.constantFrom(...EVIL), fc.nat(3))), (source, answers) => {
      const changed = mapMarkdown(source, 'p', {
        map({ text }) {
          const [evil, place] = answers.next().value;
          return [`${evil} ${text}`, `${text} ${evil}`, `${text}${evil}`, evil][place];
        },
        keep: () => undefined,
      });
      assert.equal(skeleton(changed), skeleton(source));
    }),
    { seed: 13, numRuns: 800 },
  );
});

test.run();
