// The guide (content/guide): every fenced block is run, loaded or parsed, by what stands after its language.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { listSections, makeReference, REFERENCE } from '../scripts/config-reference.ts';
import { loadConfig } from '../src/config/load.ts';
import { signatureHeaders } from '../src/webhooks/sign.ts';
import { makeCli } from './cli/world.ts';
import { ROOT, readSources } from './support/source.ts';
import { makeWorld } from './support/world.ts';

interface Block {
  page: string;
  info: string;
  text: string;
}

const pages = globSync('content/guide/*.md', { cwd: ROOT })
  .sort()
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
const blocks: Block[] = pages.flatMap(({ file, text }) =>
  [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', block = '']) => ({
    page: path.basename(file),
    info,
    text: block,
  })),
);
const of = (info: string): Block[] => blocks.filter((block) => block.info === info);
const RUN = ['sh', 'sh run', 'sh import', 'ts config', 'yaml rules', 'yaml scrape', 'yaml ci', 'nginx', 'caddy'];
/** Blocks that are files, which test/frontends.test.ts compiles and runs. */
const FILE = /^(ts|tsx|js|astro|liquid) \S+\.[a-z]+$/;
const WEBHOOK = ['js webhook', 'python webhook', 'php webhook'];

test('every page has a title and a place in the order, its links lead somewhere, and every block is checked', () => {
  const orders = pages.map(({ text }) => parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '').order);
  assert.is(new Set(orders).size, pages.length);
  for (const { file, text } of pages) {
    assert.match(text, /^---\ntitle: /, file);
    for (const [, link = ''] of text.matchAll(/\]\(([a-z-]+\.md)/g))
      assert.ok(
        pages.some((page) => page.file.endsWith(`/${link}`)),
        `${file}: ${link}`,
      );
  }
  for (const { page, info } of blocks)
    assert.ok([...RUN, ...WEBHOOK].includes(info) || FILE.test(info), `${page}: a block of "${info}"`);
});

test('the configuration reference is what the schemas say', () => {
  assert.ok(readFileSync(REFERENCE, 'utf8') === makeReference(), 'npm run config-reference writes it');
});

