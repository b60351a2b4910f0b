// Whose access token a command makes, or whose rights it uses.
import type { Access } from '../access/access.ts';
import type { User } from '../access/users/user.ts';
import { failure } from './failure.ts';

/** The user with the e-mail address, else the only admin. */
export function ownerOf({ users }: Access, email: string | undefined): User {
  if (email !== undefined) return users.get(email);
  const admins = users.list().filter(({ role }) => role === 'admin');
  const [only] = admins;
  if (!only) throw failure('there is no admin; add one with colophon user add, or name the owner with --user');
  if (admins.length > 1) throw failure('there are several admins; name the owner with --user');
  return only;
}
