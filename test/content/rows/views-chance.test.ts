// (One file, because its actions are one table.) Whatever external commits, the service's own changes and configuration changes between two starts do: what is shown
// live, what a start from a saved view shows and what a start from the repository alone shows are the same, and so is
// the result of following the log from any cursor. SEED repeats the choices, and
// BY_HAND=1 adds files without ids.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../../src/access/actor.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { MARKDOWN, pathOf, pathsOf, SHARDED } from '../../../src/content/files/paths.ts';
import { parseMarkdown } from '../../../src/content/markdown/parse.ts';
import { printMarkdown } from '../../../src/content/markdown/print.ts';
import { commitBeside, type Entry, git } from '../../support/external.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { createFeedMirror, type FeedMirror, mirrorCommits, served } from '../feed-mirror.ts';
import { makeViewsWorld, type Picture, type ViewsWorld } from './views-world.ts';

const STEPS = Number(process.env.STEPS) || 36;
const CHECK_EVERY = 6;
const IDS = ['AaaaaaaaaaaA', 'BbbbbbbbbbbB', 'CcccccccccccC'.slice(0, 12), 'DdddddddddddD'.slice(0, 12)];
const SLUGS = ['a', 'b', 'c', 'copy'];
const COLLECTIONS = ['posts', 'notes', 'many'];
const DATES = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00Z', '2026-03-01'];

type Files = Record<string, Entry | null>;
interface Place {
  collection: string;
  slug: string;
}

function makeConfig(
  change: { maxLength?: number; rank?: 'number' | 'text'; notes?: boolean; sharded?: boolean; markdown?: boolean } = {},
): SiteConfigInput {
  const { maxLength = 40, rank = 'number', notes = true, sharded = false, markdown = false } = change;
  return {
    defaultLocale: 'en',
    locales: ['en', 'de'],
    collections: [
      {
        name: 'posts',
        sharded,
        format: markdown ? 'markdown' : 'json',
        fields: [
          { name: 'title', type: 'text', required: true, maxLength },
          { name: 'rank', type: rank },
          { name: 'tags', type: 'tags' },
          { name: 'body', type: 'richtext' },
        ],
      },
      ...(notes ? [{ name: 'notes', fields: [{ name: 'title', type: 'text' as const }] }] : []),
      { name: 'many', sharded: true, fields: [{ name: 'title', type: 'text' }] },
    ],
  };
}

const CONFIGS = [
  makeConfig(),
  makeConfig({ maxLength: 3 }),
  makeConfig({ rank: 'text' }),
  makeConfig({ notes: false }),
  makeConfig({ sharded: true }),
  makeConfig({ markdown: true }),
];

/**
 * One function, because the possible actions are one table, whose rows draw from one random source.
 */
