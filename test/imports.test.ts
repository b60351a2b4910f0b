// Who imports whom, and which package lives where. A rule is a function from a file to sentences about it; each is shown
// bad files first, so that a rule that stopped seeing anything is found out.
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

// Who may import whom.

/** These put the service together and know every part of it. */
const WIRING = new Set([
  'src/app.ts',
  'src/cms.ts',
  'src/sites/open-site.ts',
  'src/sites/open-operations.ts',
  'src/sites/verify-site.ts',
  'src/sites/reshard-site.ts',
  'src/sites/restore-site.ts',
  'src/main.ts',
  'src/serve.ts',
  'src/cli/wiring.ts',
]);

/** A capability's HTTP and MCP faces; beside the routes themselves what only they use. */
const FACE = /\/(routes(-[a-z]+)?|tools)\.ts$/;
const DOOR = /\/(service|reactions)\.ts$/;
/** Opens a capability on its files. */
const OPENER = /\/(service|open-[a-z-]+)\.ts$/;

/** Imports beyond the rules, each with its reason; a folder stands for its files. One that is not used is wrong too. */
const ALLOWED: Record<string, string[]> = {
  // Views are filled from the repository's trees, blobs and commits: these read them so that nothing else has to.
  'src/content/from-git/list-documents.ts': ['src/store/'],
  'src/content/from-git/claims.ts': ['src/store/git/objects.ts'],
  'src/content/from-git/claim-order.ts': ['src/store/'],
  'src/content/from-git/contests.ts': ['src/store/git/tree.ts'],
  'src/content/from-git/ours-on-top.ts': [
    'src/store/git/objects.ts',
    'src/store/git/tree.ts',
    'src/store/log/tree-set.ts',
  ],
  'src/content/from-git/bulk-load.ts': ['src/store/'],
  'src/content/from-git/bulk-read.ts': ['src/store/'],
  'src/content/from-git/bulk-order.ts': ['src/store/', 'src/schema/compile.ts'],
  'src/content/from-git/incoming.ts': ['src/store/'],
  'src/content/from-git/layout.ts': ['src/store/'],
  'src/content/from-git/read-changes.ts': ['src/store/'],
  'src/content/commits/recent-keys.ts': ['src/store/'],
  'src/content/commits/rebase.ts': ['src/store/log/replant.ts', 'src/store/log/tree-set.ts'],
  'src/content/commits/starter.ts': ['src/store/log/tree-set.ts'],
  'src/content/commits/plant-starter.ts': ['src/store/'],
  // The half of the service that hands a change to the log; an Idempotency-Key's trailer names the blob beforehand.
  'src/content/commits/commit.ts': ['src/store/log/log.ts', 'src/store/git/objects.ts', 'src/store/log/tree-set.ts'],
  // What is wrong with a name is told above what is wrong with the file.
  'src/content/from-git/warnings.ts': ['src/store/intake/intake-tree.ts'],
  // What may stand below `media/` is media's to know.
  'src/content/from-git/other-files.ts': ['src/store/', 'src/media/stored.ts'],
  'src/content/from-git/changed-files.ts': ['src/store/', 'src/media/stored.ts'],
  'src/content/from-git/load.ts': ['src/store/', 'src/media/stored.ts'],
  // The half of the service that hands a change to the log, and what a replay makes of it.
  'src/media/commits/commit.ts': ['src/store/log/log.ts'],
  'src/media/commits/rebase.ts': ['src/store/log/replant.ts', 'src/store/log/tree-set.ts'],
  'src/media/open-media.ts': ['src/store/log/log.ts'],
  'src/media/commits/starter.ts': ['src/store/log/tree-set.ts'],
  'src/media/input.ts': ['src/lib/query.ts'],
  'src/media/routes.ts': ['src/content/input.ts'],
  // A pushed commit's Change-Id is read as recovery reads it; what it changed is asked of its trees.
  'src/git/push/examine.ts': ['src/store/git/objects.ts'],
  'src/git/push/check-commits.ts': ['src/store/'],
  // What of a push is content's to know, and what history's.
  'src/git/push/checks.ts': ['src/store/', 'src/content/', 'src/history/claims.ts'],
  // A document's history is read from commits, trees and blobs; what a file says and what differs is content's to know.
  'src/history/claims.ts': ['src/store/git/objects.ts'],
  'src/history/pushed-by.ts': ['src/store/git/objects.ts'],
  'src/history/media-changes.ts': ['src/media/stored.ts', 'src/store/'],
  'src/history/commit-record.ts': ['src/store/git/objects.ts'],
  'src/history/follow.ts': ['src/content/stored.ts', 'src/store/'],
  'src/history/commit-feed.ts': ['src/store/'],
  'src/history/feed.ts': ['src/store/'],
  'src/history/mainline.ts': ['src/store/git/objects.ts'],
  'src/history/recent-commits.ts': ['src/content/stored.ts', 'src/media/stored.ts', 'src/store/'],
  'src/history/replays.ts': ['src/store/git/objects.ts'],
  'src/history/beside.ts': ['src/content/from-git/other-files.ts', 'src/store/'],
  'src/history/seen.ts': ['src/store/git/objects.ts'],
  'src/history/tell.ts': ['src/content/differences.ts', 'src/store/git/objects.ts'],
  'src/history/versions.ts': ['src/store/'],
  'src/history/tree-changes.ts': ['src/content/', 'src/store/'],
  'src/history/served-changes.ts': ['src/content/', 'src/store/'],
  'src/history/contested.ts': ['src/content/from-git/claims.ts'],
  'src/history/open-history.ts': ['src/store/'],
  'src/history/service.ts': ['src/content/'],
  'src/history/input.ts': ['src/lib/query.ts'],
  'src/history/routes.ts': ['src/content/input.ts', 'src/content/routes-call.ts'],
  // The routes' answers in front of koa, and the list's query, which both parse.
  'src/content/hot.ts': ['src/http/'],
  'src/content/lists/list-query.ts': ['src/lib/query.ts'],
  // The user behind a call, for all of the access routes.
  'src/access/routes-signed-in.ts': ['src/http/route.ts'],
  // The list of roles, which variables name.
  'src/config/oidc-env.ts': ['src/access/principal.ts'],
  // A field's default value is held to the schema that its values are held to.
  'src/config/rules.ts': ['src/schema/default-value.ts'],
  // Whose fields an item of a list has, in the thread that reads links.
  'src/links/collect-links.ts': ['src/schema/texts.ts'],
  // It asks through the guarded way out, and tells its refusals apart.
  'src/links/ask.ts': ['src/outbound/request.ts'],
  // What a document's texts are is asked in two threads, and a compiled schema does not cross from one to the other.
  'src/content/search-entry.ts': ['src/schema/texts.ts'],
  // It reads the saved index where the index will be.
  'src/search/index-worker.ts': ['src/content/search-entry.ts', 'src/store/disk/snapshot.ts'],
  // What is not a small file that is replaced as a whole, and has to be durable as those are.
  'src/outbox/journal.ts': ['src/data/durable.ts'],
  'src/backups/write-file.ts': ['src/data/durable.ts'],
  'src/backups/restore-here.ts': ['src/data/durable.ts'],
  // The list of statuses: front matter is read with it and a document is typed by it.
  'src/transfer/markdown.ts': ['src/content/document.ts'],
  // Why a request did not come to an answer.
  'src/webhooks/deliver.ts': ['src/outbound/request.ts'],
  'src/webhooks/input.ts': ['src/lib/query.ts'],
  // The order of a document's keys.
  'src/transfer/write-folder.ts': ['src/content/document.ts'],
  // A site's check reads what commits, documents and media files say, in a thread of its own.
  'src/git/verify/read-facts.ts': ['src/store/', 'src/content/stored.ts', 'src/media/stored.ts'],
  'src/git/verify/check-thread.ts': ['src/store/verify.ts'],
  'src/git/verify/check-worker.ts': ['src/store/'],
  'src/git/verify/compare-site.ts': ['src/content/', 'src/media/stored.ts'],
  // The list of field types, for the API's description.
  'src/forms/form-schema.ts': ['src/config/form-config.ts'],
  // Says in one sentence who holds the data folder.
  'src/cli/failure.ts': ['src/store/log/writer-lock.ts'],
  'src/cli/run.ts': ['src/version.ts'],
};

