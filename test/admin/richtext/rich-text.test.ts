// Writing in a rich text field, in a real browser under the policy of the admin.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations, LOOKS, untilTrue } from '../../support/browser.ts';
import { assertAccessible } from '../world.ts';
import { GOOGLE_DOCS, HOSTILE, WORD } from './fixtures.ts';
import { type FieldPage, makeFieldWorld, PIXEL } from './page.ts';

const KEY = /^(?:Enter|Tab|Escape|Backspace|Shift\+\w+|Control\+[\w+]+|Arrow\w+|Home|End)$/;

async function type(field: FieldPage, ...parts: readonly string[]): Promise<void> {
  await field.box.focus();
  for (const part of parts) {
    if (KEY.test(part)) await field.page.keyboard.press(part);
    else await field.page.keyboard.type(part);
    // The browser reports where the cursor is a moment after the key that moved it, which no finger outruns.
    await field.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  }
}

test('Markdown that one types becomes what it means, and is Markdown in the value', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open();
  await type(field, '## A title', 'Enter', 'Some **bold** and *italic* and `code` words', 'Enter');
  await type(field, '- one', 'Enter', 'two', 'Enter', 'Tab', 'inner', 'Enter', 'Enter', 'Enter');
  await type(field, '> quoted', 'Enter', 'Enter', '1. first', 'Enter', 'second', 'Enter', 'Enter');
  await type(
    field,
    '[ ] to do',
    'Enter',
    'Enter',
    '```js',
    'Enter',
    'const a = 1;',
    'ArrowDown',
    'last',
    'Enter',
    '---',
    'end',
  );
  assert.is(
    await field.value(),
    [
      ...['## A title', 'Some **bold** and *italic* and `code` words', '- one\n- two\n  - inner', '> quoted'],
      ...['1. first\n2. second', '- [ ] to do', '```js\nconst a = 1;\n```', 'last', '---', 'end'],
    ].join('\n\n'),
  );
  assert.equal(field.complaints, []);
});

test('keys and buttons format, undo takes back, and the value is as it was', async () => {
  await using world = await makeFieldWorld();
  const text = 'One *line*  \nand a second\n\n* list\n';
  const field = await world.open({ value: text });
  await type(field, 'Control+Home', 'Control+Shift+ArrowRight', 'Control+b');
  assert.match(String(await field.value()), /^\*\*One\*\* \*line\*/);
  assert.is(await field.toolbar.getByRole('button', { name: 'Bold' }).getAttribute('aria-pressed'), 'true');
  await field.toolbar.getByRole('button', { name: 'Undo' }).click();
  assert.is(await field.value(), text);
  await field.box.focus();
  await field.page.keyboard.press('Control+i');
  assert.is(await field.value(), text.replace('One', '*One*'));
  await field.toolbar.getByRole('combobox', { name: 'Text style' }).selectOption('Heading 3');
  assert.match(String(await field.value()), /^### \*One\*/);
});

test('Shift with an arrow selects more and never less, across tables and at the edges of the text', async () => {
  await using world = await makeFieldWorld();
  const table = '| a | b |\n|---|---|\n| 1 | 2 |';
  const field = await world.open({ value: `Alpha\n\n\`\`\`\ncode\n\`\`\`\n\n${table}\n\nOmega\n\n${table}` });
  const selected = (): Promise<string> => field.page.evaluate(`getSelection().toString().replace(/\\s+/g, ' ').trim()`);
  /** The last of what was selected, of which each contains the one before. */
  const extend = async (key: string, times: number): Promise<string> => {
    let before = '';
    for (let count = 0; count < times; count++) {
      await type(field, `Shift+${key}`);
      const now = await selected();
      assert.ok(now.includes(before), `${before} became ${now}`);
      before = now;
    }
    return before;
  };
  await type(field, 'Control+Home');
  assert.is(await extend('ArrowDown', 7), 'Alpha code a b 1 2 Omega a b 1 2');
  await field.box.getByText('Omega').click();
  await type(field, 'End');
  assert.is(await extend('ArrowUp', 6), 'Alpha code a b 1 2 Omega');
  await field.box.getByText('b').first().click();
  assert.is(await extend('ArrowUp', 2), 'b');
  assert.equal(field.complaints, []);
});

test('a link is made and removed by Ctrl+K, and the focus goes back to the text', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open({ value: 'word\n' });
  await type(field, 'Control+a', 'Control+k');
  const dialog = field.page.getByRole('dialog', { name: 'Link' });
  // A script is no address.
  await dialog.getByLabel('Address').fill(' java\tscript:alert(1)');
  await field.page.keyboard.press('Enter');
  await dialog.getByText('A link leads to a page').waitFor();
  await dialog.getByLabel('Address').fill('https://example.com/a');
  await field.page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await untilTrue(field.page, `document.activeElement.id === 'body'`);
  assert.is(await field.value(), '[word](https://example.com/a)\n');
  await type(field, 'Control+k');
  assert.is(await dialog.getByLabel('Address').inputValue(), 'https://example.com/a');
  await dialog.getByRole('button', { name: 'Remove link' }).click();
  assert.is(await field.value(), 'word\n');
});

