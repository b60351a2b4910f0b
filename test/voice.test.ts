// How comments, messages, names and pages read: the worst habits, each shown first. CONTRIBUTING describes the
// voice.
import { test } from 'uvu';
import { check, type Rule, readSources, trust } from './support/source.ts';

/** The worst habits of the voice (CONTRIBUTING); a comment, a message and a name are held alike. */
const HABITS: [pattern: RegExp, advice: string][] = [
  [/(?:^\s*(?:\/\/|\/?\*\*?) |[.;:!?] |['"`>])Of (?=[a-zA-Z])/m, 'a sentence begins with "Of"'],
  [/\b(?:is|are|was|were|be) none\b(?! of)/, '"is not a document" says more than "is none"'],
  [/\b(?:tells?|told|telling)\b(?! (?:\w+ ){0,4}apart)/i, 'report, notify, return or warn, never tell'],
  [/\b(?:somebody|whoever|whomever)\b/i, 'name the actor: the user, the caller, another process'],
  [/\b(?:undefined|null|true|false|absent|empty|nothing) where\b/, '"if" and "when", not "where"'],
  [/\bwhere (?:there|nothing|none|nobody) (?:is|are|was|were|has|have|can|could)\b/i, '"if there is no", not "where"'],
  [
    /(?:^\s*(?:\/\/|\/?\*\*?) |[.;:] |\()Where (?:it|they|there|that|this|one|nothing|none|no|an?|the)\b/m,
    '"if", not "where"',
  ],
];

/** These say what not to write. */
const QUOTES = new Set(['test/voice.test.ts', '.github/CONTRIBUTING.md']);

const isPlainEnglish: Rule = ({ text }) =>
  text
    .split('\n')
    .flatMap((line, at) =>
      HABITS.filter(([pattern]) => pattern.test(line)).map(([, advice]) => `line ${at + 1}: ${advice}: ${line.trim()}`),
    );

test('comments, messages and names are in plain English', () => {
  trust(isPlainEnglish, {
    bad: [
      '// Of a file that is gone, its last id.',
      '/** The id. Of a folder none. */',
      '// A file that is none is left out.',
      "const message = 'nobody was told of it';",
      'const told = read();',
      '// Whoever asks gets it.',
      '/** The row; undefined where the file is gone. */',
      '// What is kept where there is room.',
      '  // Where it fails, the file is read anew.',
    ].map((line): [string, string] => ['src/a.ts', line]),
    good: [
      '// None of them is one of the three, and this is none of our business.',
      '// They can be told apart by their ids.',
      '/** The folder where the bytes are. */',
      'const isTold = storyteller;',
    ].map((line): [string, string] => ['src/a.ts', line]),
  });
  check(
    isPlainEnglish,
    readSources(['{src,scripts,test}/**/*.{ts,js}', '*.md', '.github/*.md', 'src/**/*.md']).filter(
      ({ path: file }) => !QUOTES.has(file),
    ),
  );
});

test.run();