function isIn(file: string | undefined, place: string): boolean {
  return place.endsWith('/') ? file?.startsWith(place) === true : file === place;
}

const CLI_MAY_USE = ['lib', 'access', 'config', 'transfer'];

function folderOf(file: string): string {
  const [top, folder, rest] = file.split('/');
  return top === 'src' && rest !== undefined ? (folder ?? '') : '';
}

function isAllowedImport(from: string, { file = '', isType }: Import): boolean {
  if (!file.startsWith('src/')) return from === 'src/version.ts' && file === 'package.json';
  if (WIRING.has(from) || ALLOWED[from]?.some((place) => isIn(file, place))) return true;
  const [own, other] = [folderOf(from), folderOf(file)];
  if (own === '' || other === '') return false;
  if (own === other) return true;
  if (own === 'lib') return false;
  if (other === 'lib') return true;
  if (own === 'store' || own === 'data') return false;
  if (own === 'http') return isType && file === 'src/access/principal.ts';
  if (other === 'cli') return false;
  if (own === 'cli') return CLI_MAY_USE.includes(other) || (isType && other !== 'http' && other !== 'store');
  if (other === 'data') return isType || own === 'access' || OPENER.test(from);
  if (other === 'http') return FACE.test(from);
  if (other === 'store') return isType && DOOR.test(from);
  return isType;
}

