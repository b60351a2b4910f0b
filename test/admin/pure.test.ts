// The parts of the admin that need no browser.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toNextPath } from '../../src/admin/api/next-path.ts';
import { refreshFor } from '../../src/admin/api/refresh-for.ts';
import { redirectFor } from '../../src/admin/door.ts';
import { toEventText } from '../../src/admin/screens/dashboard/event-text.ts';
import { isOutOfDate } from '../../src/admin/screens/document/panels/is-out-of-date.ts';
import { matchOptions } from '../../src/admin/shell/match-options.ts';
import { forget, isPlaceToKeep, parseRecent, remember, toDocumentOf } from '../../src/admin/shell/recent.ts';
import { closeDirections } from '../../src/admin/text/directions.ts';
import { toRelative } from '../../src/admin/text/times.ts';
import { t } from '../../src/admin/text/translate.ts';
import { listFiles, readText } from '../support/source.ts';
import { ALL_TEXTS } from './all-texts.ts';

test('nobody is sent to another site after signing in', () => {
  for (const next of ['/admin/content/posts?q=a&status=draft', '/admin?site=b', '/admin']) {
    assert.is(toNextPath(next), next);
  }
  const bad = ['https://evil.example', '//evil.example/admin', '/\\evil.example', '/admin\\..', '/administrator', ''];
  for (const next of [...bad, '/admin/login', '/admin/setup?token=x', '/admin/login?next=/admin', null, undefined]) {
    assert.is(toNextPath(next), '/admin', String(next));
  }
});

test('a visitor is sent to the screen that they can use', () => {
  assert.is(redirectFor('unset', '/admin/content/posts'), '/admin/setup');
  assert.is(redirectFor('unset', '/admin/setup?token=x'), undefined);
  assert.is(redirectFor('stranger', '/admin'), '/admin/login');
  assert.is(redirectFor('stranger', '/admin/setup'), '/admin/login');
  assert.is(redirectFor('stranger', '/admin/a?b=c'), '/admin/login?next=%2Fadmin%2Fa%3Fb%3Dc');
  assert.is(redirectFor('stranger', '/admin/forgotten'), undefined);
  assert.is(redirectFor('signed-in', '/admin/login?next=%2Fadmin%2Fa%3Fb%3Dc'), '/admin/a?b=c');
  assert.is(redirectFor('signed-in', '/admin/login?next=//evil.example'), '/admin');
  assert.is(redirectFor('signed-in', '/admin/nowhere'), undefined);
  assert.is(redirectFor('loading', '/admin'), undefined);
});

test('the palette finds by the beginnings of words, in any order', () => {
  const options = ['Theme: Dark', 'Theme: Light', 'Überblick'].map((label) => ({ kind: 'Command', label }));
  const labels = (query: string) => matchOptions(options, query).map(({ label }) => label);
  assert.equal(labels('da th'), ['Theme: Dark']);
  assert.equal(labels('über'), ['Überblick']);
  assert.equal(labels('command light'), ['Theme: Light']);
  assert.equal(labels('heme'), []);
  assert.is(labels('  ').length, 3);
  const page = { kind: 'Guide', label: 'Your account', words: 'Signing in, and out again' };
  assert.equal(
    matchOptions([page, { kind: 'Command', label: 'Sign out' }], 'sign out').map(({ label }) => label),
    ['Sign out', 'Your account'],
  );
});

test('texts have their values and the right plural', () => {
  assert.is(t('state.tooMany', { count: 1 }), 'Try again in 1 second.');
  assert.is(t('state.tooMany', { count: 1200 }), 'Try again in 1,200 seconds.');
  assert.is(t('login.with', { name: '{name}' }), 'Sign in with {name}');
  assert.is(toEventText('document.published'), 'published');
  assert.is(toEventText('something.new'), 'changed');
});

test('a translation is out of date if the words of its source are newer than its own', () => {
  const at = (second: number, ...fields: string[]) => ({ date: `2026-01-01T00:00:0${second}.000Z`, fields });
  const [first, own] = [at(1, 'title'), at(3, 'title', 'locale')];
  const fields = [{ name: 'title' }];
  assert.not(isOutOfDate([first], [own], fields));
  assert.not(isOutOfDate([at(5, 'status', 'slug', 'publishAt'), first], [own], fields), 'published and moved');
  assert.ok(isOutOfDate([at(5, 'title'), first], [own], fields));
  assert.ok(isOutOfDate([at(5, 'title'), first], [at(7, 'status'), own], fields), 'publishing translates nothing');
  assert.not(isOutOfDate([at(5, 'title'), first], [at(7, 'title'), own], fields));
  assert.ok(isOutOfDate([at(5, 'unknown'), first], [own], fields));
  assert.ok(isOutOfDate([at(5, 'status'), first], [own], [...fields, { name: 'status' }]), 'a field of that name');
  assert.not(isOutOfDate([at(3, 'title')], [own], fields));
});

