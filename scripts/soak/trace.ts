// What is printed about violations: the operations and commits that they name, and what else was done to those
// documents.
import type { Epoch, Violation } from './history.ts';

const MOST_TRACED = 20;

/** Everything about the violations and their documents, so that it can be understood without the run. */
export function traceOf(epoch: Epoch, violations: readonly Violation[]): unknown[] {
  const about = new Set(violations.slice(0, 5).flatMap((violation) => violation.about));
  const isAbout = ({ id }: { id: string }): boolean => about.has(id);
  const named = epoch.operations.filter(isAbout);
  const places = new Set([
    ...about,
    ...named.flatMap(({ action }) => ('slug' in action && action.slug ? `${action.collection}/${action.slug}` : [])),
  ]);
  const commits = epoch.commits.flatMap((commit, position) => {
    const { id, requestId, event, fields } = commit;
    if (about.has(id) || about.has(requestId)) return { position, ...commit };
    const changes = commit.changes.flatMap(({ place, blob }) => (places.has(place) ? { place, blob } : []));
    return changes.length ? { position, id, requestId, event, fields, changes } : [];
  });
  const requests = new Set(commits.map(({ requestId }) => requestId));
  return [
    ...named,
    ...commits.slice(-MOST_TRACED),
    ...epoch.operations.filter(({ id }) => requests.has(id) && !about.has(id)).slice(-MOST_TRACED),
    ...epoch.pushes.filter(({ files }) => files.some(({ place }) => places.has(place))).slice(-MOST_TRACED),
    ...epoch.outages,
  ];
}
