// A first user's afternoon: `npm run first-site`. Packs Colophon, makes a site from the package in an empty folder, and
// has a browser read it in pages that Astro renders from the API, with a preview of a draft. Installs from the npm
// registry, so it runs at night. `--pictures <folder>` keeps what the browser showed.
import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser } from '../test/support/browser.ts';
import { createClient } from '../test/support/client.ts';
import { eventually } from '../test/support/process.ts';

const { values } = parseArgs({ options: { pictures: { type: 'string' } } });
const ROOT = path.join(import.meta.dirname, '..');
const START_MS = 120_000;

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-first-site-'));
/** Ended in the end, the newest first. */
const running: (() => Promise<void>)[] = [];
try {
  await showFirstSite();
} finally {
  for (const end of running.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
}

async function showFirstSite(): Promise<void> {
  step('packs');
  await run(ROOT, 'npm', 'pack', '--silent', '--pack-destination', folder);
  const [archive = ''] = globSync('*.tgz', { cwd: folder });
  const tool = path.join(folder, 'tool');
  mkdirSync(tool);
  await run(tool, 'npm', 'install', '--silent', path.join('..', archive));
  step('npx colophon init, npm install, npm start');
  await run(tool, 'npx', 'colophon', 'init', '../my-site');
  const site = path.join(folder, 'my-site');
  await run(site, 'npm', 'install', '--silent');

  const port = await freePort();
  const frontend = `http://127.0.0.1:${port}`;
  const url = await start(site, ['npm', 'start'], { PORT: '0' }, /listening on (http:\/\/[^"\s]+)/);
  step(`the service answers at ${url}`);
  const anonymous = createClient(url);
  const you = { email: 'you@example.org', name: 'You', password: 'a long enough password' };
  const { cookie } = await anonymous.post('/api/auth/setup', you);
  const client = createClient(url, cookie);
  const settings = { previewSiteUrl: `${frontend}/posts/{slug}?preview={token}` };
  must(await client.post('/api/admin/site-config', settings));
  const draft = { slug: 'not-yet', data: { title: 'Not yet', body: 'A **draft** that only you see.' } };
  must(await client.post('/api/content/posts', draft));
  const token = must(
    await client.post('/api/admin/access-tokens', { name: 'frontend', permissions: ['content:read'] }),
  );

  step('installs and builds the Astro site');
  const astro = path.join(folder, 'astro');
  cpSync(path.join(import.meta.dirname, 'first-site', 'astro'), astro, { recursive: true });
  writeFileSync(
    path.join(astro, 'package.json'),
    JSON.stringify({ name: 'first-site', type: 'module', private: true }),
  );
  // The page and its client are those of the guide.
  const guide = readFileSync(path.join(ROOT, 'content/guide/frontends.md'), 'utf8');
  for (const [file, target] of [
    ['cms.ts', 'src/cms.ts'],
    ['src/pages/posts/[slug].astro', 'src/pages/posts/[slug].astro'],
  ] as const) {
    const text = guide.split(`\`\`\`${path.extname(file).slice(1)} ${file}\n`)[1]?.split('\n```\n')[0];
    if (text === undefined) throw new Error(`the guide shows no ${file}`);
    mkdirSync(path.dirname(path.join(astro, target)), { recursive: true });
    writeFileSync(path.join(astro, target), `${text}\n`);
  }
  await run(site, 'npx', 'colophon', 'types', '--out', path.join(astro, 'src/colophon.d.ts'));
  await run(astro, 'npm', 'install', '--silent', 'astro', '@astrojs/node', 'marked');
  await run(astro, 'npx', 'astro', 'build');
  const env = { HOST: '127.0.0.1', PORT: String(port), CMS_URL: url, CMS_TOKEN: token.token };
  await start(astro, [process.execPath, 'dist/server/entry.mjs'], env, /(http:\/\/[^\s]+)/);

  step('opens it in a browser');
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  await page.goto(`${frontend}/`);
  const titles = await page.locator('li a').allTextContents();
  if (titles.join() !== 'Hello, world') throw new Error(`the list shows ${JSON.stringify(titles)}`);
  await picture('list');
  await page.getByRole('link', { name: 'Hello, world' }).click();
  await page.getByText('This post is a file in a git repository').waitFor();
  await picture('post');
  const hidden = await page.goto(`${frontend}/posts/not-yet`);
  if (hidden?.status() !== 404) throw new Error(`the draft answers ${hidden?.status()}`);

  const preview = must(await client.post('/api/cms/posts/not-yet/preview', {}));
  await page.goto(preview.url);
  await page.getByRole('status').getByText('Preview of a draft').waitFor();
  await page.locator('strong', { hasText: 'draft' }).waitFor();
  await picture('preview');
  const unsaved = { data: { title: 'Not yet', body: 'Words that are *not saved*.' } };
  must(await client.send('PUT', `/api/preview/${preview.token}`, unsaved));
  await page.reload();
  await page.locator('em', { hasText: 'not saved' }).waitFor();
  await picture('unsaved');
  must(await client.patch('/api/cms/posts/not-yet', { status: 'published' }));
  await page.goto(`${frontend}/`);
  await page.getByRole('link', { name: 'Not yet' }).waitFor();
  // The first page of a draft is a 404 on purpose.
  const unexpected = complaints.filter((text) => !/404/.test(text));
  if (unexpected.length) throw new Error(unexpected.join('\n'));
  step(
    'a list, a post, a draft that is not there, its preview, words that are not saved, and its publication: all seen',
  );

  async function picture(name: string): Promise<void> {
    if (values.pictures) await page.screenshot({ path: path.join(values.pictures, `${name}.png`) });
  }
}

function step(text: string): void {
  console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}`);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into
function must({ status, text, json }: { status: number; text: string; json: any }): any {
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`);
  return json;
}

/** Runs a program to its end; rejects with its output if it fails. */
function run(cwd: string, program: string, ...args: string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('error', fail);
    child.on('close', (code) => (code === 0 ? done() : fail(new Error(`${program} ${args.join(' ')}: ${output}`))));
  });
}

/** Starts a program, and resolves with the first group of `ready` in its output. */
async function start(
  cwd: string,
  [program = '', ...args]: string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...environment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  running.push(() => {
    child.kill('SIGTERM');
    return ended;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return eventually(() => {
    const found = ready.exec(output)?.[1];
    if (!found) throw new Error(`${program} ${args.join(' ')} is not ready: ${output}`);
    return found;
  }, START_MS);
}

/** Nothing of an npm script that runs this, such as its configuration and its Node. */
function environment(): Record<string, string> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_registry)|NODE_(?!EXTRA)|COLOPHON_|CMS_)/i.test(name),
  );
  return Object.fromEntries(own) as Record<string, string>;
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });
}