test('times are said as people say them', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  assert.is(toRelative('2026-01-31T11:57:10Z', now), '2 minutes ago');
  assert.is(toRelative('2026-02-01T13:00:00Z', now), 'tomorrow');
  assert.match(toRelative('2025-01-31T12:00:00Z', now), /2025/);
});

test('after a new beginning of the stream everything is read again, and an unknown event changes nothing', () => {
  assert.equal(refreshFor('hello'), ['/']);
  assert.equal(refreshFor('unheard'), []);
});

/** Text between tags, and in attributes that people read or hear. */
const LITERAL = />[^<>{}]*\p{L}{2}[^<>{}]*<\/|\b(?:aria-label|placeholder|title|alt)="[^"]*\p{L}/u;

test('no view has a text of its own, and every text is shown somewhere', () => {
  assert.match('<p>Hello there</p>', LITERAL);
  assert.match('<input placeholder="Name" />', LITERAL);
  const files = listFiles(['src/admin/**/*.tsx', 'src/admin/**/*.ts']);
  const sources = files.map((file) => ({ file, text: readText(file) }));
  for (const { file, text } of sources.filter((one) => one.file.endsWith('.tsx'))) {
    const found = text.split('\n').filter((line) => LITERAL.test(line) && !/=>|^\s*(?:\/\/|\*)/.test(line));
    assert.equal(found, [], file);
  }
  const all = sources.filter(({ file }) => !/\/text\/en\b/.test(file)).map(({ text }) => text);
  // A key that is put together, such as t(`status.${status}`).
  const prefixes = all.flatMap((text) => [...text.matchAll(/`((?:\w+\.)+)\$\{/g)].map(([, prefix]) => prefix!));
  const isShown = (key: string): boolean =>
    all.some((text) => text.includes(`'${key}'`)) || prefixes.some((prefix) => key.startsWith(prefix));
  assert.equal(
    Object.keys(ALL_TEXTS).filter((key) => !isShown(key)),
    [],
  );
});

test('what was opened last is kept once, the newest first, and a new document is no place to come back to', () => {
  let list = parseRecent('[{"path":"/admin","title":"Dashboard"},{"path":"https://evil.example","title":"x"},4,null]');
  assert.is(list.length, 1);
  assert.equal([parseRecent(null), parseRecent('{'), parseRecent('{}')], [[], [], []]);
  for (let n = 0; n < 20; n++) list = remember(list, { path: `/admin/content/posts/${n % 14}`, title: String(n) });
  assert.equal([list.length, list[0]!.title, list[11]!.title], [12, '19', '8']);
  assert.is(forget(list, '/admin/content/posts/5').length, 11);
  const paths = ['/admin/content/posts/a%20b', '/admin/content/posts', '/admin/content/posts/new', '/admin/trash'];
  assert.equal(paths.map(toDocumentOf), [{ collection: 'posts', slug: 'a b' }, undefined, undefined, undefined]);
  assert.equal(paths.map(isPlaceToKeep), [true, true, false, true]);
  assert.not(isPlaceToKeep('/admin/content/posts/a/history'));
});

test('a text closes the marks of direction that it opens, and no others', () => {
  assert.is(closeDirections('plain'), 'plain');
  assert.is(closeDirections('a\u202eb'), 'a\u202eb\u202c');
  assert.is(closeDirections('a\u202eb\u2066c'), 'a\u202eb\u2066c\u2069\u202c');
  assert.is(closeDirections('\u2067a\u202bb\u2069c\u2069\u202c'), '\u2067a\u202bb\u202c\u2069c');
  assert.is(closeDirections('\u202ea\nb'), '\u202ea\u202c\nb');
  assert.ok(t('state.noAccessText', { right: 'a\u202eb' }).includes('a\u202eb\u202c'), 'in a sentence too');
});

test.run();
