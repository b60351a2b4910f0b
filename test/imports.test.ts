// Who imports whom, and which package is used where. A rule is a function from a file to sentences about it; each is
// first given bad files, so that a rule that no longer sees anything is noticed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CODE,
  check,
  type Import,
  listFiles,
  type Rule,
  readSources,
  readText,
  type Source,
  toSource,
  trust,
} from './support/source.ts';
import { readTable } from './support/tables.ts';

// Who may import whom.

/** These put the service together and know every part of it. */
const WIRING = /^src\/((app|cms|main|serve)\.ts$|sites\/|cli\/wiring\.ts$)/;

/**
 * The table of rooms in CONTRIBUTING: a folder of src, and what its files may import besides their own capability and
 * lib.
 */
const ROOMS = new Map(
  readTable(readText('.github/CONTRIBUTING.md'), 'Room').map(([room = '', , imports = '']) => [
    room,
    imports.split(' ').filter((place) => place !== ''),
  ]),
);

/** A capability's HTTP and MCP faces, and reads in front of koa: they import `http`, and each other's inputs. */
const FACE = /\/(routes(-[a-z]+)*|tools|hot)\.ts$/;
const OF_FACES = /\/(routes-[a-z-]+|input)\.ts$/;
/** Opens a capability, or is its door: may import the store's types. */
const DOOR = /\/(service|reactions|open-[a-z-]+)\.ts$/;

/** Imports beyond the rows, each with its reason. An exception that is not used is an error too. */
const ALLOWED: Record<string, string[]> = {
  // Reports in one sentence which process holds the data folder.
  'src/cli/failure.ts': ['src/store/log/writer-lock.ts'],
};

function isIn(file: string, place: string): boolean {
  return place.endsWith('.ts') ? file === `src/${place}` : file.startsWith(`src/${place}/`);
}

function folderOf(file: string): string {
  return /^src\/(.*)\//.exec(file)?.[1] ?? '';
}

/** The row of a file: its folder's, or that of the nearest folder above. */
function roomOf(file: string): string | undefined {
  for (let folder = folderOf(file); folder !== ''; folder = folder.replace(/\/?[^/]*$/, '')) {
    if (ROOMS.has(folder)) return folder;
  }
  return undefined;
}

function capabilityOf(file: string): string {
  return folderOf(file).split('/')[0] ?? '';
}

function isAllowedImport(from: string, { file = '', isType }: Import): boolean {
  if (!file.startsWith('src/')) return from === 'src/version.ts' && file === 'package.json';
  if (WIRING.test(from) || ALLOWED[from]?.includes(file)) return true;
  const room = roomOf(from);
  if (room === undefined) return false;
  const [own, other] = [capabilityOf(from), capabilityOf(file)];
  if (own === 'store' && other === 'store' && room !== roomOf(file)) return isListed(room, file);
  if (own === other) return true;
  if (own === 'lib' || other === '' || other === 'cli' || other === 'sites') return isListed(room, file);
  if (other === 'lib') return true;
  if (own === 'store' || own === 'data') return isListed(room, file);
  if (own === 'http') return isType && file === 'src/access/principal.ts';
  if (isListed(room, file)) return true;
  if (FACE.test(from) && (other === 'http' || OF_FACES.test(file))) return true;
  if (other === 'http') return false;
  return isType && (other !== 'store' || DOOR.test(from));
}

function isListed(room: string, file: string): boolean {
  return ROOMS.get(room)?.some((place) => isIn(file, place)) === true;
}

const importsAsAgreed: Rule = ({ path: from, imports }) =>
  imports
    .filter((found) => found.file !== undefined && !isAllowedImport(from, found))
    .map(({ file, isType }) => `imports ${isType ? 'types of ' : ''}${file}`);

