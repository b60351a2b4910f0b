// A client that follows the change feed through kills and replays: asks for what follows the last commit that it
// received and, if a crash lost that commit's name (its change was replayed, and no memory of that is left), starts
// from an earlier one.
import { Agent } from 'node:http';
import type { FeedEntry, Violation } from './history.ts';
import { type Lives, pause } from './service.ts';
import { exchange } from './wire.ts';

export interface Follower {
  /** Follows until `stop()`, and then to the feed's end. */
  run(): { done: Promise<void>; stop(): void };
  /**
   * Returns everything since the last call. `forgotten`: commits that it received and that the feed no longer knows.
   */
  drain(): { feed: FeedEntry[]; forgotten: string[]; violations: Violation[] };
  close(): void;
}

const PAGE = 500;

/** `since`: the commit to start after. */
export function createFollower({ lives, cookie, since }: { lives: Lives; cookie: string; since: string }): Follower {
  const agent = new Agent({ keepAlive: true });
  let last = since;
  /** The position at the last call of drain. */
  let safe = since;
  let feed: FeedEntry[] = [];
  let forgotten: string[] = [];
  let violations: Violation[] = [];

  /** Returns true if there is more. */
  async function ask(): Promise<boolean> {
    const url = await lives.serving();
    const path = `/api/cms/changes?since=${last}&limit=${PAGE}`;
    const answer = await exchange(url, agent, { method: 'GET', path, headers: { cookie } });
    if (answer.kind !== 'answered' || answer.status === 503) return true;
    if (answer.status === 404 && last !== safe) {
      forgotten.push(last);
      last = safe;
      feed = [];
      return true;
    }
    if (answer.status !== 200) {
      const message = `the feed since ${last} was answered ${answer.status}: ${answer.text}`;
      violations.push({ rule: 'feed', message, about: [last] });
      await pause(1000);
      return false;
    }
    const { changes } = JSON.parse(answer.text) as {
      changes: {
        commit: string;
        changeId: string;
        event: string;
        collection: string;
        slug: string;
        replaces?: string;
      }[];
    };
    for (const { commit, changeId, event, collection, slug, replaces } of changes) {
      feed.push({ commit, changeId, event, place: `${collection}/${slug}`, ...(replaces ? { replaces } : {}) });
    }
    last = changes.at(-1)?.commit ?? last;
    return changes.length > 0;
  }

  return {
    run() {
      let isStopped = false;
      const done = (async () => {
        while (!isStopped) {
          await ask();
          await pause(100);
        }
        while (await ask()) if (violations.length) break;
      })();
      return { done, stop: () => void (isStopped = true) };
    },
    drain() {
      const drained = { feed, forgotten, violations };
      safe = last;
      feed = [];
      forgotten = [];
      violations = [];
      return drained;
    },
    close: () => agent.destroy(),
  };
}
