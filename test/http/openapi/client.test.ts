// Clients that are made from the API description: the linter finds no error in it, and a strict TypeScript client
// compiles against it and works with a service.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
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

/** openapi-typescript prints with the API of TypeScript 5, which the compiler of this project no longer has. */
async function printTypes(description: object): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
        ? { url: 'test:typescript', shortCircuit: true }
        : next(name, context),
    load: (url, context, next) =>
      url === 'test:typescript'
        ? {
            format: 'module',
            shortCircuit: true,
            source: `import common from ${JSON.stringify(import.meta.resolve('@ts-morph/common'))}; export default common.ts;`,
          }
        : next(url, context),
  });
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const printed = astToString(await openapiTS(description as never));
  hooks.deregister();
  return printed;
}

test('the linter finds no error, and a strict client creates, updates, lists and uploads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-client-'));
  const posts = CONFIG.collections[0]!;
  const kind = { name: 'kind', type: 'select' as const, options: ['a', 'b'], defaultValue: 'a', required: true };
  const config = { ...CONFIG, collections: [{ ...posts, fields: [...posts.fields, kind] }] };
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
    const lint = ['lint', 'openapi.json', '--format=json', '--skip-rule=tag-description'];
    const { totals, problems } = JSON.parse((await node('@redocly/cli/bin/cli.js', ...lint)).stdout);
    assert.is(totals.errors, 0, JSON.stringify(problems));
    await node('typescript/bin/tsc', '-p', '.');
    const { work } = await import(pathToFileURL(join(folder, 'client.ts')).href);
    const token = String(
      (await world.token(['content:read', 'content:write', 'media:write'])).headers.authorization,
    ).slice(7);
    const { url, sentence, ...rest } = await work(world.url, token);
    assert.equal(rest, { unused: 2, created: 'a', rank: 2, titles: ['Tides'], title: 'Tides' });
    assert.match(url, /^\S*\/uploads\/files\//);
    assert.match(sentence, /not found/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
