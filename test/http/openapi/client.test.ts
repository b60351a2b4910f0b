// Clients that are made from the API description: the linter finds nothing in it, and a strict TypeScript client
// compiles against it and works with a service.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { printTypes } from '../../support/print-types.ts';
import { CONFIG, makeWorld } from '../../support/world.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const CLIENT = `import createClient from 'openapi-fetch';
import type { components, paths } from "./api.ts";

type Post = components['schemas']['PostsDocument'];

export async function work(baseUrl: string, token: string) {
  const api = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  const made = await api.POST('/api/cms/posts', { body: { slug: 'a', data: { title: 'Tides', mood: 'glad' } } });
  // @ts-expect-error: not an option
  const wrong = () => api.POST('/api/cms/posts', { body: { data: { title: 'x', mood: 'mad' } } });
  // @ts-expect-error: no such path
  const lost = () => api.GET('/api/cms/none');
  const path = { slug: 'a' };
  const changed = await api.PATCH('/api/cms/posts/{slug}', { params: { path }, body: { data: { rank: 2 } } });
  const list = await api.GET('/api/cms/posts', { params: { query: { limit: 5, filter: { rank: '2' } } } });
  const posts: Post[] = list.data?.documents ?? [];
  const next = await api.POST('/api/cms/posts', {
    body: { slug: 'b', data: { title: 'Ebb', rank: 1, next: 'a' }, status: 'published', translationGroup: crypto.randomUUID() },
  });
  const pointless = next.data?.warnings?.[0]?.path;
  await api.PATCH('/api/cms/posts/{slug}', { params: { path: { slug: 'b' } }, body: { unset: ['rank'], slug: 'c', updateReferences: true } });
  const pair = await api.GET('/api/cms/posts', { params: { query: { status: 'published', include: 'next' } } });
  const one = await api.GET('/api/cms/posts/{slug}', { params: { path: { slug: 'c' }, query: { include: 'next' } } });
  const beside = [pair.data?.included?.['posts/a'], one.data?.included?.['posts/a']].map((found) =>
    found?.collection === 'posts' ? found.data.title : undefined,
  );
  const generic = await api.GET('/api/cms/{collection}/{slug}', { params: { path: { collection: 'posts', ...path } } });
  const uploaded = await api.POST('/api/upload', {
    body: { file: new Blob(['text']) as unknown as string, folder: 'files' },
    bodySerializer({ file, folder }) {
      const form = new FormData();
      form.append('file', file as unknown as Blob, 'a.txt');
      if (folder) form.append('folder', folder);
      return form;
    },
  });
  const missing = await api.GET('/api/cms/posts/{slug}', { params: { path: { slug: 'none' } } });
  const sentence: string | undefined = missing.error?.error;
  const rank: number | null | undefined = changed.data?.data.rank;
  return {
    unused: [wrong, lost].length,
    created: made.data?.slug,
    rank,
    titles: posts.map(({ data }) => data.title),
    title: generic.data?.data.title,
    pointless,
    beside,
    unset: one.data?.data.rank,
    url: uploaded.data?.url,
    sentence,
  };
}
`;
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    ...{ target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom'], types: [], allowImportingTsExtensions: true },
  },
  files: ['client.ts'],
};

/**
 * What the linter warns of is meant so: a collection's own paths beside the generic ones, a sign-in that only redirects,
 * and health checks that refuse nobody.
 */
const WANTED = ['no-ambiguous-paths', 'operation-2xx-response', 'operation-4xx-response'];

test('the linter finds nothing that is not meant so, and a strict client creates, updates, lists and uploads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-client-'));
  const posts = CONFIG.collections[0]!;
  const kind = { name: 'kind', type: 'select' as const, options: ['a', 'b'], defaultValue: 'a', required: true };
  const next = { name: 'next', type: 'relation' as const, collection: 'posts' };
  const config = { ...CONFIG, collections: [{ ...posts, fields: [...posts.fields, kind, next] }] };
  await using world = await makeWorld({ config });
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const description = (await world.admin.get('/api/openapi.json')).json;
    const files = { 'openapi.json': description, 'tsconfig.json': TSCONFIG, 'package.json': { type: 'module' } };
    for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value));
    writeFileSync(join(folder, 'client.ts'), CLIENT);
    writeFileSync(join(folder, 'api.ts'), await printTypes(description));
    // The linter neither reports its use nor looks for a newer version.
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const node = (file: string, ...args: string[]) =>
      run(process.execPath, [join(ROOT, 'node_modules', file), ...args], { cwd: folder, env }).catch((error) => {
        throw new Error(`${error.stdout}${error.stderr}`);
      });
    const lint = ['lint', 'openapi.json', '--format=json', ...WANTED.map((rule) => `--skip-rule=${rule}`)];
    const { problems } = JSON.parse((await node('@redocly/cli/bin/cli.js', ...lint)).stdout);
    assert.equal(problems, []);
    await node('typescript/bin/tsc', '-p', '.');
    const { work } = await import(pathToFileURL(join(folder, 'client.ts')).href);
    const token = String(
      (await world.token(['content:read', 'content:write', 'media:write'])).headers.authorization,
    ).slice(7);
    const { url, sentence, ...rest } = await work(world.url, token);
    const read = { titles: ['Tides'], title: 'Tides', beside: ['Tides', 'Tides'], unset: undefined };
    assert.equal(rest, { unused: 2, created: 'a', rank: 2, pointless: 'data.next', ...read });
    assert.match(url, /^\S*\/uploads\/files\//);
    assert.match(sentence, /not found/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
