// Compares what a follower of the change feed received with the log: every change of ours, once, under its newest
// commit; a change that was replayed on an external commit appears again, with the commit that it replaces. The feed
// may go along either side of an external merge, so each document of external commits must have appeared.
import type { Epoch, Violation } from './history.ts';

export function checkFeed({ feed, forgotten = [], commits, beside }: Epoch): Violation[] {
  if (!feed) return [];
  const violations: Violation[] = [];
  const report = (message: string, ...about: string[]): void => void violations.push({ rule: 'feed', message, about });
  const received = new Map<string, (typeof feed)[number]>();
  for (const one of feed) {
    const { changeId, commit, replaces } = one;
    const before = received.get(changeId)?.commit;
    // An external commit has no other name; it may appear again after a crash, which misleads no follower.
    if (before !== undefined && replaces === undefined && changeId !== commit)
      report(`change ${changeId} appeared as ${before} and again as ${commit}`, before, commit);
    received.set(changeId, one);
  }
  const theirs = new Set(feed.filter(({ changeId, commit }) => changeId === commit).map(({ place }) => place));
  const ids = new Set([...commits, ...beside].map(({ id }) => id));
  for (const { id, changeId, event, changes } of commits) {
    if (changeId === '') {
      const missing = changes.find(({ place }) => !theirs.has(place));
      if (missing) report(`${missing.place} in ${id} did not appear`, id);
      continue;
    }
    const one = received.get(changeId);
    received.delete(changeId);
    if (one?.commit !== id)
      report(one ? `change ${changeId} is ${id} and appeared as ${one.commit}` : `commit ${id} did not appear`, id);
    else if (one.event !== event) report(`${id} is ${event} and appeared as ${one.event}`, id);
    else if (!changes.some(({ place }) => place === one.place)) report(`${id} appeared with ${one.place}`, id);
  }
  for (const commit of forgotten) {
    if (commits.some(({ id }) => id === commit)) report(`${commit} is in the log and the feed did not know it`, commit);
  }
  for (const [key, { commit }] of received) {
    if (key !== commit || !ids.has(commit)) report(`change ${key} appeared as ${commit} and is not in the log`, commit);
  }
  return violations;
}
