// What a follower of the change feed was told, against the log: every change of ours, once, under the commit that it is
// now; one that was replayed on somebody else's commit is told again, and says so. Of other people's commits the feed may
// go along either side of a merge, so each of their documents must have been told of.
import type { Epoch, Violation } from './history.ts';

export function checkFeed({ feed, forgotten = [], commits, beside }: Epoch): Violation[] {
  if (!feed) return [];
  const violations: Violation[] = [];
  const report = (message: string, ...about: string[]): void => void violations.push({ rule: 'feed', message, about });
  const told = new Map<string, (typeof feed)[number]>();
  for (const one of feed) {
    const { changeId, commit, replaces } = one;
    const before = told.get(changeId)?.commit;
    // Somebody else's commit has no other name; that it is told again after a crash confuses nobody.
    if (before !== undefined && replaces === undefined && changeId !== commit)
      report(`change ${changeId} was told as ${before} and again as ${commit}`, before, commit);
    told.set(changeId, one);
  }
  const theirs = new Set(feed.filter(({ changeId, commit }) => changeId === commit).map(({ place }) => place));
  const ids = new Set([...commits, ...beside].map(({ id }) => id));
  for (const { id, changeId, event, changes } of commits) {
    if (changeId === '') {
      const untold = changes.find(({ place }) => !theirs.has(place));
      if (untold) report(`${untold.place} in ${id} was not told of`, id);
      continue;
    }
    const one = told.get(changeId);
    told.delete(changeId);
    if (one?.commit !== id)
      report(one ? `change ${changeId} is ${id} and was told as ${one.commit}` : `commit ${id} was not told`, id);
    else if (one.event !== event) report(`${id} is ${event} and was told as ${one.event}`, id);
    else if (!changes.some(({ place }) => place === one.place)) report(`${id} was told of ${one.place}`, id);
  }
  for (const commit of forgotten) {
    if (commits.some(({ id }) => id === commit)) report(`${commit} is in the log and the feed did not know it`, commit);
  }
  for (const [key, { commit }] of told) {
    if (key !== commit || !ids.has(commit)) report(`change ${key} was told as ${commit} and is not in the log`, commit);
  }
  return violations;
}
