// Clients that keep a copy of the served documents from the log: each applies the feed of changes, or the commits as
// webhooks get them, to a map, and continues from where it stopped. Their copy must equal what is served.
import * as assert from 'uvu/assert';
import type { StoredDocument } from '../../src/content/document.ts';
import type { FeedChange } from '../../src/history/feed/change.ts';
import type { LoggedCommit } from '../../src/history/feed/logged-commit.ts';
import { isCode } from '../../src/lib/error-code.ts';
import type { Site } from '../../src/sites/site.ts';

type FindSite = () => Site;
type Reported = Pick<FeedChange, 'commit' | 'event' | 'collection' | 'slug' | 'id'>;

export interface FeedMirror {
  /** The last commit that it has read. */
  readonly since: string | undefined;
  /** Reads to the end of the feed. */
  read(): Promise<void>;
  /** Another mirror with the same documents and position. */
  copy(): FeedMirror;
  /** By id: collection and slug. */
  readonly documents: Record<string, string>;
}

const PAGE = 7;

/** The served documents, by id. */
export function served({ view }: Site): Record<string, string> {
  const found = new Map<string, string>();
  for (const { rows } of view.collections()) {
    for (const { id, collection, slug } of rows.values()) found.set(id, `${collection}/${slug}`);
  }
  return sorted(found);
}

export function createFeedMirror(
  site: FindSite,
  start: { since?: string | undefined; documents?: ReadonlyMap<string, string> } = {},
): FeedMirror {
  let { since } = start;
  const documents = new Map(start.documents);

  async function readPage(): Promise<readonly string[]> {
    try {
      return (await site().history.changes({ since, limit: PAGE })).changes;
    } catch (error) {
      if (!isCode(error, 'not_found')) throw error;
      since = undefined;
      documents.clear();
      return readPage();
    }
  }

  return {
    get since() {
      return since;
    },
    get documents() {
      return sorted(documents);
    },
    copy: () => createFeedMirror(site, { since, documents }),
    async read() {
      for (let page = await readPage(); page.length; page = await readPage()) {
        for (const text of page) {
          const { commit, event, collection, slug, id } = JSON.parse(text) as Reported;
          since = commit;
          if (event.startsWith('media.')) continue;
          if (event === 'document.deleted') documents.delete(id);
          else documents.set(id, `${collection}/${slug}`);
        }
      }
    },
  };
}

/** Applies the commits of the log, each document as its last commit has it; `kind` is the event of webhooks. */
export async function mirrorCommits({ history, view }: Site): Promise<void> {
  const ending = new AbortController();
  const [newest] = await history.newest();
  const { commits } = await history.commits([], ending.signal);
  const bodies = new Map<string, unknown>();
  for await (const commit of commits) {
    for (const change of commit.changes) await apply(change);
    if (commit.commit === newest) ending.abort();
  }
  const rows = [...view.collections()].flatMap(({ rows }) => [...rows.values()]);
  const expected = rows.map(({ id, body }) => [id, shownOf(JSON.parse(String(body)))] as const);
  assert.equal(sorted(bodies), sorted(new Map(expected)));

  async function apply(change: LoggedCommit['changes'][number]): Promise<void> {
    const [after, kind] = [await change.after(), await change.kind()];
    const was = bodies.has(change.id);
    assert.is(change.isGone, after === undefined, `${change.commit} ${change.id} is gone, or is there`);
    assert.is(kind === 'document.deleted', after === undefined, kind);
    assert.is(kind === 'document.created', !was && after !== undefined, kind);
    if (after) bodies.set(change.id, shownOf(after));
    else bodies.delete(change.id);
  }
}

function shownOf({ collection, slug, data }: StoredDocument): unknown {
  return { collection, slug, data };
}

function sorted<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
