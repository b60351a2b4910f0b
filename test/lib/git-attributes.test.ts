// The lines of `.gitattributes`: added once, never at the cost of what people wrote.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { extendAttributes, newAttributes } from '../../src/lib/git-attributes.ts';

const OWN = newAttributes().toString();

test('a new file names the pointers of media, leaves their descriptions alone, and names the drivers of documents', () => {
  assert.is(
    OWN,
    'media/** filter=lfs diff=lfs merge=lfs -text\n' +
      'media/**/.meta/** !filter !diff !merge !text\n' +
      'content/**/*.json diff=colophon-json merge=colophon-json\n' +
      'content/**/*.md merge=colophon-markdown\n',
  );
  assert.is(extendAttributes(newAttributes()), undefined);
});

test('a file of people keeps everything that it has, and gets what is missing at its end', () => {
  for (const theirs of ['*.txt text eol=lf', '# mine\r\n*.md diff=markdown\r\n', '\ufeff* text=auto\n', '\n']) {
    const extended = extendAttributes(Buffer.from(theirs))!;
    assert.is(extended.toString(), `${theirs}${theirs.endsWith('\n') ? '' : '\n'}${OWN}`);
    assert.is(extendAttributes(extended), undefined);
  }
});

test('a line counts as present with other spaces, with CRLF, and if it is commented out', () => {
  const [media = '', ...others] = OWN.trim().split('\n');
  const theirs = `#  ${media}\r\n${others.map((line) => line.replaceAll(' ', '  ')).join('\r\n')}\r\n`;
  assert.is(extendAttributes(Buffer.from(theirs)), undefined);
  assert.is(extendAttributes(Buffer.from(`${media}\n`))?.toString(), `${media}\n${others.join('\n')}\n`);
});

test.run();
