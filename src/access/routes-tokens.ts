// One's own access tokens. With the session cookie only: a token must not be able to make another.
import { type Route, route } from '../http/route.ts';
import type { Access } from './access.ts';
import { toAuditActor } from './actor.ts';
import { NewTokenBody } from './input.ts';
import { CreatedTokenShape, SuccessShape, TokenListShape } from './shapes.ts';
import { answer, getUser, need } from './signed-in.ts';

const TAG = 'Access tokens';

export function tokenRoutes(access: Access): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/admin/access-tokens',
      summary: 'List one’s own access tokens, masked',
      tag: TAG,
      allow: 'session',
      site: false,
      answers: {
        200: { description: 'The tokens', schema: TokenListShape },
        403: { description: 'The role has no tokens' },
      },
      handle({ principal }) {
        need(principal, 'tokens:manage');
        return answer({ tokens: access.tokens.list(getUser(access, principal)) });
      },
    }),
    route({
      method: 'post',
      path: '/api/admin/access-tokens',
      summary: 'Create an access token',
      tag: TAG,
      allow: 'session',
      site: false,
      body: NewTokenBody,
      answers: { 200: { description: 'The token, shown this once', schema: CreatedTokenShape } },
      async handle(call) {
        need(call.principal, 'tokens:manage');
        const owner = getUser(access, call.principal);
        const created = await access.tokens.create(owner, await call.body(), toAuditActor(call.principal));
        access.log.info({ userId: call.principal.userId, tokenId: created.id }, 'an access token was made');
        return answer(created);
      },
    }),
    route({
      method: 'delete',
      path: '/api/admin/access-tokens/{id}',
      summary: 'Revoke an access token',
      tag: TAG,
      allow: 'session',
      site: false,
      answers: { 200: { description: 'Revoked', schema: SuccessShape }, 404: { description: 'No such token' } },
      async handle({ principal, params }) {
        need(principal, 'tokens:manage');
        await access.tokens.revoke(getUser(access, principal), params.id ?? '', toAuditActor(principal));
        access.log.info({ userId: principal.userId, tokenId: params.id }, 'an access token was revoked');
        return answer({ success: true });
      },
    }),
  ];
}
