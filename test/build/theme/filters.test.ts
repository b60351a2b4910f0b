import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeEngine, makePage, makeThemeFolder, renderText } from '../../support/theme.ts';

test('addresses pass the filter url, and unsafe ones become #', async () => {
  assert.is(
    await renderText("{{ 'javascript:alert(1)' | url }} {{ '/a' | url }} {{ '/a' | absolute_url }}"),
    '# /a https://example.com/a',
  );
});

test('dates are written in the language of the page, and the same on every machine', async () => {
  const dates =
    "{{ a | date: 'long' }}|{{ a | date: 'iso' }}|{{ a | date: 'year' }}|{{ 'no date' | date }}|{{ a | date: 'long', 'de' }}";
  assert.is(await renderText(dates, { a: '2026-03-04' }), 'March 4, 2026|2026-03-04T00:00:00.000Z|2026||4. März 2026');
  assert.is(await renderText("{{ '2026-03-04T23:30' | date: 'medium' }}"), 'Mar 4, 2026');
});

test('texts come from the theme in the language of the page, with plurals, and from the built-in theme else', async () => {
  using own = makeThemeFolder({
    'theme.json': JSON.stringify({
      texts: { en: { hello: 'Hello {name}' }, de: { cats: { one: '{count} Katze', other: '{count} Katzen' } } },
    }),
    'layouts/default.liquid':
      "{{ 'hello' | t: name: '<Ines>' }}|{{ 'cats' | t: count: 1 }}|{{ 'cats' | t: count: 3 }}|{{ 'newer' | t }}|{{ 'none' | t }}",
  });
  const { engine } = await makeEngine(own.folder);
  assert.is(
    engine.render(['default'], {}, makePage(undefined, 'de-AT')),
    'Hello &lt;Ines&gt;|1 Katze|3 Katzen|Neuer|none',
  );
});

test('JSON cannot end the script that it is in', async () => {
  assert.is(await renderText('{{ a | json }}', { a: '</script><!--' }), '"\\u003c/script\\u003e\\u003c!--"');
});

test('an excerpt ends at a word', async () => {
  assert.is(
    await renderText('{{ a | excerpt: 12 }}|{{ a | plain }}', { a: 'One **two**, three four' }),
    'One two…|One two, three four',
  );
});

test('a picture has its sizes, and what is not a picture prints nothing', async () => {
  assert.is(
    await renderText("{% image a, sizes: '50vw', class: 'wide' %}{% image b %}{% image nil %}", {
      a: '/uploads/a.png',
      b: 'x',
    }),
    '<img src="/uploads/a-800.png" srcset="/uploads/a-400.png 400w, /uploads/a-800.png 800w" sizes="50vw" width="800" ' +
      'height="600" alt="A letter" class="wide" loading="lazy" decoding="async">',
  );
});

test('forms, the search box and languages are printed where the theme asks for them', async () => {
  const page = {
    locale: 'en',
    alternates: [
      { locale: 'en', url: '/a/', title: 'A' },
      { locale: 'de', url: '/de/a/', title: 'A' },
    ],
  };
  const html = await renderText("{% form 'contact' %}{% search %}{% language_switch label: 'Languages' %}", { page });
  assert.ok(html.startsWith('<form></form><search></search><nav class="languages" aria-label="Languages">'));
  assert.ok(html.includes('<a href="/de/a/" lang="de" hreflang="de">Deutsch</a>'));
});

test('the head has title, address, languages and nothing unescaped', async () => {
  const page = {
    title: '<A>',
    description: '"d"',
    kind: 'document',
    locale: 'en',
    absolute_url: 'https://example.com/a/',
    alternates: [
      { locale: 'en', url: '/a/' },
      { locale: 'de', url: '/de/a/' },
    ],
  };
  const html = await renderText('{% head %}', { page, site: { name: 'S', locale: 'en', feed: '/feed.xml' } });
  for (const line of [
    '<title>&lt;A&gt; · S</title>',
    '<meta name="description" content="&quot;d&quot;">',
    '<link rel="canonical" href="https://example.com/a/">',
    '<link rel="alternate" hreflang="de" href="https://example.com/de/a/">',
    '<link rel="alternate" hreflang="x-default" href="https://example.com/a/">',
    '<link rel="alternate" type="application/rss+xml" title="S" href="/feed.xml">',
  ])
    assert.ok(html.includes(line), line);
});

test.run();
