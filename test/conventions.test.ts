// What the files agree on: how they are named, how tests end, what is passed in, what none of them says. A rule is a
// function from a file to sentences about it; each is shown bad files first, so that a rule that stopped seeing
// anything is found out. Who imports whom is in imports.test.ts, how the prose reads in voice.test.ts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CODE, check, type Rule, readSources, trust, withoutComments } from './support/source.ts';

const TEXTS = [...CODE, '*.md', '.github/**/*.{md,yml}', '.ci/*', 'package.json', 'biome.json', 'tsconfig.json'];
/** This file has the words that no other has. */
const OWN_PATH = 'test/conventions.test.ts';

/** Files that may use the clock and the environment; elsewhere `new Date()` is only the default of a `now`. */
const EDGE =
  /^src\/((main|serve)\.ts|admin\/main\.tsx|cli\/(wiring|main)\.ts|cli\/colophon\.js|sync\/(main|program)\.ts)$/;
const DEFAULT_NOW = /now = \(\) => new Date\(\)/g;
/** Compares its clock with the times that the file system stamps, which no clock that is passed in would match. */
const FILE_CLOCK = 'src/data/file-lock.ts';

const worldIsPassedIn: Rule = ({ path: from, text }) => {
  if (!from.startsWith('src/') || EDGE.test(from)) return [];
  const rest = withoutComments(text).replace(DEFAULT_NOW, '');
  const found = rest.match(/\bprocess\.env\b|\bMath\.random\b|\bnew Date\(\)|\bDate\.now\(\)/g) ?? [];
  return found.filter((use) => !(from === FILE_CLOCK && use === 'Date.now()')).map((use) => `uses ${use}`);
};

test('time, chance and the environment are passed in', () => {
  trust(worldIsPassedIn, {
    bad: [
      ['src/content/a.ts', 'const at = new Date();'],
      ['src/content/a.ts', 'const at = Date.now();'],
      ['src/content/a.ts', 'const id = Math.random();'],
      ['src/content/a.ts', 'const port = process.env.PORT;'],
    ],
    good: [
      ['src/content/a.ts', 'function f({ now = () => new Date() }: Parts) {} // not process.env'],
      ['src/content/a.ts', 'const at = new Date(row.createdAt);'],
    ],
  });
  check(worldIsPassedIn, readSources(['src/**/*.{ts,tsx,js}']));
});

/** Runs a person's git in the person's clone, with the settings that their environment names. */
const PERSONS_GIT = 'src/cli/commands/git-setup.ts';

const startedProgramsGetTheirEnvironment: Rule = ({ path: from, text }) => {
  if (!from.startsWith('src/') || from === PERSONS_GIT) return [];
  const starts =
    withoutComments(text).match(/(?<![\w.])(?:spawn|spawnSync|fork|execFile|execFileSync)\([\s\S]*?\);/g) ?? [];
  return starts.filter((call) => !/\benv\b/.test(call)).map((call) => `starts a program with all of ours: ${call}`);
};

test('every program that is started gets the environment that its caller names, not the service’s own', () => {
  trust(startedProgramsGetTheirEnvironment, {
    bad: [
      ['src/a.ts', "const child = spawn('git', ['log'], { cwd });"],
      ['src/a.ts', 'const child = fork(SCRIPT);'],
    ],
    good: [
      ['src/a.ts', "spawn('git', ['log'], { cwd, env });"],
      ['src/a.ts', "pattern.exec(text); // spawn('git');"],
    ],
  });
  check(startedProgramsGetTheirEnvironment, readSources(['src/**/*.{ts,js}']));
});

/** Sorting a megabyte of combining marks takes minutes; `normalize` of this file sorts thirty at a time. */
const NORMALIZER = 'src/lib/text/stream-safe.ts';
/** Runs in a visitor's browser on what the visitor types. */
const IN_BROWSERS = 'src/build/search/client.js';

