// After any edits, a build that goes on from the last one gives byte for byte what a full build gives, and renders
// little. Every round prints nothing; a failure prints its seed and the shortest list of edits that shows it.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PlanError } from '../../../src/build/site/plan/plan-error.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { type BuildWorld, makeBuildWorld, type TestDocument, toFileText } from './build-world.ts';
import { plainTheme } from './plain-theme.ts';
import { COLOPHON, GRACE } from './small-repository.ts';

/** Longer runs by hand and at night: `BUILD_CHANCE_SECONDS=600 BUILD_CHANCE_SEED=7`. */
const SECONDS = Number(process.env.BUILD_CHANCE_SECONDS ?? 12);
const SEED = Number(process.env.BUILD_CHANCE_SEED ?? 20_260_801);

const TITLES = ['Ink', 'Paper & <b>ink</b>', '{{ site.name }}', 'Ærø'];
const TAGS = ['Ink', 'ink', 'Paper', '🎉'];
const LOCALES = ['en', 'de', undefined];
const SLUGS = ['a', 'b', 'c', 'd', 'e', 'index', 'page'];
const COLLECTIONS = ['posts', 'posts', 'posts', 'pages', 'pages', 'settings', 'people'];

function configOf(variant: number): SiteConfigInput {
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'date', type: 'date' as const },
    { name: 'body', type: 'richtext' as const },
    { name: 'tags', type: 'tags' as const },
    { name: 'image', type: 'image' as const },
    { name: 'friend', type: 'relation' as const, collection: 'people' },
    { name: 'friends', type: 'relation' as const, collection: 'posts', multiple: true },
  ];
  return {
    defaultLocale: 'en',
    locales: ['en', 'de'],
    collections: [
      {
        name: 'posts',
        urlPrefix: '/journal',
        ...(variant === 1 ? { urlPattern: '/journal/:year/:slug' } : {}),
        fields,
      },
      {
        name: 'pages',
        urlPattern: '/:slug',
        parentField: 'parent',
        fields: [...fields, { name: 'parent', type: 'relation' as const, collection: 'pages' }],
      },
      { name: 'settings', kind: 'global', fields },
      { name: 'people', kind: 'data', fields },
    ],
    build: { siteName: variant === 2 ? 'Other' : 'Site', baseUrl: 'https://example.com' },
  };
}

interface Place {
  collection: string;
  slug: string;
  pick: number | null;
}

type Edit =
  | ({ kind: 'put' } & Place & { change: Partial<TestDocument>; data: Record<string, unknown> })
  | ({ kind: 'remove' } & Place)
  | ({ kind: 'rename'; to: string } & Place)
  | { kind: 'media'; name: string; alt: string | null }
  | { kind: 'config'; variant: number }
  | { kind: 'theme'; file: string; text: string | null }
  | { kind: 'drafts'; isOn: boolean }
  | { kind: 'damage'; file: string; at: number };

