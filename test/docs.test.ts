// Compares the documentation with the code: each table lists what exists, a named file exists, and a command that a
// page shows can be typed. Statements about behaviour are proved by the other tests.
import { existsSync, globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CliPorts } from '../src/cli/ports.ts';
import { run } from '../src/cli/run.ts';
import { createPorts } from '../src/cli/wiring.ts';
import { Environment } from '../src/config/env.ts';
import { STATUS } from '../src/lib/errors.ts';
import { VERSION } from '../src/version.ts';
import { listFiles, ROOT, readSources, readText } from './support/source.ts';
import { readTable } from './support/tables.ts';

const README = 'README.md';
const GUIDE = '.github/CONTRIBUTING.md';
const DURABILITY = '.github/DURABILITY.md';
const SECURITY = '.github/SECURITY.md';
/** What a folder's files are for, its words, its decisions, and how a change is made there. */
const FOLDER_PAGES = listFiles(['src/**/README.md']);
const PAGES = [README, GUIDE, DURABILITY, SECURITY, 'CHANGELOG.md', ...FOLDER_PAGES];
/** One screen of an editor; a longer page is not read to its end. */
const SCREEN_LINES = 85;
/** The tree has a line for each folder, and clients and frontends are connected from this page alone. */
const README_LINES = 169;
const COLUMNS = 120;
/** A folder with more files than these needs a page. */
const PLAIN_FILES = 3;

function firstCells(head: string): string[] {
  return readTable(readText(GUIDE), head).map(([first = '']) => first);
}

/** The commands that a help page lists. */
async function listCommands(...command: string[]): Promise<string[]> {
  let text = '';
  const ports: CliPorts = {
    ...createPorts(process.env),
    variables: {},
    out: (part) => (text += part),
    err: () => undefined,
  };
  assert.is(await run([...command, '--help'], ports), 0);
  const list = /^Commands:\n((?: {2}.*\n)*)/m.exec(text)?.[1] ?? '';
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

test('all tables of one head are read, each to its end', () => {
  const page = 'text\n\n| A | B |\n|---|---|\n| `a` | one \\| two |\n| `b` | |\n\n| C | D |\n|---|---|\n| `c` | |\n';
  const firsts = (text: string): (string | undefined)[] => readTable(text, 'A').map(([first]) => first);
  assert.equal(firsts(page), ['a', 'b']);
  assert.equal(firsts(`${page}\n| A | B |\n|---|---|\n| c | |\n`), ['a', 'b', 'c']);
  assert.throws(() => readTable(page, 'E'));
});

test('the table of variables has every variable of the environment with its default', () => {
  const rows = readTable(readText(GUIDE), 'Variable');
  const expected = Object.entries(Environment.shape).map(([name, schema]) => {
    const value = schema.safeParse(undefined).data;
    return [name, value === undefined ? '' : String(value)];
  });
  assert.ok(expected.length > 15);
  assert.equal(
    rows.map(([name, value]) => [name, value]),
    expected,
  );
});

test('a variable is called reserved while nothing uses it, and no longer', () => {
  const env = readText('src/config/env.ts');
  const keys = new Map([...env.matchAll(/^\s+(\w+): .*?\bvalues\.([A-Z_]+)/gm)].map(([, key, name]) => [name, key]));
  const code = readSources(['src/**/*.ts'])
    .filter((source) => source.path !== 'src/config/env.ts')
    .map(({ text }) => text)
    .join('\n');
  for (const [name = '', , about = ''] of readTable(readText(GUIDE), 'Variable')) {
    if (name === 'NODE_ENV') continue;
    // These are one value, made of several.
    const key = name.startsWith('CMS_OIDC_') ? 'oidc' : keys.get(name);
    if (key === undefined) throw new Error(`${name} is not found in env.ts`);
    const isUsed = new RegExp(`\\b(?:env|keys)\\.${key}\\b`).test(code);
    assert.is(about === 'reserved', !isUsed, `${name}: ${about}`);
  }
});

test('the table of error codes has every code with its status', () => {
  const rows = readTable(readText(GUIDE), 'Code').map(([code, status]) => [code, Number(status)]);
  assert.equal(rows, Object.entries(STATUS));
});

test('the table of commands has every command', async () => {
  const commands = await listCommands();
  assert.ok(commands.includes('start') && commands.includes('openapi'), commands.join(' '));
  assert.equal(
    firstCells('Command'),
    commands.map((name) => `colophon ${name}`),
  );
});

test('every command that a page names exists', async () => {
  const commands = await listCommands();
  const subcommands = new Map<string, string[]>();
  for (const name of commands) subcommands.set(name, await listCommands(name));
  for (const page of PAGES) {
    for (const [line, name = '', sub = ''] of readText(page).matchAll(
      /\bcolophon ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g,
    )) {
      // In running text any word may follow the name of the service.
      const isCode = new RegExp(`(?:\`|npx )${line}`).test(readText(page));
      if (!isCode) continue;
      assert.ok(commands.includes(name), `${page}: ${line}`);
      const subs = subcommands.get(name) ?? [];
      if (subs.length > 0 && sub !== '') assert.ok(subs.includes(sub), `${page}: ${line}`);
    }
  }
});

test('the table of scripts has every npm script, and every script that a page names exists', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const listed = firstCells('Script').map((cell) => cell.replace(/^npm (run )?/, ''));
  assert.equal(listed.sort(), Object.keys(scripts).sort());
  for (const page of PAGES) {
    for (const [line, name = ''] of readText(page).matchAll(/\bnpm run ([a-z:-]+)/g)) {
      assert.ok(name in scripts, `${page}: ${line}`);
    }
  }
});