test('every import in src is allowed by the table of rooms', () => {
  trust(importsAsAgreed, {
    bad: [
      ['src/lib/a.ts', "import { b } from '../store/store.ts';"],
      ['src/lib/text/a.ts', "import type { B } from '../../access/principal.ts';"],
      ['src/data/a.ts', "import { b } from '../store/disk/disk.ts';"],
      ['src/store/log/a.ts', "import type { B } from '../../content/document.ts';"],
      ['src/store/git/a.ts', "import type { B } from '../repository/odb.ts';"],
      ['src/store/repository/a.ts', "import { createLog } from '../log/log.ts';"],
      ['src/http/a.ts', "import { ANONYMOUS } from '../access/principal.ts';"],
      ['src/http/a.ts', "import type { User } from '../access/users/user.ts';"],
      ['src/content/decide.ts', "import { createLog } from '../store/log/log.ts';"],
      ['src/content/rows/view.ts', "import type { Draft } from '../../store/log/log.ts';"],
      ['src/content/service.ts', "import { createUsers } from '../access/users/users.ts';"],
      ['src/content/service.ts', "import { type Draft, createLog } from '../store/log/log.ts';"],
      ['src/content/service.ts', "import { route } from '../http/route.ts';"],
      ['src/search/routes.ts', "import {\n  createTokens,\n} from '../access/tokens/tokens.ts';"],
      ['src/search/routes.ts', "const late = await import('../store/log/log.ts');"],
      ['src/search/routes.ts', "export * from '../content/api.ts';"],
      ['src/search/routes.ts', "import '../app.ts';"],
      ['src/unknown/a.ts', "import { b } from '../lib/errors.ts';"],
      ['src/cli/commands/user.ts', "import { createApp } from '../../app.ts';"],
      ['src/content/routes.ts', "import { makeWorld } from '../../test/support/world.ts';"],
    ],
    good: [
      ['src/content/service.ts', "import type { Draft } from '../store/log/log.ts';"],
      ['src/content/from-git/a.ts', "import { b } from '../../store/git/tree.ts';"],
      ['src/content/routes.ts', "import { route } from '../http/route.ts';"],
      ['src/http/a.ts', "import type { Principal } from '../access/principal.ts';"],
      ['src/search/service.ts', "import { type Viewer } from '../content/api.ts';"],
      ['src/media/routes.ts', "import { MultiText } from '../content/input.ts';"],
      ['src/app.ts', "import { createHot } from './content/hot.ts';"],
      ['src/forms/view.ts', "import type { DataFolder } from '../data/data-folder.ts';"],
    ],
  });
  check(importsAsAgreed, readSources(['src/**/*.{ts,js}']));
});

test('every folder of src has a row, or one around it, and every row and exception is used', () => {
  const sources = readSources(['src/**/*.ts']);
  const homeless = sources.filter(({ path: file }) => folderOf(file) !== '' && !WIRING.test(file) && !roomOf(file));
  assert.equal(
    homeless.map(({ path: file }) => file),
    [],
  );
  const importsOf = (isOf: (file: string) => boolean): string[] =>
    sources.filter((source) => isOf(source.path)).flatMap(({ imports }) => imports.map(({ file = '' }) => file));
  const unused = [...ROOMS].flatMap(([room, places]) => {
    const files = importsOf((file) => roomOf(file) === room);
    return places.flatMap((place) => (files.some((file) => isIn(file, place)) ? [] : [`${room}: ${place}`]));
  });
  assert.equal(unused, []);
  const idle = Object.entries(ALLOWED).flatMap(([from, files]) => {
    const made = importsOf((file) => file === from);
    return files.filter((file) => !made.includes(file));
  });
  assert.equal(idle, []);
});

test('every import leads to a file that exists', () => {
  const files = new Set(listFiles([...CODE, 'package.json', 'src/admin/styles/*.css']));
  const leadsNowhere: Rule = ({ imports }) =>
    imports.flatMap(({ file }) => (file === undefined || files.has(file) ? [] : [`${file} does not exist`]));
  trust(leadsNowhere, { bad: [['src/a.ts', "import { b } from './nowhere.ts';"]] });
  check(leadsNowhere, readSources(CODE));
});

// Decisions are pure.

