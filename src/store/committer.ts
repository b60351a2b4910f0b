// The name under which the service commits.
import type { Person } from './git/objects.ts';

export const COMMITTER: Person = { name: 'Colophon', email: 'colophon@localhost' };