const textsAreNormalisedInOnePlace: Rule = ({ path: from, text }) =>
  from === NORMALIZER || from === IN_BROWSERS
    ? []
    : (withoutComments(text).match(/(?<!\bpath|\bposix)\.(?:normalize|localeCompare)\(/g) ?? []);

test('texts are normalised where long runs of combining marks are parted first', () => {
  trust(textsAreNormalisedInOnePlace, {
    bad: [
      ['src/search/a.ts', "text.normalize('NFKD')"],
      ['src/search/a.ts', 'names.sort((a, b) => a.localeCompare(b))'],
    ],
    good: [
      ['src/search/a.ts', "normalize(text, 'NFKD'); // not text.normalize()"],
      ['src/store/a.ts', 'path.posix.normalize(name)'],
    ],
  });
  check(textsAreNormalisedInOnePlace, readSources(['src/**/*.{ts,js}']));
});

// Tests.

/** In uvu a file without `.run()` and a hook that throws both pass in silence, and `.only` hides the rest of a file. */
const testsCannotPassUnseen: Rule = ({ path: from, text }) => {
  if (!from.endsWith('.test.ts')) return [];
  const problems: string[] = [];
  const code = withoutTexts(withoutComments(text));
  if (!/\n(\w+)\.run\(\);\n$/.test(text)) problems.push('does not end with a call of .run()');
  if (/\.(only|skip)\(/.test(code)) problems.push('has a test that hides others, or is hidden');
  if (/\b(test|suite)\.(before|after)\b/.test(code)) problems.push('has a hook; call fixtures inside the tests');
  if (!/\btest\(/.test(code)) problems.push('has no test');
  return problems;
};

test('no test passes unseen', () => {
  const run = '\ntest.run();\n';
  trust(testsCannotPassUnseen, {
    bad: [
      ['test/a.test.ts', "test('a', () => {});\n"],
      ['test/a.test.ts', `test('a', () => {});\n// ${run.trim()}\n`],
      ['test/a.test.ts', `test.only('a', () => {});${run}`],
      ['test/a.test.ts', `test.skip('a', () => {});${run}`],
      ['test/a.test.ts', `test.before(async () => {});${run}`],
      ['test/a.test.ts', `test.before.each(() => {});${run}`],
    ],
    good: [['test/a.test.ts', `test('it is the .only( one', () => {});${run}`]],
  });
  check(testsCannotPassUnseen, readSources(['test/**/*.ts']));
});

// Files.

const LONG_LINES = 400;

/** At 400 lines the header says why the file is one file, in these words. */
const longFilesSayWhy: Rule = ({ text }) => {
  const lines = text.split('\n').length - 1;
  const header = /^(?:#!.*\n)?((?:\/\/.*\n)*)/.exec(text)?.[1] ?? '';
  return lines > LONG_LINES && !/\bone file\b/i.test(header)
    ? [`has ${lines} lines and no word why in its header`]
    : [];
};

test('a file of more than 400 lines says why it is one file', () => {
  trust(longFilesSayWhy, {
    bad: [['src/a.ts', `// A file.\n${'x;\n'.repeat(LONG_LINES)}// one file\n`]],
    good: [
      ['src/a.ts', 'x;\n'.repeat(LONG_LINES)],
      ['src/a.ts', `// All cases of one table.\n// One file, because the table is.\n${'x;\n'.repeat(LONG_LINES)}`],
    ],
  });
  check(longFilesSayWhy, readSources(CODE));
});

const LONG_FUNCTION = 120;

/** Functions of more lines than that; the comment above each says why. One that is cut is wrong here too. */
const LONG_FUNCTIONS: Record<string, string> = {
  '(anonymous)': 'src/forms/widget-script.js',
  createDisk: 'src/store/disk/disk.ts',
  createFlyApi: 'src/deploy/fly/fly-api.ts',
  createLazyIndex: 'src/search/lazy-index.ts',
  createLists: 'src/search/engine/lists.ts',
  createSiteBranch: 'src/deploy/branch/site-branch.ts',
  createVocabulary: 'src/search/engine/vocabulary.ts',
};
const SAYS_WHY = /\bOne function, because\b/;

/** Found by the shape that the formatter gives them: the brace that ends a block is below the line that began it. */
function longFunctions(text: string): { name: string; lines: number; comment: string }[] {
  const lines = text.split('\n');
  const indents = lines.map((line) => line.search(/\S/));
  return lines.flatMap((line, start) => {
    if (!line.endsWith('{')) return [];
    const indent = indents[start]!;
    const end = lines.findIndex(
      (other, at) => at > start && indents[at] === indent && other.trimStart().startsWith('}'),
    );
    let head = start;
    while (/^\s*[)}]/.test(lines[head]!)) head = lines.findLastIndex((_, at) => at < head && indents[at] === indent);
    const signature = lines.slice(head, start + 1).join(' ');
    const name =
      /\bfunction\*? (\w+)/.exec(signature) ??
      /(\w+) = .*=> \{$/.exec(signature) ??
      /^\s*(?:async )?\*?(\w+)\(/.exec(signature) ??
      /=> \{$/.exec(signature);
    if (!name || /^\s*(?:if|for|while|switch|catch|else)\b/.test(signature) || end - head + 1 <= LONG_FUNCTION)
      return [];
    const above = lines.slice(0, head).join('\n');
    const comment = /(?:^|\n)(?:\s*\/\*\*(?:(?!\*\/)[\s\S])*\*\/|(?:\s*\/\/[^\n]*)+)\s*$/.exec(above)?.[0] ?? '';
    return [
      {
        name: name[1] ?? '(anonymous)',
        lines: end - head + 1,
        comment: comment.replace(/\s*\n\s*(?:\*|\/\/)\s*/g, ' '),
      },
    ];
  });
}

const longFunctionsSayWhy: Rule = ({ path: file, text }) => {
  const found = longFunctions(text);
  const unlisted = found.filter(({ name }) => LONG_FUNCTIONS[name] !== file);
  const listed = Object.keys(LONG_FUNCTIONS).filter((name) => LONG_FUNCTIONS[name] === file);
  return [
    ...unlisted.map(({ name, lines }) => `${name} has ${lines} lines; cut it, or give a reason and list it here`),
    ...found.filter(({ comment }) => !SAYS_WHY.test(comment)).map(({ name }) => `${name} does not say why it is long`),
    ...listed.filter((name) => !found.some((one) => one.name === name)).map((name) => `${name} is not long any more`),
  ];
};

test('a function of more than 120 lines says why it is one function', () => {
  const body = '  x;\n'.repeat(LONG_FUNCTION);
  const disk = 'src/store/disk/disk.ts';
  const why = '/**\n * Calls. One function, because\n * they share.\n */\n';
  trust(longFunctionsSayWhy, {
    bad: [
      ['src/a.ts', `function a() {\n${body}}\n`],
      ['src/a.ts', `${why}export async function* a(\n  b: string,\n): Promise<void> {\n${body}}\n`],
      ['src/a.ts', `const a = (b: string) => {\n${body}};\n`],
      ['src/a.js', `((name) => {\n${body}})('x');\n`],
      ['src/a.ts', `const o = {\n  a(b) {\n${body.replaceAll('  x', '    x')}  },\n};\n`],
      [disk, `${why}const x = 1;\nexport function createDisk(): Disk {\n${body}}\n`],
      [disk, `${why}export function createDisk(): Disk {\n  x;\n}\n`],
    ],
    good: [
      ['src/a.ts', `function a() {\n${'  x;\n'.repeat(LONG_FUNCTION - 2)}}\n`],
      ['src/a.ts', `export interface A {\n${body}}\n\nconst TABLE = {\n${body}};\n`],
      [disk, `${why}export function createDisk(): Disk {\n${body}}\n`],
    ],
  });
  check(longFunctionsSayWhy, readSources(['src/**/*.{ts,js}']));
});

const FULL_FOLDER = 25;

function fullFolders(files: readonly string[]): string[] {
  const folders = Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf('/')));
  return [...folders].filter(([, inside]) => inside.length > FULL_FOLDER).map(([folder]) => folder);
}

test('a folder of more than 25 files has rooms with names', () => {
  const files = Array.from({ length: FULL_FOLDER + 1 }, (_, i) => `src/a/${i}.ts`);
  assert.equal(fullFolders(files), ['src/a']);
  assert.equal(fullFolders([...files.slice(1), 'src/a/b/c.ts']), []);
  assert.equal(fullFolders(readSources(['src/**/*.{ts,js}']).map((source) => source.path)), []);
});

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test|\.d|\.config)?\.(?:tsx?|js)$/;
const EMPTY_NAME = /^(?:utils?|helpers?|managers?|common|misc|shared|stuff)$/;

const namesSayWhatIsInside: Rule = ({ path: file }) => {
  const segments = file.split('/');
  const name = segments.pop() ?? '';
  const words = [...segments, name.replace(/\..*$/, '')].flatMap((segment) => [segment, ...segment.split('-')]);
  const problems = words.filter((word) => EMPTY_NAME.test(word)).map((word) => `"${word}" says nothing`);
  if (/^index\./.test(name)) problems.push('is a barrel, or named like one');
  if (!NAME.test(name)) problems.push(`${name} is not in kebab case`);
  if (segments.some((segment) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(segment))) problems.push('a folder is not either');
  return problems;
};

test('names of files and folders are in kebab case and say what is inside', () => {
  trust(namesSayWhatIsInside, {
    bad: [
      'src/lib/utils.ts',
      'src/helpers/a.ts',
      'src/content/docManager.ts',
      'src/content/list-helpers.ts',
      'src/content/index.ts',
    ].map((file): [string, string] => [file, '']),
    good: [['src/http/koa-cors.d.ts', '']],
  });
  check(namesSayWhatIsInside, readSources(CODE));
});

// Words: the dictionary is in CONTRIBUTING.

/** Nouns that stand alone for one thing only: `TreeEntry`, `LinkPlace` and `WebhookTarget` say whose they are. */
const QUALIFIED: Record<string, string> = { Entry: 'src/outbox/entry.ts', Target: 'src/outbox/lane.ts' };
const BARE_NOUN = /^(?:Change|Entry|Info|Item|List|Page|Part|Place|Record|Result|Step|Target|Version)$/;
const TYPE = /^(export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/** Problems of type names, over all files: an exported name stands once, and no private type has it too. */
function clashingTypes(sources: readonly { path: string; text: string }[]): string[] {
  const types = sources.flatMap(({ path: file, text }) =>
    [...text.matchAll(TYPE)].map(([, exported, name = '']) => ({ file, name, isExported: exported !== undefined })),
  );
  const exporters = new Map(types.filter(({ isExported }) => isExported).map(({ name, file }) => [name, file]));
  return types.flatMap(({ file, name }) => {
    if (BARE_NOUN.test(name) && QUALIFIED[name] !== file) return [`${file}: ${name} says nothing by itself`];
    const other = exporters.get(name) ?? file;
    return other === file ? [] : [`${file}: ${name} is a type of ${other} too`];
  });
}

/** A program of its own, in browsers: nothing else imports it. */
const ADMIN = 'src/admin/';

test('the name of an exported type stands once in src, and general nouns are qualified', () => {
  const file = (path: string, text: string) => ({ path, text });
  const twice = [file('src/a.ts', 'export interface Lane {}'), file('src/b.ts', '\nexport type Lane = string;')];
  assert.equal(clashingTypes(twice).length, 1);
  assert.equal(clashingTypes([twice[0]!, file('src/b.ts', 'class Lane {}')]).length, 1);
  assert.equal(clashingTypes([file('src/a.ts', 'interface Place {}')]).length, 1);
  assert.equal(clashingTypes([file('src/a.ts', 'export interface Entry {}')]).length, 1);
  assert.equal(clashingTypes([file('src/a.ts', 'type Line = 1;'), file('src/b.ts', 'type Line = 2;')]), []);
  assert.equal(clashingTypes([file('src/a.ts', 'export interface PlaceOptions {}')]), []);
  const sources = readSources(['src/**/*.{ts,tsx}']);
  assert.equal(clashingTypes(sources.filter(({ path: from }) => !from.startsWith(ADMIN))), []);
  assert.equal(clashingTypes(sources.filter(({ path: from }) => from.startsWith(ADMIN))), []);
});

const EMPTY_CATCH = /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*(?:\/\/[^\n]*\s*)*\}/;

const SILENT_REJECTION = /\.catch\(\(\) => (?:undefined|null|\{\s*\})\)/;

const nothingIsSwallowed: Rule = ({ path: from, text }) => {
  const problems = EMPTY_CATCH.test(text) ? ['has a catch that does nothing'] : [];
  const lines = text.split('\n');
  lines.forEach((line, index) => {
    const isExplained = line.includes('// ') || lines[index - 1]?.trimStart().startsWith('//') === true;
    if (from.startsWith('src/') && SILENT_REJECTION.test(line) && !isExplained) {
      problems.push(`line ${index + 1} drops an error and does not say why`);
    }
  });
  return problems;
};

test('no catch does nothing, and no rejection is dropped without a word', () => {
  trust(nothingIsSwallowed, {
    bad: [
      ['src/a.ts', 'try { f(); } catch {}'],
      ['src/a.ts', 'try { f(); } catch (error) {\n  // it will be fine\n}'],
      ['src/a.ts', 'let a;\nf().catch(() => undefined);'],
      ['src/a.ts', 'f().catch(() => {});'],
    ],
    good: [
      ['src/a.ts', 'try { f(); } catch (error) {\n  if (!isCode(error)) throw error;\n}'],
      ['src/a.ts', 'f().catch(() => undefined); // reported where it was started'],
      ['src/a.ts', '// The caller has it.\nf().catch(() => undefined);'],
    ],
  });
  check(
    nothingIsSwallowed,
    readSources(CODE).filter(({ path: file }) => file !== OWN_PATH),
  );
});

/** `NEEDSWORK:` with the question is how something open is marked. */
const nothingIsLeftForLater: Rule = ({ text }) =>
  (text.match(/\b(?:TODO|FIXME|XXX|HACK)\b/g) ?? []).map((mark) => `has a ${mark}`);

test('nothing is left for later without its question', () => {
  trust(nothingIsLeftForLater, { bad: [['src/a.ts', '// TODO: the rest']] });
  check(
    nothingIsLeftForLater,
    readSources(TEXTS).filter(({ path: file }) => file !== OWN_PATH),
  );
});

/** What is true on one machine, or of how a change came about, does not belong into the project. */
const FOREIGN = [
  /(?<![\w.-])\/(?:work|root|home\/[a-z]+|Users\/[A-Za-z]+)\//,
  /\.\.\/shared\b/,
  /\bregistry\.[a-z]+\.[a-z]+|"resolved": "http/,
  /\b(?:claude|codex|copilot|chatgpt|sub-?agents?|coding agent)\b/i,
  /\b(?:this|previous|another|helper) (?:chat|prompt|helper session)\b/i,
  /\b(?:issue|PR|pull request|fixes|closes) #\d+/i,
];

/** Clients that people connect have names, which the README must say. */
const withoutClients = ({ path: file, text }: { path: string; text: string }): string =>
  file === 'README.md' ? text.replace(/^## Connecting AI clients\n[\s\S]*?(?=^## )/m, '') : text;

const belongsToTheProject: Rule = (source) =>
  FOREIGN.flatMap((pattern) => pattern.exec(withoutClients(source))?.[0] ?? []).map((found) => `says ${found}`);

test('no file names a machine, a registry, a tool that wrote it or an issue', () => {
  trust(belongsToTheProject, {
    bad: [
      ['a.md', 'see /work/main/src'],
      ['a.md', 'see ../shared/x'],
      ['a.json', '"resolved": "https://packages.example/x"'],
      ['a.md', 'written by Codex'],
      ['a.md', 'closes #12'],
      ['README.md', '## Connecting AI clients\n\nx\n\n## The tree\n\nby Codex'],
    ],
    good: [
      ['README.md', '## Connecting AI clients\n\nCodex connects\n\n## The tree\n'],
      ['a.md', 'GET /api/cms/work/root/ and `src/home/page.ts`'],
    ],
  });
  check(
    belongsToTheProject,
    readSources([...TEXTS, 'package-lock.json']).filter(({ path: file }) => file !== OWN_PATH),
  );
});

function withoutTexts(code: string): string {
  return code.replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''");
}

test.run();
