import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ThemeError } from '../../../src/build/theme/theme-error.ts';
import { makeEngine, makePage, makeThemeFolder, renderText } from '../../support/theme.ts';

async function errorOf(text: string, more: Record<string, string> = {}, scope: object = {}): Promise<ThemeError> {
  try {
    await renderText(text, scope, more);
  } catch (error) {
    assert.instance(error, ThemeError);
    return error as ThemeError;
  }
  throw new Error('the template rendered');
}

test('what a template prints is escaped, except for what is marked as raw', async () => {
  const scope = { a: '<b>"&\'', page: {} };
  assert.is(
    await renderText('{{ a }} {{ a | raw }} {{ a | upcase }}', scope),
    '&lt;b&gt;&quot;&amp;&#39; <b>"&\' &lt;B&gt;&quot;&amp;&#39;',
  );
  assert.is(await renderText('{{ a | escape }}', scope), '&lt;b&gt;&quot;&amp;&#39;');
  assert.is(await renderText('{% assign x = a %}{% capture y %}{{ x }}{% endcapture %}{{ y | size }}', scope), '25');
});

test('liquid in a value is text', async () => {
  assert.is(await renderText('{{ a }}', { a: '{{ 7 | times: 6 }}{% raw %}' }), '{{ 7 | times: 6 }}{% raw %}');
});

test('a template reaches own properties only', async () => {
  assert.is(
    await renderText('{{ a.constructor }}{{ a.__proto__ }}{{ a.toString }}{{ b.constructor.name }}', { a: {}, b: 'x' }),
    '',
  );
});

test('an unknown filter or tag, and a syntax error, name file, line and column', async () => {
  const filter = await errorOf('\n  {{ a | shout }}');
  assert.equal([filter.file, filter.line], ['layouts/default.liquid', 2]);
  const tag = await errorOf("{% render 'x' %}", { 'partials/x.liquid': '\n\n{% shout %}' });
  assert.equal([tag.file, tag.line], ['partials/x.liquid', 3]);
  const open = await errorOf('{% if a %}');
  assert.equal([open.file, open.line], ['layouts/default.liquid', 1]);
  const asset = await errorOf("\n{{ 'none.css' | asset_url }}");
  assert.equal([asset.file, asset.line], ['layouts/default.liquid', 2]);
  assert.is((await errorOf("{% render 'gone' %}")).file, 'layouts/default.liquid');
});

test('a loop without an end, and templates that call themselves, end with their file', async () => {
  const range = await errorOf('{% for a in (1..100000000) %}{{ a }}{% endfor %}');
  assert.is(range.file, 'layouts/default.liquid');
  const self = await errorOf("{% render 'a' %}", { 'partials/a.liquid': "{% render 'a' %}" });
  assert.match(self.file, /^(layouts\/default|partials\/a)\.liquid$/);
  const growing = await errorOf(
    "{% assign a = 'x' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
  );
  assert.is(growing.file, 'layouts/default.liquid');
});

test('a theme reads no file outside of it', async () => {
  for (const name of ['../theme.json', '/etc/passwd', '../../package', 'a/../../x'])
    assert.instance(await errorOf(`{% render '${name}' %}`), ThemeError);
  assert.instance(await errorOf("{% layout '../../package.json' %}"), ThemeError);
});

test('the first layout that exists is used, and every file that was looked for is reported', async () => {
  using own = makeThemeFolder({
    'layouts/posts.liquid': "{% render 'line', text: 'own' %}",
    'partials/line.liquid': '{{ text }} {{ site.name }}',
  });
  const { engine } = await makeEngine(own.folder);
  const page = makePage();
  assert.is(engine.render(['posts', 'default'], { site: { name: 'S' } }, page), 'own S');
  assert.equal([...page.used], ['layouts/posts.liquid', 'partials/line.liquid']);
  const other = makePage();
  engine.render(['news', 'posts'], { site: {} }, other);
  assert.equal([...other.used], ['layouts/news.liquid', 'layouts/posts.liquid', 'partials/line.liquid']);
});

test('blocks are rendered by their templates, and others by their fields', async () => {
  using own = makeThemeFolder({
    'blocks/quote.liquid': '<q>{{ block.text }}</q>{% blocks block.inner %}',
    'layouts/default.liquid': '{% blocks document.blocks %}',
  });
  const { engine } = await makeEngine(own.folder, [
    { name: 'plain', label: 'Plain', fields: [{ name: 'words', type: 'text' }] },
  ]);
  const blocks = [
    { _block: 'quote', text: '<i>', inner: [{ _block: 'quote', text: 'b' }] },
    { _block: 'plain', words: '{{ x }}' },
    { _block: '../../secret', text: 'x' },
  ];
  assert.is(
    engine.render(['default'], { document: { blocks } }, makePage()).replace(/\s+/g, ' ').trim(),
    '<q>&lt;i&gt;</q><q>b</q> <dl><div><dt>Words</dt><dd><p>{{ x }}</p></dd></div></dl>',
  );
});

test('blocks within one another without an end are an error', async () => {
  const loop: Record<string, unknown> = { _block: 'quote' };
  loop.inner = [loop];
  const error = await errorOf('{% blocks a %}', { 'blocks/quote.liquid': '{% blocks block.inner %}' }, { a: [loop] });
  assert.is(error.file, 'blocks/quote.liquid');
  const again = await errorOf(
    '{% blocks a %}',
    { 'blocks/quote.liquid': '{% blocks a %}' },
    { a: [{ _block: 'quote' }] },
  );
  assert.is(again.file, 'blocks/quote.liquid');
});

test('an error leaves the engine usable', async () => {
  using own = makeThemeFolder({ 'layouts/bad.liquid': '{{ a | shout }}', 'layouts/good.liquid': '{{ a }}' });
  const { engine } = await makeEngine(own.folder);
  assert.throws(() => engine.render(['bad'], {}, makePage()));
  assert.is(engine.render(['good'], { a: 1 }, makePage()), '1');
});

test.run();