test('the menu below a slash is found by letters, chosen by keys and named by the text box', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open();
  await type(field, '/tab');
  const list = field.page.getByRole('listbox', { name: 'Insert' });
  await list.waitFor();
  assert.equal(await list.getByRole('option').allTextContents(), ['Table']);
  const active = await field.box.getAttribute('aria-activedescendant');
  assert.is(await list.getByRole('option').getAttribute('id'), active);
  assert.equal(await findViolations(field.page), []);
  await type(field, 'Enter', 'Name', 'Tab', 'Value', 'Tab', 'Third', 'Tab', 'a|b');
  assert.match(
    String(await field.value()),
    /^\| Name +\| Value \| Third \|\n\| -+ \| -+ \| -+ \|\n\| a\\\|b +\| +\| +\|\n/,
  );
  await type(field, 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'more');
  assert.match(String(await field.value()), /\| more/);
  await field.toolbar.getByRole('button', { name: 'Remove column' }).click();
  assert.is.not(String(await field.value()).includes('Third'), true);
  const other = await world.open({ value: 'a\n' });
  await type(other, 'End', ' /zzz');
  await other.page.getByText('Nothing fits.').waitFor();
  await type(other, 'Escape', ' 1/2');
  assert.is(await other.value(), 'a /zzz 1/2\n');
  assert.equal([...field.complaints, ...other.complaints], []);
});

test('pasted Markdown is taken as Markdown, and prose keeps its lines', async () => {
  await using world = await makeFieldWorld();
  const markdown = '## Tides\r\n\r\nThey *rise* and [fall](https://example.com/).\r\n\r\n- one\r\n- two\r\n\r\n`code`';
  const written = '## Tides\n\nThey *rise* and [fall](https://example.com/).\n\n- one\n- two\n\n`code`';
  const pasted = async (data: Record<string, string>, value?: string): Promise<string> => {
    const field = await world.open(value === undefined ? {} : { value });
    await field.box.focus();
    await field.page.keyboard.press('Control+End');
    // The editor hears of the cursor a moment later.
    await field.page.waitForTimeout(100);
    await field.paste(data);
    assert.equal(field.complaints, []);
    return String(await field.value()).trim();
  };
  assert.is(await pasted({ 'text/plain': markdown }), written);
  const html = '<div style="color: red"><span>## Tides</span></div>';
  const fromSource = { 'text/plain': markdown, 'text/html': html, 'vscode-editor-data': '{}' };
  assert.is(await pasted(fromSource), written);
  assert.is(await pasted({ 'text/plain': '**now**' }, 'We go \n'), 'We go **now**');
  assert.is(await pasted({ 'text/plain': 'First line\nSecond line' }), 'First line\n\nSecond line');
  assert.is(await pasted({ 'text/plain': '[x](javascript:alert(1))' }), '\\[x]\\(javascript:alert(1))');
  assert.is(await pasted({ 'text/plain': '*not bold*' }, '```\na\n```\n'), '```\na*not bold*\n```');
});

test('Word, Google Docs and hostile pages paste what they say, without styles and without running anything', async () => {
  await using world = await makeFieldWorld();
  const paste = async (html: string): Promise<{ value: string; field: FieldPage }> => {
    const field = await world.open();
    const requests: string[] = [];
    field.page.on('request', (request) => void requests.push(request.url()));
    await field.page.evaluate('window.hurt = () => { window.isHurt = true; }');
    await field.box.focus();
    await field.paste({ 'text/html': html, 'text/plain': 'plain' });
    const value = String(await field.value());
    await field.page.waitForTimeout(200);
    assert.equal(field.complaints, []);
    // A part of the editor that comes with the first picture is no request of what was pasted.
    assert.equal(
      requests.filter((url) => !new URL(url).pathname.startsWith('/assets/')),
      [],
    );
    assert.is(await field.page.evaluate('window.isHurt'), undefined);
    return { value, field };
  };
  const word = await paste(WORD);
  assert.is(
    word.value,
    [
      '# The report',
      'Some **bold** and *italic* words with [a link](https://example.com/a).',
      '- First point\n  - Inner point\n- Second point',
      'Between',
      '1. Numbered',
      '| A | B |\n| - | - |\n| 1 | 2 |',
    ].join('\n\n'),
  );
  const docs = await paste(GOOGLE_DOCS);
  assert.is(
    docs.value,
    '## The plan\n\nPlain, **bold**, *italic* and [a link](https://example.com/b).\n\n- One\n  - Inner\n- Two',
  );
  const hostile = await paste(HOSTILE);
  assert.match(hostile.value, /^Harmless \*\*words\*\*/);
  assert.is(/script|hurt|style/i.test(hostile.value), false, hostile.value);
});

