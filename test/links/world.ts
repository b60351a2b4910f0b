// A link check of documents that the test provides, with its own data folder and limits that the test chooses.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseConfig } from '../../src/config/parse.ts';
import { toRow } from '../../src/content/rows/row.ts';
import { openDataFolder } from '../../src/data/data-folder.ts';
import type { LinkLimits } from '../../src/links/ask-due.ts';
import { createLinkCheck, type LinkCheck } from '../../src/links/service.ts';
import { createOutbound } from '../../src/outbound/request.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { makeStored } from '../content/world.ts';
import { CONFIG } from '../support/world.ts';

const config = parseConfig(CONFIG);
const schema = compileSite(config);
const posts = schema.collections.get('posts')!;

export interface LinksWorld extends AsyncDisposable {
  links: LinkCheck;
  folder: string;
  /** Markdown bodies by slug; the prefix `draft:` makes a draft. */
  bodies: Record<string, string>;
  advance(ms: number): void;
  warnings: string[];
}

export function makeLinks(
  bodies: Record<string, string>,
  options: { limits?: Partial<LinkLimits>; allowPrivate?: boolean; ownUrls?: string[] } = {},
): LinksWorld {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-links-'));
  const warnings: string[] = [];
  let clockMs = Date.parse('2026-01-02T03:04:05.000Z');
  const world = { bodies };
  const outbound = createOutbound({ allowPrivate: () => options.allowPrivate ?? true });

  function rowOf(id: string) {
    const text = world.bodies[id];
    if (text === undefined) return undefined;
    const [, draft, body = ''] = /^(draft:)?([\s\S]*)$/.exec(text) ?? [];
    return toRow(
      makeStored(posts, { id, slug: id, status: draft ? 'draft' : 'published', data: { body } }),
      'e',
      posts,
    );
  }

  const links = createLinkCheck({
    config,
    collections: [...schema.collections.values()],
    view: {
      byId: rowOf,
      bySlug: (collection, slug) => (collection === 'posts' ? rowOf(slug) : undefined),
      collections: () => [{ schema: posts, rows: { ids: () => Object.keys(world.bodies) } }] as never,
    },
    hasMedia: (slug) => slug === 'images/here.png',
    ownUrls: () => options.ownUrls ?? [],
    outbound,
    data: openDataFolder(path.join(folder, '_data')),
    userAgent: 'Colophon-LinkCheck/test',
    now: () => new Date(clockMs),
    warn: (message) => void warnings.push(message),
    limits: { hostPauseMs: 0, timeoutMs: 300, ...options.limits },
  });
  return Object.assign(world, {
    links,
    folder,
    warnings,
    advance: (ms: number) => void (clockMs += ms),
    async [Symbol.asyncDispose]() {
      await links.close();
      outbound.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}
