// The names of a site's people, for everyone who may read its history: who wrote, and who locked a field.
import { type Route, route } from '../../http/route.ts';
import type { Access } from '../access.ts';
import type { SiteRef } from '../principal.ts';
import { answer } from '../routes-signed-in.ts';
import { PeopleShape } from '../shapes.ts';

export function peopleRoutes({ users }: Pick<Access, 'users'>): Route<SiteRef>[] {
  return [
    route<SiteRef>({
      method: 'get',
      path: '/api/admin/people',
      summary: 'Names of the people of the site, also of those whose accounts were removed',
      tag: 'Users',
      allow: 'content:read',
      answers: { 200: { description: 'By name', schema: PeopleShape } },
      handle: ({ site }) => answer({ people: users.listPeople(site.id) }),
    }),
  ];
}