test('every key of the configuration is described in a sentence', () => {
  const keys = listSections().flatMap(({ name, keys }) => keys.map((key) => ({ ...key, path: `${name}.${key.key}` })));
  assert.ok(keys.length > 100);
  assert.equal(
    keys.filter(({ description }) => !/^[\p{Lu}`].+\.$/u.test(description)).map(({ path }) => path),
    [],
  );
  const inCells = keys.filter(({ description }) => /[|\n]/.test(description)).map(({ path }) => path);
  assert.equal(inCells, []);
});

test('every command of the guide exists, with each of its options', async () => {
  using cli = makeCli();
  const lines = blocks.filter(({ info }) => info.startsWith('sh')).flatMap(({ text }) => text.split('\n'));
  const commands = lines.flatMap(
    (line) => /^(?:(?:export )?[A-Z_]+=\$\()?(?:npx )?colophon (.*?)\)?$/.exec(line)?.[1] ?? [],
  );
  assert.ok(commands.length > 6);
  for (const command of commands) {
    const words = command.split(' ');
    const { out } = await cli.run(
      ...words.filter((word) => /^[a-z]+$/.test(word)).slice(0, words[0] === 'token' ? 2 : 1),
      '--help',
    );
    for (const [flag] of command.matchAll(/--[a-z-]+/g)) assert.ok(out.includes(flag), `${command}: ${flag}`);
  }
});

test('each step of a workflow uses an action, or runs a command that exists', async () => {
  using cli = makeCli();
  const workflows = of('yaml ci').map(({ text }) => parse(text));
  assert.ok(workflows.length > 0);
  for (const { jobs } of workflows) {
    for (const { steps } of Object.values<{ steps: { uses?: string; run?: string }[] }>(jobs)) {
      for (const { uses, run = '' } of steps) {
        const [, command] = /^npx colophon ([a-z]+)/.exec(run) ?? [];
        if (command) assert.is((await cli.run(command, '--help')).code, 0, run);
        else assert.ok(uses?.startsWith('actions/') || run === 'npm ci', JSON.stringify({ uses, run }));
      }
    }
  }
});

test('configurations load', async () => {
  for (const { text } of of('ts config')) {
    const folder = mkdtempSync(path.join(tmpdir(), 'colophon-guide-'));
    try {
      writeFileSync(path.join(folder, 'cms.config.ts'), text);
      assert.ok((await loadConfig(path.join(folder, 'cms.config.ts'))).collections.length > 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
});

test('what is typed in the guide, in its order and with nothing else set, does what it says', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-guide-'));
  const config = await configOf(folder);
  try {
    await using world = await makeWorld({ now: 'real', config, admin: false });
    const env: Record<string, string> = {
      PATH: `${makeNpx(folder)}:${process.env.PATH}`,
      HOME: folder,
      CMS_DATA_DIR: world.dataDir,
      CMS_CONFIG_PATH: path.join(folder, 'cms.config.ts'),
    };
    const order = [
      'first-site.md',
      'content-model.md',
      'relations.md',
      'media.md',
      'git.md',
      'frontends.md',
      'production.md',
    ];
    const run = of('sh run');
    assert.equal([...new Set(run.map(({ page }) => page))].sort(), [...order].sort());
    // A page is typed into one terminal; what the first one sets is set for all.
    const keep = 'printf "%s %s" "$URL" "$TOKEN" > kept';
    for (const name of order) {
      const typed = run.filter(({ page }) => page === name).map(({ text }) => text);
      const first = name === order[0];
      const text = typed.join('\n').replace('http://127.0.0.1:3010', world.url);
      await shell(folder, first ? `${text}\n${keep}` : text, env, name);
      if (first) [env.URL = '', env.TOKEN = ''] = readFileSync(path.join(folder, 'kept'), 'utf8').split(' ');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A folder with an `npx` that runs this checkout's `colophon`, and nothing else. */
function makeNpx(folder: string): string {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const main = path.join(ROOT, 'src/cli/main.ts');
  writeFileSync(
    path.join(bin, 'npx'),
    `#!/bin/sh\n[ "$1" = colophon ] && shift && exec "${process.execPath}" "${main}" "$@"\n`,
  );
  chmodSync(path.join(bin, 'npx'), 0o755);
  return bin;
}

async function configOf(folder: string) {
  writeFileSync(path.join(folder, 'cms.config.ts'), of('ts config')[0]!.text);
  return (await import(pathToFileURL(path.join(folder, 'cms.config.ts')).href)).default;
}

function shell(cwd: string, text: string, env: Record<string, string>, page: string): Promise<void> {
  return new Promise((done, fail) =>
    execFile('bash', ['-euxo', 'pipefail', '-c', text], { cwd, env, timeout: 60_000 }, (error, out, err) =>
      error ? fail(new Error(`${page}:\n${text}\n${out}${err}`)) : done(),
    ),
  );
}

test('imports of the guide import', async () => {
  using cli = makeCli();
  cli.write('decap/content/blog/a.md', '---\ntitle: A\ncontent: Text\n---\n');
  cli.write('strapi/b.json', '{"id":1,"attributes":{"title":"B","text":"Text"}}');
  cli.write(
    'wordpress.xml',
    '<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><item><title>C</title><wp:post_id>1</wp:post_id>' +
      '<wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item></channel></rss>',
  );
  const lines = of('sh import').flatMap(({ text }) => text.trim().split('\n'));
  for (const line of lines) {
    const [, ...argv] = line.split(' ');
    argv[1] = cli.path(argv[1]!);
    const { code, out, err } = await cli.run(...argv);
    assert.is(code, 0, `${line}\n${err}`);
    assert.match(out, /1 created/);
  }
});

/** What each language's block needs around it; the arguments are secret, signature and body. */
const PROGRAMS = {
  'js webhook': [
    'node',
    '--input-type=module',
    '-e',
    'if (!isFromColophon(...process.argv.slice(1))) process.exit(1);',
  ],
  'python webhook': [
    'python3',
    '-c',
    'import sys\nif not is_from_colophon(sys.argv[1], sys.argv[2], sys.argv[3].encode()): sys.exit(1)',
  ],
  'php webhook': ['php', '-r', 'exit(is_from_colophon($argv[1], $argv[2], $argv[3]) ? 0 : 1);'],
} as const;

test('the check of a signature accepts ours and no other, in every language that this machine has', () => {
  const secret = 'a secret of the webhook';
  const body = '{"event":"document.updated","title":"Größe"}';
  const at = new Date('2026-01-01T00:00:00Z');
  const signature = signatureHeaders({ id: '1', event: 'x', secret, body: Buffer.from(body), at })['x-cms-signature']!;
  let checked = 0;
  for (const [info, [program, ...args]] of Object.entries(PROGRAMS)) {
    const [block] = of(info);
    assert.ok(block, info);
    if (spawnSync(program, ['--version']).status !== 0) continue;
    const code = `${block.text}\n${args.at(-1)}`;
    const accepts = (...given: string[]) =>
      spawnSync(
        program,
        [...args.slice(0, -1), code, '--', ...given].filter((arg) => arg !== '--' || program !== 'python3'),
      ).status === 0;
    assert.ok(accepts(secret, signature, body), `${info} accepts`);
    assert.not(accepts(secret, signature, `${body} `), `${info} refuses another body`);
    assert.not(accepts('another', signature, body), `${info} refuses another secret`);
    assert.not(accepts(secret, 'sha256=00', body), `${info} refuses a short signature`);
    checked++;
  }
  assert.ok(checked > 0);
});

test('alerts name metrics that the service has', () => {
  const sources = readSources(['src/http/metrics/*.ts'])
    .map(({ text }) => text)
    .join('\n');
  const [scrape] = of('yaml scrape');
  const { scrape_configs: jobs } = parse(scrape?.text ?? '');
  assert.equal([jobs[0].job_name, jobs[0].static_configs], ['colophon', [{ targets: ['127.0.0.1:3010'] }]]);
  for (const { text } of of('yaml rules')) {
    const { groups } = parse(text);
    for (const [, job] of text.matchAll(/job="(.*?)"/g)) assert.is(job, jobs[0].job_name);
    for (const { alert, expr } of groups[0].rules)
      for (const [metric] of expr.matchAll(/colophon_[a-z_]+/g))
        assert.ok(sources.includes(`'${metric}'`), `${alert}: ${metric}`);
  }
});

test.run();
