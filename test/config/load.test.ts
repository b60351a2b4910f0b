import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/config/parse.ts';

/** A folder outside the project with these files, removed at the end of the test. */
async function makeFolder(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-config-'));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    path: (name: string) => join(folder, name),
    write,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function refusal(path: string, limitMs?: number): Promise<ConfigError> {
  const error = await loadConfig(path, limitMs).then(
    () => undefined,
    (reason) => reason,
  );
  assert.instance(error, ConfigError);
  return error;
}

const CONFIG = `{ collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' }] }] }`;

test('a configuration that imports nothing loads from any folder, with any extension', async () => {
  await using folder = await makeFolder({
    'cms.config.ts': `const config: object = ${CONFIG};\nexport default config;`,
    'cms.config.mts': `export default ${CONFIG};`,
    'cms.config.js': `export default ${CONFIG};`,
    'cms.config.mjs': `export default ${CONFIG};`,
    'cms.config.cjs': `module.exports = ${CONFIG};`,
    'common.js': `module.exports = ${CONFIG};`,
    'cms.config.json': `\ufeff{"collections": [{"name": "posts", "fields": [{"name": "title", "type": "text"}]}]}`,
  });
  for (const name of ['ts', 'mts', 'js', 'mjs', 'cjs', 'json']) {
    const config = await loadConfig(folder.path(`cms.config.${name}`));
    assert.is(config.collections[0]?.fields[0]?.name, 'title', name);
    assert.ok(Object.isFrozen(config.collections[0]?.fields));
  }
  assert.is((await loadConfig(folder.path('common.js'))).collections[0]?.name, 'posts');
});

test('types and defineConfig come from the package although it is not installed there', async () => {
  await using folder = await makeFolder({
    'types.ts': `import type { SiteConfig } from 'colophon/config';\nconst config: SiteConfig = ${CONFIG};\nexport default config;`,
    'define.ts': `import { defineConfig } from 'colophon/config';\nexport default defineConfig(${CONFIG});`,
    'define.js': `import { defineConfig } from 'colophon/config';\nexport default defineConfig(${CONFIG});`,
  });
  for (const name of ['types.ts', 'define.ts', 'define.js']) {
    assert.is((await loadConfig(folder.path(name))).collections[0]?.name, 'posts', name);
  }
});

test('reading again gives the new text, also for imported files', async () => {
  await using folder = await makeFolder({
    'a.ts': `import { locales } from './locales.ts';\nexport default { collections: [], locales };`,
    'locales.ts': `export const locales = ['en'];`,
    'b.json': `{"collections": [], "locales": ["en"]}`,
    'c.cjs': `module.exports = { collections: [], locales: ['en'] };`,
  });
  for (const name of ['a.ts', 'b.json', 'c.cjs'])
    assert.equal((await loadConfig(folder.path(name))).locales, ['en'], name);
  await folder.write('locales.ts', `export const locales = ['da'];`);
  await folder.write('b.json', `{"collections": [], "locales": ["da"]}`);
  await folder.write('c.cjs', `module.exports = { collections: [], locales: ['da'] };`);
  for (const name of ['a.ts', 'b.json', 'c.cjs'])
    assert.equal((await loadConfig(folder.path(name))).locales, ['da'], name);
  await folder.write('a.ts', `export default { collections: [], locales: ['sv'] };`);
  assert.equal((await loadConfig(folder.path('a.ts'))).locales, ['sv']);
});

test('a path with spaces and URL characters loads', async () => {
  await using folder = await makeFolder({ 'my #1 config?%20.ts': `export default { collections: [] };` });
  assert.equal((await loadConfig(folder.path('my #1 config?%20.ts'))).collections, []);
});

test('a file that cannot be used is refused with its name', async () => {
  await using folder = await makeFolder({
    'syntax.ts': 'export default {',
    'throws.ts': `throw new Error('not today');`,
    'nothrow.js': `throw 'a string';`,
    'empty.ts': '',
    'named.ts': 'export const config = { collections: [] };',
    'import.ts': `import 'a-package-that-nobody-has';\nexport default {};`,
    'bad.json': '{',
    'cms.config.yaml': 'collections: []',
    'invalid.ts': 'export default { collections: [], colour: 1 };',
  });
  for (const name of [
    'syntax.ts',
    'throws.ts',
    'nothrow.js',
    'empty.ts',
    'named.ts',
    'import.ts',
    'bad.json',
    'cms.config.yaml',
    'missing.ts',
    'missing.json',
    'invalid.ts',
  ]) {
    const error = await refusal(folder.path(name));
    assert.is(error.problems.length, 1, name);
    assert.ok(error.message.includes(name), error.message);
  }
  assert.equal((await refusal(folder.path('invalid.ts'))).problems[0]?.path, 'colour');
  assert.match((await refusal(folder.path('throws.ts'))).message, /not today/);
});

const EARLY_ENDS: Record<string, [text: string, line: number]> = {
  'without its last brace': ['X {\n  collections: [],\n  locales: ["en"]\n\n\n', 3],
  'without its last bracket': ['X {\n  collections: [\n    { name: "a", fields: [] }\n', 3],
  'behind a comma': ['X {\r\n  collections: [],\r\n', 2],
  'in its only line': ['X { collections: [', 1],
  'in a text of several lines': ['X {\n  collections: [],\n  title: `abc,\n};\n', 4],
  'in a comment': ['X {\n  collections: [],\n  /* title: "abc",\n};\n', 4],
};

test('a configuration that ends too early is reported with the last line that is read, in every kind of file', async () => {
  await using place = await makeFolder({});
  for (const [what, [text, last]] of Object.entries(EARLY_ENDS)) {
    for (const extension of ['ts', 'mts', 'js', 'mjs', 'cjs', 'json']) {
      const start = extension === 'cjs' ? 'module.exports =' : 'export default';
      const json = text.replace('X ', '').replace(/(collections|locales|name|fields|title):/g, '"$1":');
      const name = `early.${extension}`;
      await place.write(name, extension === 'json' ? json : text.replace('X', start));
      const file = place.path(name);
      const { message } = await refusal(file);
      const [, line = '', shown] = message.match(/early\.\w+:(\d+):\d+: .*\n {6}(\S.*)/) ?? [];
      // For a string or a comment that does not end, its beginning is reported.
      assert.ok(
        Number(line) === last || Number(line) === last - 1 || (what.startsWith('in a') && Number(line) === 3),
        `${what}, ${name}: ${message}`,
      );
      assert.ok(shown, `${what}, ${name}: ${message}`);
    }
  }
});

test('a file that is not JSON is reported with line and column of the unexpected character', async () => {
  await using place = await makeFolder({});
  for (const [text, at] of [
    ["{\n  'collections': []\n}", '2:3'],
    ['{\n  "collections": [],\n  "title": `a`\n}', '3:12'],
    ['{\n  "collections": [],\n}', '3:1'],
    ['{ "collections": [] } x', '1:23'],
    ['', '1:1'],
    ['\ufeff{\n  "collections": nul\n}', '2:21'],
  ] as const) {
    await place.write('a.json', text);
    const { message } = await refusal(place.path('a.json'));
    assert.ok(message.includes(`a.json:${at}: this is not JSON: `), `${text}: ${message}`);
  }
});

test('an error in a configuration is reported with file, line and column, and the line itself', async () => {
  await using place = await makeFolder({});
  const broken = "export default {\n  collections: [\n    { name: 'posts' fields: [] },\n  ],\n};\n";
  const unknown = 'export default {\n  collections: [{ name: nope, fields: [] }],\n};\n';
  for (const [name, text, at, line] of [
    ['a.config.ts', broken, ':3:21: ', "{ name: 'posts' fields: [] },"],
    ['b.config.mjs', broken, ':3:21: ', "{ name: 'posts' fields: [] },"],
    ['c.config.ts', unknown, ':2:25: ', 'collections: [{ name: nope, fields: [] }],'],
    ['d.config.ts', '\nnope();', ':2:1: ', 'nope();'],
    ['e.config.cjs', 'module.exports = { collections: nope };', ':1:33: ', 'module.exports = { collections: nope };'],
  ] as const) {
    await place.write(name, text);
    const file = place.path(name);
    const { message } = await refusal(file);
    assert.ok(message.includes(`${file}${at}`), message);
    assert.ok(message.includes(`\n      ${line}`), message);
  }
});

test('whatever a configuration throws, the refusal repeats it and says what to do', async () => {
  await using place = await makeFolder({});
  for (const [name, text, said] of [
    ['a.ts', 'throw { code: 7, why: "x" };', "it threw { code: 7, why: 'x' }, which is not an Error"],
    ['b.ts', 'throw undefined;', 'it threw undefined, which is not an Error'],
    ['c.ts', "throw 'words';", "it threw 'words', which is not an Error"],
    ['d.ts', "throw new TypeError('');", ':1:7: TypeError without a message'],
    ['e.ts', "await Promise.resolve();\nthrow new Error('no database');", ':2:7: no database'],
    ['f.ts', "export default Promise.reject(new Error('no answer'));", ':1:31: no answer'],
    [
      'g.ts',
      "export default { get collections() { throw 'bad getter'; } };",
      "it threw 'bad getter', which is not an Error",
    ],
    ['h.ts', "export default { get collections() { throw new Error('later'); } };", ':1:44: later'],
    ['i.ts', 'export default { get collections() { process.exit(3); } };', ':1:46: it called process.exit(3)'],
  ] as const) {
    await place.write(name, text);
    const { message } = await refusal(place.path(name));
    assert.ok(message.includes(place.path(name)), message);
    assert.ok(message.includes(said), message);
  }
});

test('a configuration that never finishes is refused after a while, with a message', async () => {
  await using place = await makeFolder({
    'a.ts': 'await new Promise(() => {});\nexport default {};',
    'b.ts': 'export default new Promise(() => {});',
  });
  for (const name of ['a.ts', 'b.ts']) {
    const { message } = await refusal(place.path(name), 50);
    assert.ok(message.includes(place.path(name)), message);
    assert.match(message, /still waits for something after 0\.05 s.*await/);
  }
});

test('a configuration that ends the process is refused, and the process goes on', async () => {
  await using place = await makeFolder({
    'a.ts': 'const fine = true;\nif (fine) process.exit(3);',
    'b.cjs': 'process.exit();',
    'c.ts': "import './d.ts';\nexport default {};",
    'd.ts': 'process.exit(0);\nexport {};',
    'e.ts': "import './f.cjs';\nexport default {};",
    'f.cjs': 'process.exit(0);',
  });
  const real = process.exit;
  for (const [name, at] of [
    ['a.ts', 'a.ts:2:19: it called process.exit(3)'],
    ['b.cjs', 'b.cjs:1:9: it called process.exit()'],
    ['c.ts', 'd.ts:1:9: it called process.exit(0)'],
    ['e.ts', 'it called process.exit(0)'],
  ] as const) {
    const { message } = await refusal(place.path(name));
    assert.ok(message.includes(place.path(name)), message);
    assert.ok(message.includes(at), message);
    assert.match(message, /throw an Error/);
  }
  assert.is(process.exit, real);
});

test('a configuration that was fixed loads after it failed', async () => {
  await using folder = await makeFolder({ 'a.ts': 'export default {' });
  await refusal(folder.path('a.ts'));
  await folder.write('a.ts', 'export default { collections: [] };');
  assert.equal((await loadConfig(folder.path('a.ts'))).collections, []);
});

test.run();
