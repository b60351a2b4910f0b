import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findTokens } from '../../../src/git/http/credentials.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test('the token is the bearer, the password, or the user name', () => {
  assert.equal(findTokens('Bearer cms_1'), ['cms_1']);
  assert.equal(findTokens('bearer  cms_1 '), ['cms_1']);
  assert.equal(findTokens(basic('ada:cms_1')), ['cms_1', 'ada']);
  assert.equal(findTokens(basic('cms_1:')), ['cms_1']);
  assert.equal(findTokens(basic('cms_1')), ['cms_1']);
  assert.equal(findTokens(basic('x:a:b')), ['a:b', 'x']);
});

test('other headers contain no token', () => {
  for (const value of [undefined, '', 'Basic', 'Basic :', basic(''), basic(':'), 'Digest x', 'Basic a b', 'Basic é']) {
    assert.equal(findTokens(value), [], value);
  }
});

test.run();