function createChance(random: Random, world: ViewsWorld, done: string[]) {
  let count = 0;
  /**
   * Files without ids, in place of merges: a merge whose sides both added a file gives it the id of its first parent's
   * line, while the log goes on through the other.
   */
  const hasByHand = process.env.BY_HAND === '1';
  const oneOf = <T>(all: readonly T[]): T => all[random.whole(0, all.length - 1)]!;
  const place = (): Place => ({ collection: oneOf(COLLECTIONS), slug: oneOf(SLUGS) });
  const pathFor = (at: Place): string =>
    pathOf(at, (random.next() < 0.4 ? SHARDED : 0) + (random.next() < 0.4 ? MARKDOWN : 0));

  function documentFor({ collection, slug }: Place, id = oneOf(IDS)): Record<string, unknown> {
    const title = oneOf(['one', 'two three', 'title', 'a long title that is nearly too long']);
    const data = {
      title,
      rank: oneOf<unknown>([1, 2, 'x']),
      tags: [oneOf(['one', 'two'])],
      ...(random.next() < 0.5 ? { body: oneOf(['One.', 'Two.\n\nLines.', '---\n', '']) } : {}),
      ...(random.next() < 0.3 ? { own: ++count } : {}),
    };
    const createdAt = oneOf(DATES);
    const more = random.next() < 0.3 ? { publishAt: oneOf(DATES), unpublishAt: oneOf(DATES) } : {};
    const translation = random.next() < 0.2 ? { locale: 'de', translationOf: oneOf(SLUGS) } : {};
    return {
      id,
      slug,
      collection,
      status: oneOf(['draft', 'published']),
      ...translation,
      ...more,
      createdAt,
      updatedAt: createdAt,
      data,
    };
  }

  function textFor(at: Place, id?: string): Entry {
    const text = `${JSON.stringify(documentFor(at, id), null, 2)}\n`;
    const choice = random.next();
    if (choice < 0.08) return oneOf(['{', '<<<<<<< HEAD\n', '[]', '', 'null']);
    if (choice < 0.14) return `\ufeff${text}`;
    if (choice < 0.2) return text.replaceAll('\n', '\r\n');
    if (choice < 0.23) return text.replace('"slug"', '"sluq"');
    if (choice < 0.25) return `${text}${' '.repeat(4 << 20)}`;
    if (choice < 0.28) return { mode: '100755', text };
    if (choice < 0.3) return { mode: '120000', text: 'a.json' };
    return text;
  }

  const listFiles = (): string[] =>
    git(world.repository, 'ls-tree', '-r', '-z', '--name-only', 'main').split('\0').filter(Boolean);

  /** A file as JSON, whatever its format; its own text if it is no document. */
  function read(path: string): string {
    const text = git(world.repository, 'cat-file', 'blob', `main:${path}`);
    if (!path.endsWith('.md')) return text;
    try {
      return JSON.stringify(parseMarkdown(text, ['body'], 1000));
    } catch {
      return text;
    }
  }

  /** The file in the format of its path; now and then one of a person who leaves out what the log knows. */
  function written(path: string, entry: Entry | null): Entry | null {
    if (entry === null) return null;
    // The log also has documents of collections that are not configured, which are not served.
    if (path.startsWith('content/nowhere/')) return '{}';
    if (typeof entry === 'object') return { ...entry, text: String(written(path, entry.text)) };
    const isByHand = hasByHand && random.next() < 0.25;
    if (!isByHand && !path.endsWith('.md')) return entry;
    try {
      const doc = JSON.parse(entry.replace(/^\ufeff/, ''));
      for (const key of isByHand
        ? oneOf([['id'], ['id', 'slug', 'createdAt', 'updatedAt'], ['status', 'updatedAt']])
        : [])
        delete doc[key];
      return path.endsWith('.md') ? printMarkdown(doc, 'body') : `${JSON.stringify(doc, null, 2)}\n`;
    } catch {
      return entry;
    }
  }

  /** The document of a file, adapted to another place. */
  function movedTo(text: string, { collection, slug }: Place): string {
    try {
      const doc = JSON.parse(text.replace(/^\ufeff/, ''));
      return `${JSON.stringify({ ...doc, slug, collection }, null, 2)}\n`;
    } catch {
      return text;
    }
  }

  const theirs: [string, (files: string[]) => Files][] = [
    ['write', () => write(place())],
    ['write', () => write(place())],
    ['write two', () => ({ ...write(place()), ...write(place()) })],
    ['remove', (files) => ({ [oneOf(files)]: null })],
    ['remove two', (files) => ({ [oneOf(files)]: null, [oneOf(files)]: null })],
    ['break', (files) => ({ [oneOf(files)]: '{' })],
    [
      'copy',
      (files) => {
        const to = place();
        return { [pathFor(to)]: movedTo(read(oneOf(files)), to) };
      },
    ],
    [
      'copy twice',
      (files) => {
        const [text, to, other] = [read(oneOf(files)), place(), place()];
        return { [pathFor(to)]: movedTo(text, to), [pathFor(other)]: movedTo(text, other) };
      },
    ],
    [
      'rename',
      (files) => {
        const [from, to] = [oneOf(files), place()];
        return { [from]: null, [pathFor(to)]: movedTo(read(from), to) };
      },
    ],
    [
      'swap',
      (files) => {
        const [one, other] = [oneOf(files), oneOf(files)];
        return { [one]: swapped(one, read(other)), [other]: swapped(other, read(one)) };
      },
    ],
    [
      'reshard',
      (files) => Object.fromEntries(files.flatMap((path) => (random.next() < 0.5 ? toOtherLayout(path) : []))),
    ],
    [
      'misplace',
      () => ({
        [oneOf([
          'content/posts/zz/a.json',
          'content/posts/00/a.json',
          'content/nowhere/a.json',
          'content/a.json',
          'content/posts/A.json',
          'notes.txt',
          'content/posts/a.JSON',
        ])]: textFor(place()),
      }),
    ],
    [
      'media',
      () => ({
        [oneOf(['media/images/x.png', 'media/images/X.png', 'media/Bad|name.png'])]: oneOf([
          'no pointer',
          `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`,
        ]),
      }),
    ],
    [
      'copy a folder',
      (files) =>
        Object.fromEntries(
          files.flatMap((path) =>
            path.startsWith('content/posts/') ? [[path.replace('/posts/', '/notes/'), read(path)]] : [],
          ),
        ),
    ],
  ];

  function write(at: Place): Files {
    return { [pathFor(at)]: textFor(at) };
  }

  function swapped(path: string, text: string): string {
    const [, collection = '', slug = ''] = /^content\/([^/]+)\/(?:[^/]+\/)?([^/]+)\.(?:json|md)$/.exec(path) ?? [];
    return COLLECTIONS.includes(collection) ? movedTo(text, { collection, slug }) : text;
  }

  function toOtherLayout(path: string): [string, string | null][] {
    const [, collection, slug] = /^content\/([^/]+)\/(?:[0-9a-f]{2}\/)?([^/]+)\.(?:json|md)$/.exec(path) ?? [];
    if (!collection || !slug) return [];
    return [
      [path, null],
      [oneOf(pathsOf({ collection, slug }).filter((other) => other !== path)), read(path)],
    ];
  }

  function makeTheirs(): Files {
    const files = listFiles();
    const [name, make] = oneOf(theirs);
    const made = files.length || name === 'write' ? make(files.length ? files : ['none']) : write(place());
    for (const path of Object.keys(made)) {
      // A path that is a folder there cannot be a file.
      if (made[path] === null && !files.includes(path)) delete made[path];
      else made[path] = written(path, made[path]!);
    }
    done.push(
      `${name} ${JSON.stringify(made)
        .replaceAll(/\\n */g, '')
        .slice(0, Number(process.env.SHOWN) || 300)}`,
    );
    return made;
  }

  function push(): void {
    const made = makeTheirs();
    if (Object.keys(made).length) commitBeside(world.repository, made, undefined, 'refs/heads/main');
  }

  /**
   * Merges two sides of a history; theirs is sometimes the first parent, and sometimes one side has been read before.
   */
  async function merge(read: () => Promise<void>): Promise<void> {
    const tip = git(world.repository, 'rev-parse', 'main').trim();
    const mine = commitBeside(world.repository, makeTheirs(), [tip]);
    const yours = commitBeside(world.repository, makeTheirs(), [tip]);
    const isRead = random.next() < 0.5;
    if (isRead) {
      git(world.repository, 'update-ref', 'refs/heads/main', mine, tip);
      await world.settle();
      await read();
    }
    const parents = random.next() < 0.5 ? [mine, yours] : [yours, mine];
    done.push(`merge${isRead ? ', read' : ''}${parents[0] === yours ? ', into theirs' : ''}`);
    const merged = commitBeside(world.repository, makeTheirs(), parents);
    git(world.repository, 'update-ref', 'refs/heads/main', merged, isRead ? mine : tip);
  }

  async function ours(): Promise<void> {
    const { content, site } = world.cms;
    const collection = oneOf(site.collections).name;
    const rows = [...site.view.collection(collection)!.rows.values()];
    const slug = oneOf(SLUGS);
    const choice = random.next();
    const target = rows.length ? oneOf(rows).slug : undefined;
    const what = !target || choice < 0.25 ? 'create' : choice < 0.5 ? 'update' : choice < 0.75 ? 'move' : 'delete';
    done.push(`ours ${what} ${collection}/${target} ${slug}`);
    const work = {
      create: () => content.create(collection, { slug, data: { title: 'ours' } }),
      update: () => content.update(collection, target!, { data: { [oneOf(['title', 'own'])]: `own ${++count}` } }),
      move: () => content.update(collection, target!, { slug }),
      delete: () => site.content.remove(collection, { slug: target! }, SYSTEM),
    }[what];
    await work().catch((error) => {
      if (![400, 404, 409].includes(error.status)) throw error;
      done.push(`  ${error.code} ${error.message}`);
    });
  }

  return {
    /** `read` reads the feed up to here. */
    async step(read: () => Promise<void>): Promise<void> {
      const choice = random.next();
      if (choice < 0.5) {
        await world.cms.site.store.log.flush();
        push();
      } else if (choice < 0.6) {
        // Two commits, loaded at once.
        await world.cms.site.store.log.flush();
        push();
        push();
      } else if (choice < 0.68 && !hasByHand) {
        await world.settle();
        await merge(read);
      } else if (choice < 0.78) {
        // Our change waits for the branch when theirs comes below it.
        await world.settle();
        const writing = ours();
        push();
        await writing;
      } else await ours();
      if (random.next() < 0.7) await world.settle();
    },
  };
}

