// The part of marked that the admin has reads Markdown as all of it does, and nothing besides it is left.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Lexer } from 'marked';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutParser } from '../../src/admin-files/only-lexer.ts';
import { ROOT } from '../support/source.ts';

const MARKED = path.join(ROOT, 'node_modules/marked/lib/marked.esm.js');

test('the lexer alone reads as the lexer of marked', async () => {
  const part = await import(`data:text/javascript,${encodeURIComponent(withoutParser(readFileSync(MARKED, 'utf8')))}`);
  assert.equal(Object.keys(part), ['Lexer']);
  const text = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  assert.equal(JSON.stringify(part.Lexer.lex(text)), JSON.stringify(Lexer.lex(text)));
});

test('another marked than the one that is known stops the build', () => {
  assert.throws(() => withoutParser('export{a as Lexer};'), /only-lexer/);
});

test.run();