const PURE = /^src\/(lib\/|([a-z-]+\/)+(decide|view|input|provenance|order)\.ts$)/;
const IO = /^node:(fs|fs\/promises|net|http|https|child_process|worker_threads|sqlite|dns|tls|os)$/;

/** Modules that reach disk, socket or process for others; importing only their types is allowed. */
const REACHES = /^src\/(data|http|outbound|store)\//;

const pureFilesDoNoIo: Rule = ({ path: from, imports }) =>
  PURE.test(from)
    ? imports
        .filter(({ specifier, file, isType }) => IO.test(specifier) || (!isType && REACHES.test(file ?? '')))
        .map((found) => found.specifier)
    : [];

test('lib, decisions, views and inputs reach no disk, socket or process', () => {
  trust(pureFilesDoNoIo, {
    bad: [
      ['src/lib/a.ts', "import fs from 'node:fs';"],
      ['src/forms/decide.ts', "import { request } from 'node:http';"],
      ['src/forms/decide.ts', "import { openDataFolder } from '../data/data-folder.ts';"],
      ['src/content/rows/view.ts', "import fs from 'node:fs';"],
    ],
    good: [
      ['src/content/from-git/load.ts', "import fs from 'node:fs';"],
      ['src/forms/view.ts', "import type { DataFolder } from '../data/data-folder.ts';"],
    ],
  });
  check(pureFilesDoNoIo, readSources(['src/**/*.ts']));
});

// Packages.