/** `pick` chooses a document that exists; the place is of a new one. */
const place = {
  collection: fc.constantFrom(...COLLECTIONS),
  slug: fc.constantFrom(...SLUGS),
  pick: fc.option(fc.nat(1000)),
};
const slugs = fc.constantFrom(...SLUGS);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      ...place,
      change: fc.record(
        {
          status: fc.constantFrom('published', 'published', 'published', 'draft', 'archived'),
          locale: fc.constantFrom(...LOCALES),
          translationGroup: fc.constantFrom('one', 'two', undefined),
        },
        { requiredKeys: [] },
      ),
      data: fc.record(
        {
          title: fc.constantFrom(...TITLES),
          date: fc.constantFrom('2025-12-31', '2026-01-01', '2026-03-04T05:06:07Z', 'someday'),
          body: fc.constantFrom('Text', '# Head\n\nA [link](/uploads/press/a.svg).', '<script>x</script>'),
          tags: fc.subarray(TAGS),
          image: fc.constantFrom('/uploads/press/a.svg', '/uploads/press/none.svg'),
          friend: slugs,
          friends: fc.array(slugs, { maxLength: 2 }),
          parent: slugs,
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    // Most edits are of texts alone.
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      ...place,
      change: fc.constant({}),
      data: fc.record(
        { title: fc.constantFrom(...TITLES), body: fc.constantFrom('Text', 'Other') },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), ...place }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('rename' as const), ...place, to: slugs }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('media' as const),
      name: fc.constantFrom('a.svg', 'none.svg'),
      alt: fc.constantFrom('A', 'B', null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('config' as const), variant: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('theme' as const),
      file: fc.constantFrom('layouts/default', 'layouts/posts', 'layouts/tag', 'assets/site.css'),
      text: fc.constantFrom('one', 'two', null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drafts' as const), isOn: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('damage' as const),
      file: fc.constantFrom('state.json', 'pieces-1', 'pieces-2'),
      at: fc.nat(20_000),
    }),
  },
);

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4v4z"/></svg>\n';
const SVG_HASH = hash('sha256', SVG);

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${SVG_HASH}\nsize ${SVG.length}\n`;

interface Play {
  world: BuildWorld;
  documents: Map<string, TestDocument>;
  variant: number;
  theme: Record<string, string>;
  drafts: boolean;
}

const PLANTED: [string, string, Record<string, unknown>][] = [
  ['settings', 'site', {}],
  ['posts', 'a', { date: '2026-01-01', tags: ['Ink'], friend: 'a' }],
  ['posts', 'b', { date: '2026-01-02', tags: ['Paper'], friends: ['a', 'c'], image: '/uploads/press/a.svg' }],
  ['posts', 'c', { date: '2026-01-03', tags: ['ink', 'Paper'] }],
  ['pages', 'a', { friends: ['b'] }],
  ['pages', 'b', { parent: 'a' }],
  ['people', 'a', {}],
];

/** Returns the commit's trailers, as this service writes them; undefined if no document changed. */
function apply(play: Play, one: Edit, at: number): string | undefined {
  const { world, documents } = play;
  const { files } = world.repository;
  const updatedAt = new Date(Date.UTC(2026, 1, 1) + at * 1000).toISOString();
  const write = (doc: TestDocument, event: string, old: TestDocument | undefined): string => {
    documents.set(`${doc.collection}/${doc.slug}`, doc);
    files.set(`content/${doc.collection}/${doc.slug}.json`, toFileText({ ...doc, updatedAt }));
    const now = doc.status ?? 'published';
    const status = old && (old.status ?? 'published') === now ? '' : `\nStatus: ${now}`;
    const keys = ['locale', 'translationGroup'].filter((key) => old?.[key] !== doc[key]);
    const fields = [...keys, ...Object.keys(doc.data ?? {}).filter((key) => old?.data?.[key] !== doc.data?.[key])];
    return `Event: ${event}\nDocument-Id: ${doc.id}\nFields: ${fields.join(', ')}${status}`;
  };
  const find = ({ collection, slug, pick }: Place): TestDocument | undefined =>
    pick === null ? documents.get(`${collection}/${slug}`) : [...documents.values()][pick % documents.size];
  switch (one.kind) {
    case 'put': {
      const old = find(one);
      const base = old ?? {
        collection: one.collection,
        slug: one.slug,
        id: `Id${at.toString().padStart(10, '0')}`,
        data: { title: 'New' },
      };
      return write(
        { ...base, ...one.change, data: { ...base.data, ...one.data } },
        old ? 'document.updated' : 'document.created',
        old,
      );
    }
    case 'remove': {
      const old = find(one);
      if (!old) return undefined;
      documents.delete(`${old.collection}/${old.slug}`);
      files.delete(`content/${old.collection}/${old.slug}.json`);
      return 'Event: document.deleted';
    }
    case 'rename': {
      const old = find(one);
      if (!old || documents.has(`${old.collection}/${one.to}`)) return undefined;
      documents.delete(`${old.collection}/${old.slug}`);
      files.delete(`content/${old.collection}/${old.slug}.json`);
      return write({ ...old, slug: one.to }, 'document.renamed', old);
    }
    case 'media': {
      const meta = `media/press/.meta/${one.name}.json`;
      if (one.alt === null) {
        for (const file of [`media/press/${one.name}`, meta]) files.delete(file);
        return 'Event: media.deleted';
      }
      files.set(`media/press/${one.name}`, POINTER);
      const about = { contentType: 'image/svg+xml', width: 4, height: 4, alt: one.alt };
      files.set(meta, `${JSON.stringify(about, null, 2)}\n`);
      return 'Event: media.updated';
    }
    case 'config':
      play.variant = one.variant;
      return undefined;
    case 'theme':
      if (one.text === null && one.file !== 'layouts/default') delete play.theme[one.file];
      else play.theme[one.file] = one.text ?? 'none';
      return undefined;
    case 'drafts':
      play.drafts = one.isOn;
      return undefined;
    case 'damage': {
      const file = path.join(world.folder, 'state', one.file);
      if (!fs.existsSync(file)) return undefined;
      const bytes = fs.readFileSync(file);
      bytes[one.at % bytes.length]! ^= 1;
      fs.writeFileSync(file, bytes);
      return undefined;
    }
  }
}

interface Outcome {
  files: Map<string, string>;
  redirects: unknown;
  problems: readonly string[];
}

/** What a build left, and what it returned. */
async function build(play: Play, outDir: string, stateFolder: string, isFull: boolean): Promise<Outcome> {
  const { world, drafts, theme, variant } = play;
  const change = {
    config: CONFIGS[variant]!,
    drafts,
    isPreview: drafts,
    outDir,
    stateFolder,
    isFull,
    writesRedirects: true,
  };
  try {
    const { redirects } = await world.build(change, plainTheme({ ...theme }));
    return { files: readFolder(outDir), redirects, problems: [] };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { files: readFolder(outDir), redirects: [], problems: error.problems };
  }
}

const CONFIGS = [0, 1, 2].map((variant) => parseConfig(configOf(variant)));

function readFolder(folder: string): Map<string, string> {
  if (!fs.existsSync(folder)) return new Map();
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();
  return new Map(paths.map((file) => [file, fs.readFileSync(path.join(folder, file), 'latin1')]));
}

async function playAll(edits: readonly { edit: Edit; isOurs: boolean }[]): Promise<void> {
  await using world = makeBuildWorld(configOf(0));
  const bytes = path.join(world.folder, 'media', SVG_HASH.slice(0, 2), SVG_HASH.slice(2, 4), SVG_HASH);
  fs.mkdirSync(path.dirname(bytes), { recursive: true });
  fs.writeFileSync(bytes, SVG);
  const play: Play = {
    world,
    documents: new Map(),
    variant: 0,
    theme: { 'layouts/default': 'default' },
    drafts: false,
  };
  for (const [at, [collection, slug, data]] of PLANTED.entries()) {
    const doc = { collection, slug, id: `Planted${at.toString().padStart(5, '0')}`, data: { title: slug, ...data } };
    play.documents.set(`${collection}/${slug}`, doc);
    world.put(doc);
  }
  world.commit();
  await build(play, path.join(world.folder, 'dist'), path.join(world.folder, 'state'), false);
  for (const [at, { edit: one, isOurs }] of edits.entries()) {
    const trailers = apply(play, one, at);
    if (trailers !== undefined)
      world.repository.commit(isOurs ? `change\n\n${trailers}` : 'By hand', isOurs ? COLOPHON : GRACE);
    const dist = path.join(world.folder, 'dist');
    const before = readFolder(dist);
    const next = await build(play, dist, path.join(world.folder, 'state'), false);
    const full = await build(play, path.join(world.folder, `full-${at}`), path.join(world.folder, `state-${at}`), true);
    assert.equal(next.problems, full.problems);
    assert.equal(next.redirects, full.redirects);
    assert.equal(Object.fromEntries(next.files), Object.fromEntries(full.problems.length > 0 ? before : full.files));
  }
}

test('a build that goes on from the last one gives what a full build gives', async () => {
  const edits = fc.array(fc.record({ edit, isOurs: fc.boolean() }), { minLength: 1, maxLength: 12 });
  await fc.assert(fc.asyncProperty(edits, playAll), {
    seed: SEED,
    numRuns: 1_000_000,
    interruptAfterTimeLimit: SECONDS * 1000,
    endOnFailure: process.env.BUILD_CHANCE_QUICK !== undefined,
  });
});

test.run();
