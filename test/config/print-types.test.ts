// The text that `colophon types` prints, compiled under strict settings beside the types that createCms infers.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { printTypes } from '../../src/config/print-types.ts';
import { FIELD_TYPES } from '../../src/config/site-config.ts';
import { EVERY_FIELD } from './every-field.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Put together, so that no line of this file reads as an import of its own. */
const importOf = (names: string, file: string) =>
  ['import type {', names, '} from ', JSON.stringify(file), ';'].join('');

/** Each pair is compared in both directions, also with every key required, so that a missing optional key shows. */
const COMPARE = `
${importOf('CmsDocument, CollectionData', `${ROOT}/src/config/infer.ts`)}
${importOf('EVERY_FIELD', `${ROOT}/test/config/every-field.ts`)}
${importOf('BlogPostsData, BlogPostsDocument, Collections, DocumentList, DraftOf, _404Data', './types.d.ts')}
type Config = typeof EVERY_FIELD;
type Whole<T> = T extends (infer I)[] ? Whole<I>[] : T extends object ? { [K in keyof T]-?: Whole<T[K]> } : T;
type Same<A, B> = [A, Whole<A>] extends [B, Whole<B>] ? ([B, Whole<B>] extends [A, Whole<A>] ? true : false) : false;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Rows = { [N in keyof Collections]: [
  Same<Collections[N]['data'], CollectionData<Config, N>>,
  Same<Omit<Collections[N], 'included'>, CmsDocument<Config, N>>,
  Equal<keyof Collections[N]['data'], keyof CollectionData<Config, N>>,
] };
export const rows: Rows = { 'blog-posts': [true, true, true], 'blog--posts': [true, true, true], '404': [true, true, true], everything: [true, true, true] };
export const names: Equal<keyof Collections, Config['collections'][number]['name']> = true;
export const isStrict: [Same<{ a?: 1 }, { a: 1 }>, Same<{ a?: 1 }, { b?: 1 }>, Same<{ a?: 1 | null }, { a?: 1 }>] = [false, false, false];

export function read(post: BlogPostsDocument, list: DocumentList<'blog-posts'>) {
  const grim: 'glad' | 'grim' | undefined = post.data.mood?.[0];
  const alt: string | undefined = post.data.seo?.og?.alt;
  const locale: 'en' | 'da' | undefined = list.documents[0]?.locale;
  for (const part of post.data.parts ?? []) if (part._block === '2-up') part._tone satisfies 'a"b' | "it's" | 3 | -1.5 | null | undefined;
  const deep: string | undefined = post.data.parts?.[0]?._block === 'hero' ? post.data.parts[0].text : undefined;
  const missing: _404Data = {};
  const draft: DraftOf<BlogPostsData> = { title: null, some: [{ _block: '2-up' }], steps: [{ n: null }] };
  // @ts-expect-error: undefined is not a value of an optional key
  const wrong: _404Data = { class: undefined };
  // @ts-expect-error: a block says which one it is
  const headless: DraftOf<BlogPostsData> = { some: [{}] };
  return [grim, alt, locale, deep, missing, draft, wrong, headless];
}
`;

const TSCONFIG = {
  compilerOptions: {
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: false,
    },
    ...{ target: 'esnext', module: 'nodenext', types: [], allowImportingTsExtensions: true },
  },
};

test('the printed types are those that createCms infers, for every type of field', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-types-'));
  try {
    const text = printTypes(parseConfig(EVERY_FIELD));
    writeFileSync(join(folder, 'types.d.ts'), text);
    writeFileSync(join(folder, 'compare.ts'), COMPARE);
    const tsc = (tsconfig: object) => {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
      return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch((error) => {
        throw new Error(`${error.stdout}${error.stderr}`);
      });
    };
    await tsc({ ...TSCONFIG, files: ['types.d.ts', 'compare.ts'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a site without blocks, locales or collections has types too, and equal configurations give equal texts', () => {
  const text = printTypes(
    parseConfig({ collections: [{ name: 'pages', fields: [{ name: 'parts', type: 'blocks' }] }] }),
  );
  assert.match(text, 'parts?: ({ _block: string } & Record<string, unknown>)[] | null;');
  assert.match(text, 'locale?: string;');
  assert.match(printTypes(parseConfig({ collections: [] })), 'export interface Collections {\n}');
  assert.is(printTypes(parseConfig(structuredClone(EVERY_FIELD))), printTypes(parseConfig(EVERY_FIELD)));
});

test('the configuration of this test has every type of field', () => {
  const types = EVERY_FIELD.collections.flatMap(({ fields }) => fields.map(({ type }) => type as string));
  assert.equal(
    FIELD_TYPES.filter((type) => !types.includes(type)),
    [],
  );
});

test.run();
