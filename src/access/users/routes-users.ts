// The users of the team (team:manage).
import { type Route, route } from '../../http/route.ts';
import type { Access } from '../access.ts';
import { NewUserBody, UserPatchBody } from '../input.ts';
import type { Principal } from '../principal.ts';
import { answer } from '../routes-signed-in.ts';
import { AddedUserShape, SuccessShape, TeamMemberShape, UserListShape } from '../shapes.ts';

const TAG = 'Users';

export function userRoutes(access: Access): Route[] {
  const getId = (principal: Principal, { id = '' }: Record<string, string>): string =>
    access.team.get(principal, id).id;

  return [
    route({
      method: 'get',
      path: '/api/admin/users',
      summary: 'List the users',
      tag: TAG,
      allow: 'team:manage',
      site: false,
      answers: { 200: { description: 'The users that share a site with the caller', schema: UserListShape } },
      handle: ({ principal }) => answer(access.team.list(principal)),
    }),
    route({
      method: 'post',
      path: '/api/admin/users',
      summary: 'Add a user',
      tag: TAG,
      allow: 'team:manage',
      site: false,
      body: NewUserBody,
      answers: {
        200: { description: 'The user; with the generated password if none was given', schema: AddedUserShape },
        403: { description: 'There are users whom the caller does not see: invite the person instead' },
        409: { description: 'The e-mail is taken' },
      },
      handle: async (call) => answer(await access.team.add(call.principal, await call.body())),
    }),
    route({
      method: 'patch',
      path: '/api/admin/users/{id}',
      summary: 'Change a user',
      tag: TAG,
      allow: 'team:manage',
      site: false,
      body: UserPatchBody,
      answers: {
        200: { description: 'The user', schema: TeamMemberShape },
        404: { description: 'No such user' },
        409: { description: 'The last admin cannot be changed; or the e-mail is taken' },
      },
      async handle(call) {
        const id = getId(call.principal, call.params);
        return answer(await access.team.change(call.principal, id, await call.body()));
      },
    }),
    route({
      method: 'delete',
      path: '/api/admin/users/{id}',
      summary: 'Remove a user',
      tag: TAG,
      allow: 'team:manage',
      site: false,
      answers: {
        200: { description: 'Removed, with their access tokens', schema: SuccessShape },
        404: { description: 'No such user' },
        409: { description: 'The last admin cannot be removed' },
      },
      async handle({ principal, params }) {
        await access.team.remove(principal, getId(principal, params));
        return answer({ success: true });
      },
    }),
  ];
}
