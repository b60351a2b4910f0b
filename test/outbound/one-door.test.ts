// Nothing in the service opens a connection but `src/outbound/`. The compiler's parser says which names are the global
// ones: a `fetch` that is passed in is a local name.
import { type Loader, transformSync } from 'esbuild';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { check, type Rule, readSources, trust, withoutComments } from '../support/source.ts';

const DOOR = /^src\/outbound\//;

/** Runs in browsers, and is sent there as it is. */
const IN_BROWSERS = new Set(['src/access/links/pages.ts', 'src/build/search/client.js', 'src/forms/widget-script.js']);

/** Beside the door, each with its reason. An exception that is not used is an error too. */
const ALLOWED: Record<string, string> = {
  'src/git/program/program.ts': 'it asks its own launcher, over a socket that is a file',
  'src/cli/wiring.ts': 'a command asks the service whose address its user typed, with its user’s token',
};

/** What a server, or a pool of connections that the door opens, is made of. */
const HARMLESS: Record<string, readonly string[]> = {
  'node:http': ['Agent', 'createServer', 'STATUS_CODES', 'IncomingMessage', 'ServerResponse', 'Server'].concat(
    'validateHeaderName',
    'validateHeaderValue',
  ),
  'node:https': ['Agent'],
  'node:net': ['createServer', 'isIP', 'isIPv4', 'isIPv6', 'Server'],
  'node:dns': [],
  'node:dns/promises': [],
  'node:tls': [],
  'node:http2': [],
  'node:dgram': [],
  undici: [],
};

/** Packages that open connections by themselves, each with the place that gives it the door. */
const GIVEN: Record<string, [file: string, how: RegExp]> = {
  'openid-client': ['src/access/oidc/provider.ts', /\[customFetch\]: fetch/],
  octokit: ['src/deploy/status/github-status.ts', /request: \{ fetch: boundedFetch\(parts\.fetch/],
  '@ai-sdk/anthropic': ['src/ai/provider.ts', /createAnthropic\(\{[^}]*\bfetch \}\)/],
  '@ai-sdk/openai': ['src/ai/provider.ts', /createOpenAI\(\{[^}]*\bfetch \}\)/],
  '@ai-sdk/openai-compatible': ['src/ai/provider.ts', /createOpenAICompatible\(\{[^}]*\bfetch,/],
  'isomorphic-git': ['src/store/remote/end.ts', /http: whole/],
  // It signs and sends nothing here.
  aws4fetch: ['src/backups/target.ts', /new AwsV4Signer\(/],
  // It is in the door's own folder: its server is in the environment.
  nodemailer: ['src/outbound/mailer.ts', /import\('nodemailer'\)/],
  // The command `mcp test` is a client of the service.
  '@modelcontextprotocol/sdk': ['src/mcp/try-endpoint.ts', /StreamableHTTPClientTransport/],
};

const STATEMENT = /^import (?:type )?([^;]*?) from '([^']+)'/gm;
const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
const MARK = '__global_';

function importProblems(text: string): string[] {
  return [...text.matchAll(STATEMENT)].flatMap(([line, names = '', specifier = '']) => {
    const harmless = HARMLESS[specifier];
    if (!harmless || line.startsWith('import type ')) return [];
    if (!names.startsWith('{')) return [`imports all of ${specifier}`];
    const values = names
      .replace(/[{}\n]/g, ' ')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(' as ')[0]!);
    return values.filter((name) => !harmless.includes(name)).map((name) => `imports ${name} of ${specifier}`);
  });
}

function globalProblems(file: string, text: string): string[] {
  if (!GLOBALS.some((name) => text.includes(name))) return [];
  const loader = (file.endsWith('.js') ? 'js' : 'ts') satisfies Loader;
  const define = Object.fromEntries(
    GLOBALS.flatMap((name) => [
      [name, MARK + name],
      [`globalThis.${name}`, MARK + name],
    ]),
  );
  const { code } = transformSync(text, { loader, define, target: 'esnext' });
  return GLOBALS.filter((name) => code.includes(MARK + name)).map((name) => `uses the global ${name}`);
}

const goesThroughTheDoor: Rule = ({ path: file, text }) => {
  if (!file.startsWith('src/') || file.startsWith('src/admin/') || DOOR.test(file) || IN_BROWSERS.has(file)) return [];
  const problems = [...importProblems(text), ...globalProblems(file, text)];
  if (/\bimport\('(node:(https?|net|tls|http2|dgram)|undici)'\)/.test(withoutComments(text))) {
    problems.push('loads what opens connections');
  }
  return problems;
};

const allowed: Rule = (source) => (ALLOWED[source.path] ? [] : goesThroughTheDoor(source));

test('every request of the service goes through src/outbound', () => {
  trust(allowed, {
    bad: [
      ['src/forms/a.ts', "await fetch('https://example.com');"],
      ['src/forms/a.ts', 'export const parts = { fetch };'],
      ['src/forms/a.ts', 'const f = ({ fetch }: Parts) => fetch(x);\nawait fetch(y);'],
      ['src/forms/a.ts', 'await globalThis.fetch(x);'],
      ['src/forms/a.ts', "new WebSocket('wss://example.com');"],
      ['src/forms/a.ts', "import http from 'node:http';"],
      ['src/forms/a.ts', "import { Agent, request as ask } from 'node:http';"],
      ['src/forms/a.ts', "import {\n  get,\n} from 'node:https';"],
      ['src/forms/a.ts', "import { connect } from 'node:net';"],
      ['src/forms/a.ts', "import { connect } from 'node:tls';"],
      ['src/forms/a.ts', "import { createSocket } from 'node:dgram';"],
      ['src/forms/a.ts', "import { lookup } from 'node:dns';"],
      ['src/forms/a.ts', "import { fetch } from 'undici';"],
      ['src/forms/a.ts', "const http = await import('node:http');"],
    ],
    good: [
      ['src/forms/a.ts', 'const f = ({ fetch }: { fetch: typeof globalThis.fetch }) => fetch(x);'],
      ['src/forms/a.ts', 'interface Parts { fetch: typeof fetch }\nconst f = ({ fetch }: Parts) => ({ fetch });'],
      ['src/forms/a.ts', 'const response = await handler.fetch(request); // fetch'],
      ['src/http/a.ts', "import { createServer, type Server } from 'node:http';\nimport { isIP } from 'node:net';"],
      ['src/forms/a.ts', "import type http from 'node:http';"],
    ],
  });
  check(allowed, readSources(['src/**/*.{ts,js}']));
});

test('every exception is used', () => {
  const idle = readSources(Object.keys(ALLOWED)).filter((source) => goesThroughTheDoor(source).length === 0);
  assert.equal(idle, []);
  const inBrowsers = readSources([...IN_BROWSERS]).filter(({ text }) => !/\b(fetch|sendBeacon)\b/.test(text));
  assert.equal(inBrowsers, []);
});

test('every package that opens connections by itself is given the door', () => {
  const sources = readSources(['src/**/*.ts']);
  for (const [name, [file, how]] of Object.entries(GIVEN)) {
    const source = sources.find(({ path }) => path === file)!;
    assert.match(source.text, how, name);
    const others = sources.filter(
      ({ path, imports }) =>
        path !== file && !path.startsWith('src/store/') && imports.some((one) => one.package === name && !one.isType),
    );
    assert.equal(
      others.map(({ path }) => path),
      [],
      name,
    );
  }
});

test.run();
