// Reports changes of accounts, as the team's pages show them, after they are durable.
import { isEqual } from '../../lib/equal.ts';
import type { AuditedFile } from '../audited-file.ts';
import { toTeamMember, type User, type UsersFile } from './user.ts';

/** `before` is undefined for a new account, `after` for one that is gone. */
export interface UserNews {
  before: User | undefined;
  after: User | undefined;
}

/** The same file. Changes of what only the user sees, such as preferences, are not reported. */
export function withUserNews(file: AuditedFile<UsersFile>, report: (news: UserNews) => void): AuditedFile<UsersFile> {
  return {
    read: file.read,
    async update(change, by) {
      let news: UserNews[] = [];
      const result = await file.update((value) => {
        const [next, made] = change(value);
        news = listNews(value.users, next.users);
        return [next, made];
      }, by);
      for (const one of news) report(one);
      return result;
    },
  };
}

/** A new epoch ends the user's sessions. */
const toCompared = (user: User): object => ({ ...toTeamMember(user), epoch: user.epoch });

function listNews(before: readonly User[], after: readonly User[]): UserNews[] {
  if (before === after) return [];
  const earlier = new Map(before.map((user) => [user.id, user]));
  const later = new Map(after.map((user) => [user.id, user]));
  const changed = after.flatMap((user) => {
    const old = earlier.get(user.id);
    return old && (old === user || isEqual(toCompared(old), toCompared(user))) ? [] : [{ before: old, after: user }];
  });
  const gone = before.filter(({ id }) => !later.has(id)).map((user) => ({ before: user, after: undefined }));
  return [...changed, ...gone];
}