const importsAsAgreed: Rule = ({ path: from, imports }) =>
  imports
    .filter((found) => found.file !== undefined && !isAllowedImport(from, found))
    .map(({ file, isType }) => `imports ${isType ? 'types of ' : ''}${file}`);

test('every import in src is one that the folders agreed on', () => {
  trust(importsAsAgreed, {
    bad: [
      ['src/lib/a.ts', "import { b } from '../store/b.ts';"],
      ['src/lib/a.ts', "import type { B } from '../access/principal.ts';"],
      ['src/data/a.ts', "import { b } from '../store/disk.ts';"],
      ['src/forms/decide.ts', "import { openDataFolder } from '../data/data-folder.ts';"],
      ['src/store/a.ts', "import type { B } from '../content/document.ts';"],
      ['src/http/a.ts', "import { ANONYMOUS } from '../access/principal.ts';"],
      ['src/http/a.ts', "import type { User } from '../access/user.ts';"],
      ['src/content/decide.ts', "import { createLog } from '../store/log.ts';"],
      ['src/content/rows/view.ts', "import type { Draft } from '../../store/log/log.ts';"],
      ['src/content/service.ts', "import { compileSite } from '../schema/compile.ts';"],
      ['src/content/service.ts', "import { type Draft, createLog } from '../store/log.ts';"],
      ['src/content/service.ts', "import { route } from '../http/route.ts';"],
      ['src/search/routes.ts', "import {\n  createTokens,\n} from '../access/tokens.ts';"],
      ['src/search/routes.ts', "const late = await import('../store/log.ts');"],
      ['src/search/routes.ts', "export * from '../content/api.ts';"],
      ['src/search/routes.ts', "import '../app.ts';"],
      ['src/cli/commands/user.ts', "import { createApp } from '../../app.ts';"],
      ['src/content/routes.ts', "import { makeWorld } from '../../test/support/world.ts';"],
    ],
    good: [
      ['src/content/service.ts', "import type { Draft } from '../store/log.ts';"],
      ['src/content/routes.ts', "import { route } from '../http/route.ts';"],
      ['src/http/a.ts', "import type { Principal } from '../access/principal.ts';"],
      ['src/search/service.ts', "import { type Viewer } from '../content/api.ts';"],
      ['src/app.ts', "import { createHot } from './content/hot.ts';"],
      ['src/forms/service.ts', "import { isDataName } from '../data/data-folder.ts';"],
      ['src/forms/view.ts', "import type { DataFolder } from '../data/data-folder.ts';"],
    ],
  });
  check(importsAsAgreed, readSources(['src/**/*.{ts,js}']));
});

test('every import that is allowed beyond the rules is made', () => {
  const sources = new Map(readSources(['src/**/*.ts']).map((source) => [source.path, source]));
  const unused = Object.entries(ALLOWED).flatMap(([from, places]) =>
    places.filter((place) => !sources.get(from)?.imports.some(({ file }) => isIn(file, place))),
  );
  assert.equal(unused, []);
});

