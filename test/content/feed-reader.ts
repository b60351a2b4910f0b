// A client that keeps a list of all changes from the feed: it continues after the last one it read, and starts again if
// the log no longer has that. Throws if a change is reported twice without saying that it was replayed.
import * as assert from 'uvu/assert';
import { isCode } from '../../src/lib/error-code.ts';
import type { Site } from '../../src/sites/site.ts';

export interface FeedReader {
  /** By Change-Id: the commit that the change has now. */
  readonly commits: ReadonlyMap<string, string>;
  read(): Promise<void>;
}

export function createFeedReader(history: () => Site['history']): FeedReader {
  const commits = new Map<string, string>();
  let since: string | undefined;

  async function readOn(): Promise<string[] | undefined> {
    try {
      return (await history().changes({ since, limit: 1000 })).changes;
    } catch (error) {
      if (!isCode(error, 'not_found')) throw error;
      return undefined;
    }
  }

  async function read(): Promise<void> {
    const changes = await readOn();
    if (!changes) {
      since = undefined;
      commits.clear();
      return read();
    }
    for (const text of changes) {
      const { changeId, commit, replaces } = JSON.parse(text);
      assert.ok(!commits.has(changeId) || replaces, `${changeId} is reported again as ${commit}`);
      commits.set(changeId, commit);
      since = commit;
    }
  }

  return { commits, read };
}
