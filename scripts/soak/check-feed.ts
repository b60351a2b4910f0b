// What a follower of the change feed was told, against the log: every change, once, under the commit that it is now. A
// change that was replayed on somebody else's commit is told again, and says so.
import type { Epoch, Violation } from './history.ts';

export function checkFeed({ feed, forgotten = [], commits }: Epoch): Violation[] {
  if (!feed) return [];
  const violations: Violation[] = [];
  const report = (message: string, ...about: string[]): void => void violations.push({ rule: 'feed', message, about });
  const told = new Map<string, string>();
  for (const { changeId, commit, replaces } of feed) {
    const before = told.get(changeId);
    // Somebody else's commit has no other name; that it is told again after a crash confuses nobody.
    if (before !== undefined && replaces === undefined && changeId !== commit)
      report(`change ${changeId} was told as ${before} and again as ${commit}`, before, commit);
    told.set(changeId, commit);
  }
  const events = new Map(feed.map((one) => [one.commit, one]));
  for (const { id, changeId, event, changes } of commits) {
    const key = changeId || id;
    const known = told.get(key);
    told.delete(key);
    if (known !== id) {
      report(known ? `change ${key} is ${id} and was told as ${known}` : `commit ${id} was not told`, id);
      continue;
    }
    const one = events.get(id)!;
    if (changeId !== '' && one.event !== event) report(`${id} is ${event} and was told as ${one.event}`, id);
    if (!changes.some(({ place }) => place === one.place)) report(`${id} was told of ${one.place}`, id);
  }
  const ids = new Set(commits.map(({ id }) => id));
  for (const commit of forgotten)
    if (ids.has(commit)) report(`${commit} is in the log and the feed did not know it`, commit);
  for (const [key, commit] of told) report(`change ${key} was told as ${commit} and is not in the log`, commit);
  return violations;
}
