// Who pushed, recorded on the disk before a branch moves: in the audit, and in the notes of commits that main gets. If the
// push fails after that, the audit gets an entry too; notes of commits that are not on main do no harm.
import { toArrivalText } from '../../lib/arrival.ts';
import { MAIN } from '../../store/repository/refs.ts';
import type { GitSite } from '../git-site.ts';
import type { Pusher } from './pusher.ts';
import type { Command } from './request.ts';

export interface PushRecord {
  /** Call it before each attempt to move a branch. @throws ServiceError 401, 403 if the pusher's credentials have ended */
  before(): Promise<void>;
  /** Without refs: none of them was moved. */
  failed(refs?: readonly string[]): Promise<void>;
}

const HEADS = 'refs/heads/';

/** `arrived` are the commits that the push brings to main. */
export function createRecord(
  { site, pusher }: { site: Pick<GitSite, 'id' | 'audit' | 'store'>; pusher: Pusher },
  commands: readonly Command[],
  arrived: readonly string[],
): PushRecord {
  const { userId, tokenId, name, email, address, at } = pusher;
  let isAudited = false;
  const audit = (action: string, moved: readonly Command[]): Promise<void> =>
    site.audit.record({
      site: site.id,
      actor: { id: userId, name, email, ...(tokenId === null ? {} : { tokenId }) },
      action,
      target: site.id,
      changes: [
        ...moved.map(({ ref, from, to }) => ({ key: ref.slice(HEADS.length), before: from, after: to })),
        ...(moved.some(({ ref }) => ref === MAIN) ? [{ key: 'commits', before: null, after: arrived.length }] : []),
        { key: 'address', before: null, after: address },
      ],
    });
  const main = commands.find(({ ref }) => ref === MAIN);
  return {
    async before() {
      // A pack may take longer to arrive than its credentials last.
      pusher.again?.();
      if (!isAudited) await audit('repository.pushed', commands);
      isAudited = true;
      if (!main?.to) return;
      const by = { id: userId, name, email };
      const text = toArrivalText({
        via: 'push',
        at: at.toISOString(),
        by,
        tokenId,
        address,
        from: main.from,
        to: main.to,
      });
      // At every attempt: another push of the same commits may have written its notes meanwhile.
      await site.store.notes.add(arrived, text, { subject: `${arrived.length} commits pushed`, at });
    },
    async failed(refs) {
      const failed = commands.filter(({ ref }) => refs?.includes(ref) ?? true);
      if (isAudited && failed.length > 0) await audit('repository.push-failed', failed);
    },
  };
}