/** Compares part by part, so that a failure shows the first difference. */
function compare(found: Picture, expected: Picture, what: string): void {
  for (const key of ['warnings', 'documents', 'lists']) {
    const [one, other] = [found[key], expected[key]] as Record<string, unknown>[];
    for (const name of new Set([...Object.keys(one!), ...Object.keys(other!)])) {
      assert.equal(one![name], other![name], `${what}: ${key} ${name}`);
    }
  }
  assert.equal(found, expected, what);
}

/** Clients that follow the feed: one from the beginning, and others that stopped somewhere. */
function createMirrors(random: Random, world: ViewsWorld) {
  const mirrors: FeedMirror[] = [];
  return {
    /** Adds a mirror that continues from here later. */
    async add(): Promise<void> {
      const mirror = mirrors.length && random.next() < 0.5 ? mirrors.at(-1)! : createFeedMirror(() => world.cms.site);
      const next = mirror.copy();
      await next.read();
      mirrors.push(next);
    },
    async check(what: string): Promise<void> {
      const { site } = world.cms;
      for (const mirror of [createFeedMirror(() => site), ...mirrors]) {
        const reading = mirror.copy();
        await reading.read();
        const [mirrored, expected] = [reading.documents, served(site)];
        assert.equal(mirrored, expected, `the feed since ${mirror.since}, ${what}`);
      }
      await mirrorCommits(site);
    },
  };
}

