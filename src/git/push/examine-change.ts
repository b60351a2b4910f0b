// The checks of a push to a branch changes/<name>: objects and rights as for main, because people fetch and check out
// what is there. What main would refuse for its content is only said: proposals are kept as they are.
import { isChangeBranch } from '../../store/repository/change-branches/change-branches.ts';
import { MAIN } from '../../store/repository/refs.ts';
import { checkPushedCommits } from './check-commits.ts';
import { createAsk, type Examined, type ExamineParts, listBases, toObjectionLine, toRemarks } from './examine.ts';

/** @throws ServiceError 503 or 507 if git was killed or had no space. */
export async function examineChange(parts: Omit<ExamineParts, 'from'>): Promise<Examined> {
  const { site, pusher, odb, to } = parts;
  if (odb.measure(to)?.type !== 'commit') return { refused: 'a branch must be a commit', messages: [] };
  const ask = createAsk(parts);
  const tips = site.store.listRefs().filter(({ name }) => name === MAIN || isChangeBranch(name));
  // A ref that a program on the disk has broken must not break the push.
  const known = [...new Set(tips.map(({ oid }) => oid))].filter((oid) => odb.measure(oid)?.type === 'commit');
  const since = [to, ...known.map((oid) => `^${oid}`)];
  const linked = await ask([0, 128], 'rev-list', '--objects', '--quiet', ...since);
  if (linked.code !== 0) return { refused: 'objects are missing', messages: [linked.stderr.split('\n')[0] ?? ''] };
  const listed = await ask([0], 'rev-list', ...since);
  const commits = listed.stdout.toString('latin1').split('\n').filter(Boolean);
  const basesOf = listBases(ask);
  const { objections, ours } = await checkPushedCommits({ site, odb, pusher, commits, isFirst: false, basesOf });
  if (objections.length) return { refused: 'not allowed', messages: objections.map(toObjectionLine) };
  const { gitHead } = site.store.log.status();
  const arrived = commits.filter((commit) => !ours.has(commit));
  if (commits.length === 0) return { commits: 0, arrived };
  const { problems, slips } = await site.checkIncoming(gitHead, to, odb);
  const refused = problems.map((one) => `main would refuse ${toObjectionLine(one)}`);
  return {
    commits: commits.length,
    arrived,
    remarks: [...toRemarks(refused), ...toRemarks(slips.map(toObjectionLine))],
  };
}
