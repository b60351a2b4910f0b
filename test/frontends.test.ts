// What the guide and the README show for fetch, Next.js, Astro and Eleventy: every file of theirs is compiled or loaded,
// and asks a service. Next.js itself is a stub here; `npm run first-site` has Astro render its page in a browser.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../src/config/parse.ts';
import { printTypes } from '../src/config/print-types.ts';
import type { SiteConfigInput } from '../src/config/site-config.ts';
import { ROOT } from './support/source.ts';
import { makeWorld, type World } from './support/world.ts';

const run = promisify(execFile);

const CONFIG: SiteConfigInput = {
  defaultLocale: 'en',
  locales: ['en', 'de'],
  collections: [
    { name: 'people', fields: [{ name: 'name', type: 'text', required: true }] },
    {
      name: 'posts',
      kind: 'page',
      urlPrefix: '/posts',
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'date', type: 'date' },
        { name: 'kind', type: 'select', options: ['essay', 'notes'] },
        { name: 'minutes', type: 'number' },
        { name: 'author', type: 'relation', collection: 'people' },
        { name: 'body', type: 'richtext' },
      ],
    },
  ],
};

/** Enough of Next.js and of React to render an element into a text. */
const STUBS: Record<string, string> = {
  'next/navigation.js': `export function notFound() { throw new Error('NEXT_NOT_FOUND'); }`,
  'next/navigation.d.ts': 'export declare function notFound(): never;',
  'next/cache.js': 'export const paths = []; export const revalidatePath = (path) => void paths.push(path);',
  'next/cache.d.ts':
    'export declare const paths: string[]; export declare function revalidatePath(path: string): void;',
  'next/package.json': '{"type":"module","exports":{"./navigation":"./navigation.js","./cache":"./cache.js"}}',
  'react/jsx-runtime.js': `const text = (child) => Array.isArray(child) ? child.map(text).join('') : child === false ? '' : String(child ?? '');
export const jsx = (tag, { children }) => '<' + tag + '>' + text(children) + '</' + tag + '>';
export const jsxs = jsx;`,
  'react/jsx-runtime.d.ts': `export declare namespace JSX { type Element = string; interface IntrinsicElements { [tag: string]: Record<string, unknown> } }`,
  'react/package.json': '{"type":"module","exports":{"./jsx-runtime":"./jsx-runtime.js"}}',
};

const TSCONFIG = {
  compilerOptions: {
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      allowJs: true,
      checkJs: false,
    },
    ...{ target: 'esnext', module: 'nodenext', lib: ['esnext', 'dom'], types: ['node'], jsx: 'react-jsx' },
    ...{ rewriteRelativeImportExtensions: true, rootDir: '.', outDir: 'out' },
  },
  include: ['.'],
};

interface Project extends Disposable {
  folder: string;
  write(file: string, text: string): void;
  /** Compiles everything, then gives modules by their path. */
  compile(): Promise<(file: string) => Promise<Record<string, unknown>>>;
}