/** The log does not know the configuration: it has collections that are not configured, and they are not served. */
function isWhole(config: SiteConfigInput): boolean {
  return COLLECTIONS.every((name) => config.collections.some((collection) => collection.name === name));
}

test('live, from a saved view and from the repository alone a site is the same, whatever was committed and configured', async () => {
  const random = createRandom();
  const done: string[] = [];
  try {
    await using world = await makeViewsWorld(CONFIGS[0]!);
    await world.beside({ 'README.md': 'hello' });
    const chance = createChance(random, world, done);
    const mirrors = createMirrors(random, world);
    let config = CONFIGS[0]!;
    for (let step = 1; step <= STEPS; step++) {
      await chance.step(mirrors.add);
      if (random.next() < 0.3) await mirrors.add();
      if (step % CHECK_EVERY) continue;
      await world.settle();
      if (isWhole(config)) await mirrors.check('live');
      const live = await world.picture();
      compare(live, await world.rebuilt(isWhole(config) ? mirrorCommits : undefined), 'live and rebuilt');
      const forget = random.next() < 0.3;
      done.push(`restart${forget ? ' from nothing' : ''}`);
      await world.restart(undefined, { forget });
      compare(await world.picture(), live, 'restarted and live');
      if (isWhole(config)) await mirrors.check('restarted');
      if (random.next() < 0.6) {
        config = CONFIGS[random.whole(0, CONFIGS.length - 1)]!;
        done.push(`configure ${CONFIGS.indexOf(config)}`);
        await world.restart(config);
        compare(await world.picture(), await world.rebuilt(), 'after a change of the configuration');
      }
    }
  } catch (error) {
    console.error(`SEED=${random.seed}\n${done.join('\n')}`);
    throw error;
  }
});

test.run();
