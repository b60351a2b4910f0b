// Who moved a ref last, and when: one line in git's own reflog (logs/refs/heads/...), which `git gc` and copies of the
// folder keep, and to which a git program on the disk appends its own. Older lines are dropped: `git fsck` would miss
// their objects once `git gc` has pruned them. Pure.
import { type Oid, type Person, toPersonText } from '../../git/objects.ts';

export interface LastMove {
  /** The ref's commit after it. */
  to: Oid;
  at: Date;
  /** Null if unknown. */
  by: ({ id: string | null } & Person) | null;
}

const NOTHING = '0'.repeat(40);
const LINE = /^[0-9a-f]{40} ([0-9a-f]{40}) (.*) <([^<>]*)> ([0-9]{1,11}) [+-][0-9]{4}(?:\t(.*))?$/;
/** What our lines say in place of git's own messages. */
const PUSHED = /^push by user (\S+)$/;
const SEEN = 'seen first';
const NOBODY = '-';
const UNKNOWN: Person = { name: '', email: '' };

export function toMoveLine({ to, at, by }: LastMove): string {
  const seconds = Math.max(0, Math.floor(at.getTime() / 1000));
  const what = by ? `push by user ${by.id ?? NOBODY}` : SEEN;
  return `${NOTHING} ${to} ${toPersonText(by ?? UNKNOWN)} ${seconds} +0000\t${what}\n`;
}

/** The last line; undefined if git could not have written it. */
export function parseLastMove(log: string): LastMove | undefined {
  const last = log.trimEnd().split('\n').at(-1) ?? '';
  const [, to, name = '', email = '', seconds, message = ''] = LINE.exec(last) ?? [];
  if (to === undefined) return undefined;
  const at = new Date(Number(seconds) * 1000);
  if (message === SEEN) return { to, at, by: null };
  const id = PUSHED.exec(message)?.[1] ?? NOBODY;
  return { to, at, by: { id: id === NOBODY ? null : id, name, email } };
}
