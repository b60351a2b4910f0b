// Somebody who follows the change feed through kills and replays: asks on from the last commit that it was told of, and
// where a crash took that one's name (its change was replayed, and nobody is left who knows) from an earlier one.
import { Agent } from 'node:http';
import type { Told, Violation } from './history.ts';
import { type Lives, pause } from './service.ts';
import { exchange } from './wire.ts';

export interface Follower {
  /** Follows until `stop()`, and then to the feed's end. */
  run(): { done: Promise<void>; stop(): void };
  /** Since the last call. `forgotten`: commits that it was told of and that the feed does not know any more. */
  take(): { feed: Told[]; forgotten: string[]; violations: Violation[] };
  close(): void;
}

const PAGE = 500;

/** `since`: the commit that it begins behind. */
export function createFollower({ lives, cookie, since }: { lives: Lives; cookie: string; since: string }): Follower {
  const agent = new Agent({ keepAlive: true });
  let last = since;
  /** Where it was at the last call of take. */
  let safe = since;
  let feed: Told[] = [];
  let forgotten: string[] = [];
  let violations: Violation[] = [];

  /** Gives whether there is more. */
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
    take() {
      const taken = { feed, forgotten, violations };
      safe = last;
      feed = [];
      forgotten = [];
      violations = [];
      return taken;
    },
    close: () => agent.destroy(),
  };
}