/** The files that a page shows, with its Astro pages' scripts as modules. */
function makeProject(page: string): Project {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-frontends-'));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  for (const [, file = '', block = ''] of text.matchAll(/^```\w+ (\S+\.\w+)\n([\s\S]*?)^```$/gm)) {
    write(file, block);
    if (file.endsWith('.astro')) write(`${file}.ts`, toModule(block));
  }
  for (const [file, stub] of Object.entries(STUBS)) write(`node_modules/${file}`, stub);
  for (const name of ['@types', 'marked'])
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
  write('package.json', '{"type":"module"}');
  write('tsconfig.json', JSON.stringify(TSCONFIG));
  return {
    folder,
    write,
    async compile() {
      const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
      await run(process.execPath, [tsc, '-p', folder]).catch((error) => {
        throw new Error(`${page}: ${error.stdout}${error.stderr}`);
      });
      return (file) => import(pathToFileURL(path.join(folder, 'out', file)).href);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The script of an Astro page as a function of `Astro`; what the page would be made of is its result. */
function toModule(page: string): string {
  const script = /^---\n([\s\S]*?)\n---\n/.exec(page)?.[1] ?? '';
  const imports = [...script.matchAll(/^import .*$/gm)].map(([line]) => line);
  const rest = script.replace(/^import .*\n/gm, '');
  const names = [...rest.matchAll(/^const (\w+|\{.*?\}) =/gm)].flatMap(([, name = '']) => name.match(/\w+/g) ?? []);
  return `${imports.join('\n').replace("import { marked } from 'marked';", '')}
export async function page(Astro: { url: URL; params: Record<string, string | undefined> }) {
  Astro;
${rest}
return { ${names.join(', ')} };
}
`;
}

async function makeContent(world: World): Promise<Record<string, string>> {
  const { admin } = world;
  const publish = async (collection: string, slug: string, data: object) =>
    assert.is((await admin.post(`/api/cms/${collection}`, { slug, data, status: 'published' })).status, 200);
  await publish('people', 'ines', { name: 'Ines' });
  await publish('posts', 'ink', {
    title: 'Ink',
    kind: 'essay',
    date: '2026-02-01',
    minutes: 5,
    author: 'ines',
    body: 'Black **ink**.',
  });
  await publish('posts', 'long', { title: 'Long', kind: 'essay', date: '2026-01-01', minutes: 50 });
  await publish('posts', 'note', { title: 'Note', kind: 'notes', minutes: 1 });
  await admin.post('/api/cms/posts', { slug: 'not-yet', data: { title: 'Not yet', kind: 'essay', minutes: 1 } });
  const { headers } = await world.token(['content:read']);
  return { CMS_URL: world.url, CMS_TOKEN: String(headers.authorization).slice(7), REVALIDATE_SECRET: 'a secret' };
}

async function withVariables(variables: Record<string, string>, work: () => Promise<void>): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

async function runEleventy(folder: string): Promise<void> {
  const eleventy = path.join(ROOT, 'node_modules/@11ty/eleventy/cmd.cjs');
  const pages = path.join(folder, 'pages');
  await run(process.execPath, [eleventy, '--quiet', '--input', 'pages', '--output', 'site'], { cwd: folder }).catch(
    (error) => {
      throw new Error(`${pages}: ${error.stdout}${error.stderr}`);
    },
  );
}

// biome-ignore lint/suspicious/noExplicitAny: the modules are what a page of the guide shows
type Shown = any;

test('the frontends of the guide list, find, preview, revalidate and build what the service has', async () => {
  await using world = await makeWorld({ config: CONFIG, now: 'real' });
  const variables = await makeContent(world);
  using project = makeProject('content/guide/frontends.md');
  const types = printTypes(parseConfig(CONFIG));
  for (const folder of ['', 'src/']) project.write(`${folder}colophon.d.ts`, types);
  project.write('src/cms.ts', readFileSync(path.join(project.folder, 'cms.ts'), 'utf8'));
  await withVariables(variables, async () => {
    const load = await project.compile();
    const { stdout } = await run(process.execPath, [path.join(project.folder, 'out/essays.js')]);
    assert.is(stdout, 'ink Ink Ines\n1 in all\n');

    const preview = (await world.admin.post('/api/cms/posts/not-yet/preview', {})).json.token;
    const next: Shown = await load('app/posts/[slug]/page.js');
    const show = (slug: string, query = {}) =>
      next.default({ params: Promise.resolve({ slug }), searchParams: Promise.resolve(query) });
    assert.equal((await next.generateStaticParams()).map(({ slug }: Shown) => slug).sort(), ['ink', 'long', 'note']);
    assert.is(await show('ink'), '<article><h1>Ink</h1></article>');
    for (const slug of ['not-yet', 'none', '..'])
      assert.match(await show(slug).catch((error: unknown) => String(error)), 'NEXT_NOT_FOUND');
    assert.is(await show('not-yet', { preview }), '<article><h1>Not yet</h1><p>Preview of a draft</p></article>');

    const astro: Shown = await load('src/pages/posts/[slug].astro.js');
    const open = (slug: string, query = '') =>
      astro.page({ url: new URL(`http://127.0.0.1/posts/${slug}${query}`), params: { slug } });
    assert.is((await open('ink')).post.data.body, 'Black **ink**.');
    assert.is((await open('not-yet')).status, 404);
    assert.is((await open('not-yet', `?preview=${preview}`)).post.data.title, 'Not yet');
    assert.is((await open('not-yet', '?preview=wrong')).status, 404);

    const { paths }: Shown = await import(pathToFileURL(path.join(project.folder, 'node_modules/next/cache.js')).href);
    const route: Shown = await load('app/api/revalidate/route.js');
    const body = JSON.stringify({
      collection: 'posts',
      slug: 'ink',
      action: 'updated',
      paths: ['/posts/ink', '/posts'],
    });
    const signature = `sha256=${createHmac('sha256', 'a secret').update(body).digest('hex')}`;
    const send = (headers: Record<string, string>) =>
      route.POST(new Request('http://127.0.0.1/api/revalidate', { method: 'POST', body, headers }));
    assert.is((await send({})).status, 401);
    assert.is((await send({ 'x-cms-signature': signature })).status, 204);
    assert.equal(paths, ['/posts/ink', '/posts']);

    for (const file of ['_data/posts.js', 'post.md'])
      project.write(`pages/${file}`, readFileSync(path.join(project.folder, file), 'utf8'));
    await runEleventy(project.folder);
    const page = readFileSync(path.join(project.folder, 'site/posts/ink/index.html'), 'utf8');
    for (const text of ['<h1>Ink</h1>', 'By Ines', '<strong>ink</strong>']) assert.ok(page.includes(text), page);
  });
});

test('the frontends of the README do what they say', async () => {
  await using world = await makeWorld({ config: CONFIG, now: 'real' });
  const variables = await makeContent(world);
  using project = makeProject('README.md');
  await withVariables(variables, async () => {
    const load = await project.compile();
    const next: Shown = await load('app/posts/page.js');
    assert.is((await next.default()).join(''), '<li>Ink by Ines</li><li>Long by </li>');
    const astro: Shown = await load('pages/posts.astro.js');
    assert.is((await astro.page()).included['people/ines'].data.name, 'Ines');
    project.write('pages/_data/posts.js', readFileSync(path.join(project.folder, '_data/posts.js'), 'utf8'));
    project.write('pages/cms.js', readFileSync(path.join(project.folder, 'cms.js'), 'utf8'));
    const loop = /\{% for [^;]*endfor %\}/.exec(readFileSync(path.join(ROOT, 'README.md'), 'utf8'))?.[0] ?? '';
    project.write('pages/index.md', loop);
    await runEleventy(project.folder);
    assert.match(readFileSync(path.join(project.folder, 'site/index.html'), 'utf8'), 'InkLong');
  });
});

test.run();
