// The embeddable script as it is sent: how large it is, and that leaving out spaces changes nothing. What it does is in
// test/browser/widget.test.ts.
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

test('the script is about 4 KB, with a challenge about half a kilobyte more', () => {
  const widgetOf = createWidgets();
  const plain = Buffer.byteLength(widgetOf(makeForm()).script);
  const challenging = Buffer.byteLength(widgetOf(makeForm({ spam: { turnstile: { siteKey: 'k' } } })).script);
  assert.ok(plain > 3500 && plain < 4500, `${plain} bytes`);
  assert.ok(challenging > plain && challenging < 5000, `${challenging} bytes`);
});

test('each form has its own script, which compiles, and whose tag is that of its text', () => {
  const widgetOf = createWidgets();
  const contact = widgetOf(makeForm());
  const other = widgetOf(makeForm({ name: 'Other_form-2' }));
  for (const { script } of [contact, other]) assert.ok(new Script(script));
  assert.match(other.script, /\('Other_form-2'\);\n$/);
  assert.is.not(contact.etag, other.etag);
  assert.is(createWidgets()(makeForm()).etag, contact.etag);
  assert.match(contact.etag, /^W\/"[0-9a-f]{32}"$/);
});

test('only a form with a challenge has the address of the challenge in its script', () => {
  const widgetOf = createWidgets();
  assert.not.match(widgetOf(makeForm()).script, /turnstile|cloudflare/i);
  assert.match(widgetOf(makeForm({ spam: { turnstile: true } })).script, /challenges\.cloudflare\.com/);
});

test('what is squeezed out of a program is comments and spaces', () => {
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

test('the source is written as its squeezing trusts it to be', () => {
  const code = SOURCE.split('\n')
    .filter((line) => !line.trimStart().startsWith('//'))
    .join('\n')
    .replace(/'(?:[^'\\\n]|\\.)*'|`[^`\n]*`/g, '""');
  assert.not.match(code, /`/, 'a template is on one line');
  assert.not.match(code, /\/[/*]/, 'a comment has its line to itself');
  assert.not.match(code, /[=(,!&|?:]\s*\//, 'there is no regular expression');
  assert.not.match(code, /\+\s+\+|-\s+-|\+\+|--/, 'no plus or minus meets another');
  assert.is(SOURCE.match(/__FORM__/g)?.length, 1);
});

test('nothing in the script makes markup or code of a text, or sets a style that a policy forbids', () => {
  assert.not.match(SOURCE, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|'style'/);
});

test.run();
