import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toSegments } from '../../../src/sync/site/path-pattern.ts';
import { parseRedirects } from '../../../src/sync/site/redirects.ts';
import { isFingerprinted } from '../../../src/sync/site/types.ts';

function ask(text: string, path: string, { query = '', host = 'x.org', isForced = false } = {}) {
  const found = parseRedirects(text).find({ segments: toSegments(path), query, host }, isForced);
  return found && `${found.status} ${found.to}`;
}

test('the first rule that fits wins, whether it names one path or many', () => {
  assert.is(ask('/a/* /one\n/a/b /two', '/a/b'), '301 /one');
  assert.is(ask('/a/b /two\n/a/* /one', '/a/b'), '301 /two');
  assert.is(ask('/a/* /one\n/a/b /two', '/c'), undefined);
});

test('placeholders, stars and queries are filled in', () => {
  assert.is(ask('/b/:year/:slug /:slug-:year 302', '/b/2024/x%20y'), '302 /x%20y-2024');
  assert.is(ask('/o/* /n/:splat', '/o/a/b/'), '301 /n/a/b/');
  assert.is(ask('/o/* /n/:splat', '/o'), '301 /n/');
  assert.is(ask('/s id=:id /p/:id', '/s', { query: 'id=7' }), '301 /p/7');
  assert.is(ask('/s id=:id /p/:id', '/s', { query: 'x=7' }), undefined);
  assert.is(ask('/s /t#part', '/s', { query: 'x=7' }), '301 /t?x=7#part');
  assert.is(ask('/ü /ö', '/%C3%BC'), '301 /%C3%B6');
});

test('a value of a path cannot lead to another host or end the header', () => {
  assert.is(ask('/go/* /:splat', '/go/%0d%0aX'), '301 /%0D%0AX');
  assert.is(ask('/go/:x /:x', '/go/%5cevil.org'), '301 /%5Cevil.org');
});

test('hosts, forced rules and loops', () => {
  assert.is(ask('https://old.org/* https://x.org/:splat', '/a', { host: 'old.org' }), '301 https://x.org/a');
  assert.is(ask('https://old.org/* https://x.org/:splat', '/a'), undefined);
  assert.is(ask('/a /b 301!', '/a'), undefined);
  assert.is(ask('/a /b 301!', '/a', { isForced: true }), '301 /b');
  assert.is(ask('/a/ /a', '/a'), undefined);
});

test('what is not supported is left out and reported with its line', () => {
  const lines = ['/a /b 301 Country=de', '/x https://x.org 200', '/a*b /c', '/only', 'a /b', '/a /b 999'];
  const { problems } = parseRedirects(['# fine', ...lines].join('\n'));
  assert.is(problems.length, lines.length);
  assert.match(problems[0]!, 'line 2');
});

test('a name has a fingerprint if it has hex with letters and digits, and no date or word is one', () => {
  for (const name of ['site.3f2a9c1e.css', 'a/photo-3f2a9c1e0b12.webp', 'index-BxK3f9aZ.js', 'app.3f2a9c1e.min.js']) {
    assert.ok(isFingerprinted(name), name);
  }
  for (const name of [
    'report-20240101.pdf',
    'my-document.pdf',
    'site.css',
    'decade.js',
    'a.3f2a9c1e.html',
    'iPhone15Pro.jpg',
  ]) {
    assert.not.ok(isFingerprinted(name), name);
  }
});

test.run();