test('every import leads to a file that is there', () => {
  const files = new Set(listFiles([...CODE, 'package.json']));
  const leadsNowhere: Rule = ({ imports }) =>
    imports.flatMap(({ file }) => (file === undefined || files.has(file) ? [] : [`${file} is not there`]));
  trust(leadsNowhere, { bad: [['src/a.ts', "import { b } from './nowhere.ts';"]] });
  check(leadsNowhere, readSources(CODE));
});

// Decisions are pure.

const PURE = /^src\/(lib\/|([a-z-]+\/)+(decide|view|input|provenance|order)\.ts$)/;
const IO = /^node:(fs|fs\/promises|net|http|https|child_process|worker_threads|sqlite|dns|tls|os)$/;

const pureFilesDoNoIo: Rule = ({ path: from, imports }) =>
  PURE.test(from) ? imports.filter(({ specifier }) => IO.test(specifier)).map((found) => found.specifier) : [];

test('lib, decisions, views and inputs reach no disk, socket or process', () => {
  trust(pureFilesDoNoIo, {
    bad: [
      ['src/lib/a.ts', "import fs from 'node:fs';"],
      ['src/forms/decide.ts', "import { request } from 'node:http';"],
    ],
    good: [['src/content/from-git/load.ts', "import fs from 'node:fs';"]],
  });
  check(pureFilesDoNoIo, readSources(['src/**/*.ts']));
});

// Packages.

/** The one place of each package in src; a package is exchanged where it lives and nowhere else. */
const HOMES: Record<string, RegExp> = {
  '@koa/cors': /^src\/http\//,
  '@koa/router': /^src\/http\//,
  'koa-body': /^src\/media\/routes-upload\.ts$/,
  koa: /^src\/http\//,
  'koa-compress': /^src\/http\//,
  'koa-helmet': /^src\/http\//,
  'prom-client': /^src\/(http\/|app\.ts$)/,
  pino: /^src\/(http\/|app\.ts$|sites\/open-operations\.ts$|process-log\.ts$|cli\/wiring\.ts$)/,
  'ipaddr.js': /^src\/outbound\//,
  jsonwebtoken: /^src\/access\//,
  'openid-client': /^src\/access\/oidc\/provider\.ts$/,
  otpauth: /^src\/access\/codes\/totp\.ts$/,
  'isomorphic-git': /^src\/store\//,
  lunr: /^src\/search\//,
  'file-type': /^src\/media\//,
  htmlparser2: /^src\/(links|media)\//,
  marked: /^src\/links\//,
  sharp: /^src\/media\//,
  '@sindresorhus/slugify': /^src\/lib\//,
  commander: /^src\/cli\//,
  'ical-generator': /^src\/schedule\/ics\.ts$/,
  'node-cron': /^src\/schedule\/in-process\.ts$/,
  'timezones-ical-library': /^src\/schedule\/ics\.ts$/,
  'cron-parser': /^src\/lib\/time\/cron\.ts$/,
  'tar-stream': /^src\/backups\//,
  aws4fetch: /^src\/backups\//,
  yaml: /^src\/transfer\//,
  'smol-toml': /^src\/transfer\//,
  nanoid:
    /^src\/(access\/access\.ts|http\/request\.ts|store\/(log\/log|repository\/(quarantine|frozen))\.ts|content\/document-id\.ts)$/,
  'csv-stringify': /^src\/forms\//,
  nodemailer: /^src\/outbound\//,
  // What comes from outside is parsed where it comes in.
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

/** The data folder's lock belongs to SQLite and to nobody else; the second reader shares no code with the store; /proc is no disk. */
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

test('the store reaches files through its disk module, where the crash tests stand', () => {
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
  // The package `node` brings the runtime; package.json says so under engines.
  for (const name of Object.keys(dependencies)) {
    if (name !== 'node' && !inSrc.has(name)) problems.push(`${name} is a dependency that src does not import`);
  }
  for (const name of Object.keys(devDependencies)) {
    const typed = name.replace(/^@types\//, '').replace('__', '/');
    const isTyping = name !== typed && (typed === 'node' || anywhere.has(typed));
    const command = COMMANDS[name];
    const isRun = command !== undefined && new RegExp(`\\b${command}\\b`).test(lines);
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

test('package.json names what is imported, and nothing else', () => {
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