test('every promise names the test that shows it', () => {
  const leftBehind = readTable(readText(SECURITY), 'Left behind').map((row) => [row[0] ?? '', row.at(-1) ?? '']);
  const rows = [...[DURABILITY, SECURITY].flatMap((page) => readTable(readText(page), 'Promise')), ...leftBehind];
  assert.ok(rows.length > 150, `${rows.length} promises`);
  for (const [promise = '', shownBy = ''] of rows) {
    const [, file = '', name = ''] = /^(test\/\S+\.test\.ts): (.+)$/.exec(shownBy) ?? [];
    assert.ok(existsSync(path.join(ROOT, file)) && file !== '', `${promise}: ${shownBy}`);
    const names = [...readText(file).matchAll(/\btest\(\s*(['"`])([\s\S]*?)\1,/g)].map(([, , text = '']) => text);
    assert.ok(
      names.some((text) => text.replaceAll("\\'", "'").includes(name)),
      `${file} has no test "${name}"`,
    );
  }
});

test('every row of a page is in a table with a head', () => {
  for (const page of PAGES) {
    const lines = readText(page).split('\n');
    lines.forEach((line, at) => {
      const isFirst = line.startsWith('|') && !lines[at - 1]?.startsWith('|');
      assert.ok(!isFirst || /^\|[-:| ]+\|$/.test(lines[at + 1] ?? ''), `${page}: ${line.slice(0, 100)}`);
    });
  }
});

test('the tree in the README is the tree', () => {
  const tree = /```\n(src\/\n[\s\S]*?)```/.exec(readText(README))?.[1] ?? '';
  const [, ...lines] = tree.trimEnd().split('\n');
  const isInside = (line: string): boolean => line.startsWith('  ');
  const nameOf = (line: string): string => /^\s*(\S+)/.exec(line)?.[1] ?? '';
  const present = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
  assert.equal(lines.filter(isInside).map(nameOf).sort(), present.sort());
  for (const line of lines.filter((other) => !isInside(other))) {
    assert.ok(existsSync(path.join(ROOT, nameOf(line))), line);
  }
});

test('the README stays on one screen', () => {
  assert.ok(readText(README).split('\n').length <= README_LINES);
});

function isThere(file: string): boolean {
  return file.includes('*') ? globSync(file, { cwd: ROOT }).length > 0 : existsSync(path.join(ROOT, file));
}

/** The anchors that GitHub gives a page's headings. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every file and every heading that a page names exists', () => {
  for (const page of PAGES) {
    const text = readText(page);
    const files = [...text.matchAll(/(?<![\w./*-])((?:src|test|scripts|\.ci|\.github)\/[\w./*-]*[\w/*])/g)];
    for (const [, file = ''] of files) assert.ok(isThere(file), `${page}: ${file}`);
    for (const [, link = '', anchor] of text.matchAll(/\]\(([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = link === '' ? page : path.join(path.dirname(page), link);
      assert.ok(isThere(target), `${page}: ${link}`);
      if (anchor) assert.ok(listAnchors(readText(target)).includes(anchor), `${page}: ${link}#${anchor}`);
    }
  }
  assert.ok([...readText(README).matchAll(/src\/content\/\w+/g)].length > 5);
});

test('every folder of src with more than a few files has a page', () => {
  const folders = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    const page = `src/${name}/README.md`;
    if (listFiles([`src/${name}/**/*.ts`]).length > PLAIN_FILES) assert.ok(FOLDER_PAGES.includes(page), page);
  }
});

test('the page of a folder stays on one screen, with lines and tables as wide as code', () => {
  for (const page of FOLDER_PAGES) {
    const lines = readText(page).trimEnd().split('\n');
    assert.ok(lines.length <= SCREEN_LINES, `${page} has ${lines.length} lines`);
    for (const line of lines) assert.ok(line.length <= COLUMNS, `${page}: ${line}`);
  }
});

test('every file that the page of a folder names is in that folder, below src, or among its tests', () => {
  let count = 0;
  for (const page of FOLDER_PAGES) {
    const folder = path.posix.dirname(page);
    for (const [, file = ''] of readText(page).matchAll(/`([\w./*-]*[\w*]\.(?:ts|js|txt))`/g)) {
      count++;
      const places = [file, `${folder}/${file}`, `src/${file}`, `${folder.replace(/^src/, 'test')}/${file}`];
      assert.ok(places.some(isThere), `${page}: ${file}`);
    }
  }
  assert.ok(count > 300, `${count} names`);
});

test('the README’s example works: the address, the collection and the document exist', () => {
  const text = readText(README);
  const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? [];
  assert.is(Number(port), Environment.shape.PORT.parse(undefined));
  const [, collection = '', slug = ''] = /\/api\/cms\/([a-z]+)\/([a-z0-9-]+) -H/.exec(text) ?? [];
  const names = [`${slug}.json`, `${slug}.md`];
  assert.ok(
    names.some((name) => existsSync(path.join(ROOT, 'content', collection, name))),
    `${collection}/${slug}`,
  );
});

test('the changelog begins with the version of the package', () => {
  assert.is(/^## (\d+\.\d+\.\d+)/m.exec(readText('CHANGELOG.md'))?.[1], VERSION);
});

test.run();
