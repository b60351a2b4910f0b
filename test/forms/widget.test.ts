// The embeddable script as it is served: its size, and that removing spaces changes nothing.
// test/browser/widget.test.ts tests what it does.
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type FormConfig, type FormConfigInput, FormSchema } from '../../src/config/form-config.ts';
import { createWidgets, squeeze } from '../../src/forms/widget.ts';

const SOURCE = readFileSync(new URL('../../src/forms/widget-script.js', import.meta.url), 'utf8');

function makeForm(form: Partial<FormConfigInput> = {}): FormConfig {
  return FormSchema.parse({ name: 'contact', fields: [{ name: 'email', type: 'email' }], ...form });
}

test('the script has about 4 KB, and half a kilobyte more with a challenge', () => {
  const widgetOf = createWidgets();
  const plain = Buffer.byteLength(widgetOf(makeForm()).script);
  const challenging = Buffer.byteLength(widgetOf(makeForm({ spam: { turnstile: { siteKey: 'k' } } })).script);
  assert.ok(plain > 3500 && plain < 4500, `${plain} bytes`);
  assert.ok(challenging > plain && challenging < 5000, `${challenging} bytes`);
});

test('each form has its own script, which compiles and has an entity tag of its text', () => {
  const widgetOf = createWidgets();
  const contact = widgetOf(makeForm());
  const other = widgetOf(makeForm({ name: 'Other_form-2' }));
  for (const { script } of [contact, other]) assert.ok(new Script(script));
  assert.match(other.script, /\('Other_form-2'\);\n$/);
  assert.is.not(contact.etag, other.etag);
  assert.is(createWidgets()(makeForm()).etag, contact.etag);
  assert.match(contact.etag, /^W\/"[0-9a-f]{32}"$/);
});

test('only the script of a form with a challenge contains the address of the challenge', () => {
  const widgetOf = createWidgets();
  assert.not.match(widgetOf(makeForm()).script, /turnstile|cloudflare/i);
  assert.match(widgetOf(makeForm({ spam: { turnstile: true } })).script, /challenges\.cloudflare\.com/);
});

test('squeezing a program removes only comments and spaces', () => {
  const program = [
    '// A comment.',
    "const text = 'two  spaces, { and a quote \\' // here';",
    '',
    '  const more = `  two} + ` + (text ? 1 : 2);',
    '  if (more) {',
    '    // Another.',
    '    return [1, 2,',
    '    ];',
    '  } else throw new Error(more);',
  ].join('\n');
  assert.is(
    squeeze(program),
    "const text='two  spaces, { and a quote \\' // here';" +
      'const more=`  two} + `+(text?1:2);if(more){return[1,2]}else throw new Error(more);\n',
  );
});

test('the source is written as squeezing requires', () => {
  const code = SOURCE.split('\n')
    .filter((line) => !line.trimStart().startsWith('//'))
    .join('\n')
    .replace(/'(?:[^'\\\n]|\\.)*'|`[^`\n]*`/g, '""');
  assert.not.match(code, /`/, 'no template spans lines');
  assert.not.match(code, /\/[/*]/, 'each comment is on a line of its own');
  assert.not.match(code, /[=(,!&|?:]\s*\//, 'there is no regular expression');
  assert.not.match(code, /\+\s+\+|-\s+-|\+\+|--/, 'no two pluses or minuses meet');
  assert.is(SOURCE.match(/__FORM__/g)?.length, 1);
});

test('the script turns no text into markup or code, and sets no style that a policy forbids', () => {
  assert.not.match(SOURCE, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|'style'/);
});

test.run();