/** The one place of each package in src; a package is replaced there and nowhere else. */
const HOMES: Record<string, RegExp> = {
  '@koa/cors': /^src\/http\//,
  '@koa/router': /^src\/http\//,
  'koa-body': /^src\/media\/routes-upload\.ts$/,
  koa: /^src\/http\//,
  'koa-compress': /^src\/http\//,
  'koa-helmet': /^src\/http\//,
  'prom-client': /^src\/(http\/|app\.ts$)/,
  pino: /^src\/(http\/|app\.ts$|sites\/|process-log\.ts$|cli\/wiring\.ts$)/,
  'ipaddr.js': /^src\/outbound\//,
  jsonwebtoken: /^src\/access\//,
  'openid-client': /^src\/access\/oidc\/provider\.ts$/,
  otpauth: /^src\/access\/codes\/totp\.ts$/,
  'isomorphic-git': /^src\/store\//,
  lunr: /^src\/search\//,
  'file-type': /^src\/media\//,
  htmlparser2: /^src\/(build\/rich-text|links|media|transfer)\//,
  liquidjs: /^src\/build\/theme\//,
  marked:
    /^src\/(admin-files\/help\.ts$|admin\/(ai|richtext\/markdown)\/|build\/rich-text\/|generation\/texts\/|lib\/markdown\/|links\/)/,
  'sanitize-html': /^src\/build\/rich-text\//,
  sharp: /^src\/media\//,
  '@sindresorhus/slugify': /^src\/lib\//,
  commander: /^src\/cli\//,
  'ical-generator': /^src\/schedule\/ics\.ts$/,
  octokit: /^src\/deploy\/status\/github-status\.ts$/,
  'node-cron': /^src\/schedule\/in-process\.ts$/,
  'timezones-ical-library': /^src\/schedule\/ics\.ts$/,
  'cron-parser': /^src\/lib\/time\/cron\.ts$/,
  'tar-stream': /^src\/backups\//,
  aws4fetch: /^src\/backups\//,
  yaml: /^src\/(admin-files\/help\.ts$|content\/markdown\/|transfer\/)/,
  'smol-toml': /^src\/transfer\//,
  nanoid:
    /^src\/(access\/access\.ts|http\/request\.ts|store\/(log\/log|repository\/(quarantine|frozen))\.ts|content\/document-id\.ts)$/,
  'csv-stringify': /^src\/forms\//,
  nodemailer: /^src\/outbound\//,
  diff: /^src\/admin\//,
  'idb-keyval': /^src\/admin\/document\//,
  morphdom: /^src\/admin\/preview-page\//,
  '@atlaskit/pragmatic-drag-and-drop': /^src\/admin\/fields\//,
  '@atlaskit/pragmatic-drag-and-drop-hitbox': /^src\/admin\/fields\//,
  esbuild: /^src\/admin-files\/(build|few-files)\.ts$/,
  preact: /^src\/admin\//,
  'preact-iso': /^src\/admin\//,
  '@preact/signals': /^src\/admin\//,
  '@codemirror/commands': /^src\/admin\/richtext\/source-editor\.ts$/,
  '@codemirror/lang-html': /^src\/admin\/richtext\/source-html\.ts$/,
  '@codemirror/lang-json': /^src\/admin\/richtext\/source-editor\.ts$/,
  '@codemirror/language': /^src\/admin\/richtext\/(?:source-editor|text-direction)\.ts$/,
  '@codemirror/state': /^src\/admin\/richtext\/(?:source-editor|text-direction)\.ts$/,
  '@codemirror/view': /^src\/admin\/richtext\/(?:source-editor|text-direction)\.ts$/,
  '@lezer/highlight': /^src\/admin\/richtext\/source-editor\.ts$/,
  '@lezer/markdown': /^src\/admin\/richtext\/source-editor\.ts$/,
  'mdast-util-gfm-table': /^src\/admin\/richtext\/markdown\/print-block\.ts$/,
  'mdast-util-gfm-task-list-item': /^src\/admin\/richtext\/markdown\/print-block\.ts$/,
  'mdast-util-to-markdown': /^src\/admin\/richtext\/markdown\/print-block\.ts$/,
  'prosemirror-commands': /^src\/admin\/richtext\//,
  'prosemirror-history': /^src\/admin\/richtext\//,
  'prosemirror-inputrules': /^src\/admin\/richtext\//,
  'prosemirror-keymap': /^src\/admin\/richtext\//,
  'prosemirror-model': /^src\/admin\/richtext\//,
  'prosemirror-schema-list': /^src\/admin\/richtext\//,
  'prosemirror-state': /^src\/admin\/richtext\//,
  'prosemirror-tables': /^src\/admin\/richtext\//,
  'prosemirror-transform': /^src\/admin\/richtext\//,
  'prosemirror-view': /^src\/admin\/richtext\//,
  '@noble/hashes': /^src\/(access\/passwords\/passwords|deploy\/providers\/api\/cloudflare-hash)\.ts$/,
  ai: /^src\/ai\/provider\.ts$/,
  '@ai-sdk/anthropic': /^src\/ai\/provider\.ts$/,
  '@ai-sdk/openai': /^src\/ai\/provider\.ts$/,
  '@ai-sdk/openai-compatible': /^src\/ai\/provider\.ts$/,
  '@modelcontextprotocol/server': /^src\/mcp\/protocol\.ts$/,
  '@modelcontextprotocol/sdk': /^src\/mcp\/try-endpoint\.ts$/,
  // Data from outside is parsed where it comes in.
  zod: /^src\//,
};

const packagesAtHome: Rule = ({ path: from, imports }) => {
  if (!from.startsWith('src/')) return [];
  return imports.flatMap(({ package: name }) => {
    if (name === undefined) return [];
    const home = HOMES[name];
    if (!home) return [`imports ${name}, which has no place in src yet`];
    return home.test(from) ? [] : [`imports ${name}`];
  });
};

test('each package is imported in its own place', () => {
  trust(packagesAtHome, {
    bad: [
      ['src/content/routes.ts', "import type { Context } from 'koa';"],
      ['src/content/from-git/load.ts', "import git from 'isomorphic-git';"],
      ['src/lib/a.ts', "import leftPad from 'left-pad';"],
      ['src/transfer/a.ts', "import { parse } from 'yaml/other';\nimport jwt from 'jsonwebtoken';"],
    ],
    good: [['src/http/a.ts', "import type { Context } from 'koa';"]],
  });
  check(packagesAtHome, readSources(['src/**/*.{ts,js}']));
});

// The store's disk.

