import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ThemeError } from '../../../src/build/theme/theme-error.ts';
import { readTheme } from '../../../src/build/theme/theme-files.ts';
import { parseThemeSettings } from '../../../src/build/theme/theme-settings.ts';
import { BUILT_IN, makeThemeFolder } from '../../support/theme.ts';

async function failure(work: () => Promise<unknown> | unknown): Promise<ThemeError> {
  try {
    await work();
  } catch (error) {
    assert.instance(error, ThemeError);
    return error as ThemeError;
  }
  throw new Error('it passed');
}

test("a theme's files replace those of the built-in theme one by one", async () => {
  using own = makeThemeFolder({ 'layouts/list.liquid': 'own', 'README.md': 'not part of it', 'assets/x.js': 'a' });
  const { files, assets } = await readTheme(BUILT_IN, own.folder);
  assert.is(files.get('layouts/list.liquid')?.bytes.toString(), 'own');
  assert.ok(files.has('layouts/default.liquid'));
  assert.not.ok(files.has('README.md'));
  assert.match(assets.get('x.js')!, /^assets\/x\.[0-9a-f]{10}\.js$/);
});

test('a fingerprint changes with the content, and with nothing else', async () => {
  using own = makeThemeFolder({ 'assets/x.css': 'a' });
  const name = async (): Promise<string> => (await readTheme(BUILT_IN, own.folder)).assets.get('x.css')!;
  const first = await name();
  assert.is(await name(), first);
  own.write('assets/x.css', 'b');
  assert.is.not(await name(), first);
});

test('a link inside of the theme is followed, and one that leads out is an error', async () => {
  using own = makeThemeFolder({ 'partials/a.liquid': 'a' });
  symlinkSync('a.liquid', path.join(own.folder, 'partials/b.liquid'));
  assert.is((await readTheme(BUILT_IN, own.folder)).files.get('partials/b.liquid')?.bytes.toString(), 'a');
  symlinkSync('/etc/hostname', path.join(own.folder, 'partials/c.liquid'));
  assert.is((await failure(() => readTheme(BUILT_IN, own.folder))).file, 'partials/c.liquid');
});

test('a template that is too large, and a theme.json that is not valid, are errors with their file', async () => {
  using large = makeThemeFolder({ 'layouts/a.liquid': 'x'.repeat(600_000) });
  assert.is((await failure(() => readTheme(BUILT_IN, large.folder))).file, 'layouts/a.liquid');
  for (const text of ['{', '{"text": {}}', '{"texts": {"en": {"a": 1}}}']) {
    using bad = makeThemeFolder({ 'theme.json': text });
    const theme = await readTheme(BUILT_IN, bad.folder);
    assert.is((await failure(() => parseThemeSettings(theme))).file, 'theme.json');
  }
});

test.run();