test('hostile Markdown and JSON show as text, run nothing and load nothing', async () => {
  await using world = await makeFieldWorld();
  const markdown = `${HOSTILE}\n\n[trap](javascript:hurt()) ![x](https://evil.example/a.png) <img src=x onerror=hurt()>\n`;
  const json = {
    type: 'doc',
    content: [
      {
        type: 'paragraph',
        content: [
          {
            type: 'text',
            text: '<img src=x onerror=hurt()>',
            marks: [{ type: 'link', attrs: { href: 'javascript:hurt()' } }],
          },
        ],
      },
      { type: 'image', attrs: { src: 'javascript:hurt()', alt: '"><script>hurt()</script>' } },
      { type: '<script>hurt()</script>', attrs: { onclick: 'hurt()' } },
      { type: 'paragraph', attrs: { style: 'color:red', onclick: 'hurt()' } },
    ],
  };
  for (const value of [markdown, json]) {
    const field = await world.open({ value });
    const requests: string[] = [];
    field.page.on('request', (request) => void requests.push(request.url()));
    for (const link of await field.box.locator('a').all())
      assert.is.not(await link.getAttribute('href'), 'javascript:hurt()');
    await field.page.waitForTimeout(200);
    assert.equal(field.complaints, []);
    assert.equal(requests, []);
    assert.equal(await field.said(), []);
  }
});