/** The data folder's lock belongs to SQLite; the second reader shares no code with the store; /proc is not a disk. */
const BESIDE_THE_DISK = new Set([
  'src/store/disk/disk.ts',
  'src/store/repository/lock-holders.ts',
  'src/store/repository/readers.ts',
  'src/store/log/writer-lock.ts',
  'src/store/repository/second-reader.ts',
]);

const storeGoesThroughItsDisk: Rule = ({ path: from, imports }) =>
  from.startsWith('src/store/') && !BESIDE_THE_DISK.has(from)
    ? imports.filter(({ specifier }) => /^node:fs(\/|$)/.test(specifier)).map((found) => found.specifier)
    : [];

test('the store reaches files through its disk module, which the crash tests replace', () => {
  trust(storeGoesThroughItsDisk, {
    bad: [
      ['src/store/a.ts', "import fs from 'node:fs';"],
      ['src/store/a.ts', "import { open } from 'node:fs/promises';"],
    ],
    good: [['src/store/disk/disk.ts', "import fs from 'node:fs';"]],
  });
  check(storeGoesThroughItsDisk, readSources(['src/**/*.ts']));
});

interface Manifest {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** Packages that are run and not imported. */
const COMMANDS: Record<string, string> = { typescript: 'tsc', '@biomejs/biome': 'biome' };
/** Packages that a script starts as a program, or that code imports which a test writes. */
const STARTED: Record<string, string> = {
  '@11ty/eleventy': 'scripts/bench/builds.ts',
  '@modelcontextprotocol/inspector': 'test/mcp/inspector.test.ts',
  '@redocly/cli': 'test/http/openapi/client.test.ts',
  '@ts-morph/common': 'test/support/print-types.ts',
  'openapi-fetch': 'test/http/openapi/client.test.ts',
};

function packageProblems({ scripts, dependencies, devDependencies }: Manifest, sources: readonly Source[]): string[] {
  const namesIn = (isOf: (file: string) => boolean): Set<string> =>
    new Set(
      sources
        .filter((source) => isOf(source.path))
        .flatMap(({ imports }) => imports.flatMap(({ package: name }) => (name === undefined ? [] : [name]))),
    );
  const inSrc = namesIn((file) => file.startsWith('src/'));
  const anywhere = namesIn(() => true);
  const lines = Object.values(scripts).join('\n');
  const problems: string[] = [];
  // The package `node` brings the runtime; package.json says so under engines. Our declarations name Node's types.
  for (const name of Object.keys(dependencies)) {
    if (name !== 'node' && name !== '@types/node' && !inSrc.has(name))
      problems.push(`${name} is a dependency that src does not import`);
  }
  for (const name of Object.keys(devDependencies)) {
    const typed = name.replace(/^@types\//, '').replace('__', '/');
    const isTyping = name !== typed && (typed === 'node' || anywhere.has(typed));
    const command = COMMANDS[name];
    const starter = STARTED[name];
    const isRun =
      (command !== undefined && new RegExp(`\\b${command}\\b`).test(lines)) ||
      (starter !== undefined && readText(starter).includes(name));
    if (!isTyping && !isRun && !anywhere.has(name)) problems.push(`${name} is a devDependency that nothing uses`);
  }
  for (const name of inSrc) if (!(name in dependencies)) problems.push(`${name} is imported in src, not a dependency`);
  for (const name of anywhere) {
    if (name !== 'colophon' && !(name in dependencies) && !(name in devDependencies)) {
      problems.push(`${name} is imported and not in package.json`);
    }
  }
  return problems;
}

test('package.json names every imported package, and nothing else', () => {
  const bad = packageProblems(
    {
      scripts: {},
      dependencies: { unused: '1' },
      devDependencies: { '@types/unused': '1', typescript: '1', uvu: '1' },
    },
    [toSource('src/a.ts', "import { test } from 'uvu';"), toSource('test/a.ts', "import x from 'absent';")],
  );
  assert.is(bad.length, 5, bad.join('\n'));
  const manifest = JSON.parse(readText('package.json')) as Manifest;
  assert.equal(packageProblems(manifest, readSources(CODE)), []);
});

test.run();