test('pictures are uploaded from the clipboard and chosen from the library, and a refused one says why', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open({ value: 'before\n' });
  await type(field, 'Control+End', 'Enter');
  const pasteFile = (name: string): Promise<unknown> =>
    field.page.evaluate(`{
      const bytes = Uint8Array.from(atob('${PIXEL.toString('base64')}'), (one) => one.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], '${name}', { type: 'image/png' }));
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
  await pasteFile('pixel.png');
  await field.page.getByText('Uploading pixel.png…').waitFor();
  await type(field, 'meanwhile');
  await field.page.evaluate('window.finishUpload()');
  await field.page.getByRole('img', { name: 'A pixel' }).waitFor();
  assert.match(String(await field.value()), /!\[A pixel\]\(\/uploads\/pixel\.png\)/);
  await pasteFile('refused.png');
  await field.page.getByText('Uploading refused.png…').waitFor();
  await field.page.evaluate('window.finishUpload()');
  await field.page.getByRole('alert').filter({ hasText: 'refused.png could not be uploaded: too large' }).waitFor();
  await field.toolbar.getByRole('button', { name: 'Image' }).click();
  await field.page.getByRole('img', { name: 'Chosen' }).click();
  await field.toolbar.getByRole('button', { name: 'Image' }).click();
  await field.page.getByRole('dialog', { name: 'Image' }).getByLabel('Alt text').fill('A dog');
  await field.page.keyboard.press('Enter');
  await field.page.getByRole('dialog').waitFor({ state: 'detached' });
  await field.page.getByRole('img', { name: 'A dog' }).waitFor();
  assert.match(String(await field.value()), /!\[A dog\]\(\/uploads\/chosen\.png\)/);
  assert.equal(field.complaints, []);
});

test('the source is edited as text, and what was typed there is on the screen afterwards', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open({ value: 'One\r\n\r\n<!-- kept -->\r\n' });
  await type(field, 'Control+Home', 'Say ');
  const toggle = field.toolbar.getByRole('button', { name: 'Source' });
  await toggle.click();
  const source = field.page.getByRole('textbox', { name: 'Body source' });
  await source.waitFor();
  assert.is(await toggle.getAttribute('aria-pressed'), 'true');
  await source.focus();
  await field.page.keyboard.press('Control+End');
  await field.page.keyboard.type('\n**more**');
  assert.is(await field.value(), 'Say One\r\n\r\n<!-- kept -->\r\n\r\n**more**');
  await toggle.click();
  await field.box.locator('strong', { hasText: 'more' }).waitFor();
  assert.equal(field.complaints, []);
});

test('what another user changes arrives without moving the cursor or what is typed', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open({ value: 'first\n\nsecond\n\nthird\n' });
  await field.box.getByText('second').click();
  await type(field, 'End', ' mine');
  assert.is(await field.value(), 'first\n\nsecond mine\n\nthird\n');
  await field.give('first, changed\n\nsecond mine\n\nthird\n');
  await field.box.getByText('first, changed').waitFor();
  await field.page.getByText('5 words').waitFor();
  await type(field, '! yes');
  await field.page.getByText('6 words').waitFor();
  await type(field, ...Array.from({ length: 4 }, () => 'Backspace'));
  assert.is(await field.value(), 'first, changed\n\nsecond mine!\n\nthird\n');
  await field.give('all new\n');
  await field.box.getByText('all new').waitFor();
  await field.page.getByText('2 words').waitFor();
  assert.is(await field.box.innerText(), 'all new');
});

test('what is typed last is in the value when the focus leaves and when the field is removed', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open({ value: '' });
  await type(field, 'typed');
  await field.page.evaluate("document.querySelector('main > button').focus()");
  assert.is((await field.said()).at(-1), 'typed');
  await type(field, ' on');
  await field.page.evaluate("document.querySelector('main > button').click()");
  assert.is((await field.said()).at(-1), 'typed on');
});

test('who types without a pause is kept all the same', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open();
  await field.box.focus();
  await field.page.clock.install({ time: 0 });
  await field.page.clock.pauseAt(1000);
  for (let key = 0; key < 12; key++) {
    await field.page.keyboard.type('a');
    await field.page.clock.runFor(100);
  }
  const said = (await field.said()).at(-1);
  assert.ok(typeof said === 'string' && said.length >= 10, String(said));
});

test('a document of TipTap stays one, and what the editor does not know stays word by word', async () => {
  await using world = await makeFieldWorld();
  const unknown = { type: 'callout', attrs: { tone: 'warm' }, content: [{ type: 'paragraph' }] };
  const value = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'word' }] }, unknown] };
  const field = await world.open({ value });
  await type(field, 'Control+Home', 'a ');
  assert.equal(await field.value(), {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'a word' }] }, unknown],
  });
});

test('a reader sees the text and cannot change it', async () => {
  await using world = await makeFieldWorld();
  const field = await world.open({ value: 'words\n\n- [ ] task\n', props: { isReadOnly: true } });
  await field.box.focus();
  await field.page.keyboard.type('x');
  assert.is(await field.box.getAttribute('aria-readonly'), 'true');
  assert.ok(await field.page.getByRole('checkbox', { name: 'Done' }).isDisabled());
  assert.equal(await field.said(), []);
});

test('axe-core finds no fault in both themes, and nothing is too wide at 320 px; keys alone reach everything', async () => {
  await using world = await makeFieldWorld();
  const value =
    '# Title\n\nWords *of* a [text](https://example.com/a/very/long/address/that/does/not/break).\n\n- one\n- [x] done\n\n> quote\n\n```js\ncode\n```\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n![a](/uploads/a.png) ![b](https://x.y/b.png)\n\n<div>raw</div>\n';
  for (const look of LOOKS) {
    const field = await world.open({ value, props: { isInvalid: true } }, look);
    await assertAccessible(field.page, 'text', look);
    await field.toolbar.getByRole('button', { name: 'Source' }).click();
    await field.page.getByRole('textbox', { name: 'Body source' }).waitFor();
    await assertAccessible(field.page, 'source', look);
    assert.equal(field.complaints, []);
  }
  const field = await world.open({ value: 'words\n' });
  await field.page.keyboard.press('Tab');
  await field.page.keyboard.press('ArrowRight');
  assert.is(await field.page.evaluate("document.activeElement.getAttribute('aria-label')"), 'Bold');
  await field.page.keyboard.press('Tab');
  assert.is(await field.page.evaluate('document.activeElement.id'), 'body');
  await field.page.keyboard.press('Tab');
  assert.is(await field.page.evaluate('document.activeElement.textContent'), 'After');
});

test('a long text whose marks have no end opens as its source, with a sentence, and can be mended there', async () => {
  await using world = await makeFieldWorld();
  const hostile = '_a'.repeat(150_000);
  const startedMs = performance.now();
  const { page, value } = await world.open({ value: hostile });
  const source = page.getByRole('textbox', { name: 'Body source' });
  await source.waitFor();
  assert.match(await page.getByRole('alert').innerText(), /^Nested too deeply/);
  await source.focus();
  for (const key of ['Control+a', 'Delete']) await page.keyboard.press(key);
  await page.keyboard.type('*mended*');
  assert.is(await value(), '*mended*');
  await page.getByRole('button', { name: 'Source' }).click();
  assert.is(await page.getByRole('textbox', { name: 'Body', exact: true }).locator('em').innerText(), 'mended');
  assert.ok(performance.now() - startedMs < 30_000, `${performance.now() - startedMs} ms`);
});

test.run();
