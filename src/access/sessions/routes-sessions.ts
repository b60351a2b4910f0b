// Where somebody is signed in. With the session cookie only, as access tokens are.
import { type Route, route } from '../../http/route.ts';
import type { Access } from '../access.ts';
import { OfUserQuery } from '../input.ts';
import { answer, getSession, isSecure, type RequestOf } from '../routes-signed-in.ts';
import { SessionListShape, SuccessShape } from '../shapes.ts';
import { toClearedCookie } from './cookie.ts';

const TAG = 'Sessions';

export function sessionRoutes(access: Access, requestOf: RequestOf): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/admin/sessions',
      summary: 'List one’s own sessions; with `user`, those of another, for team:manage',
      tag: TAG,
      allow: 'session',
      site: false,
      query: OfUserQuery,
      answers: {
        200: { description: 'The open sessions, the one seen last first', schema: SessionListShape },
        403: { description: 'Of somebody else, without team:manage or with less rights than they have' },
        404: { description: 'No such user' },
      },
      handle(call) {
        const { sid } = getSession(access, requestOf(call));
        const sessions = access.oversight.listSessions(call.principal, call.query().user);
        const shown = sessions.map((session) => ({ ...session, current: session.id === sid }));
        return answer({ sessions: shown, total: shown.length });
      },
    }),
    route({
      method: 'delete',
      path: '/api/admin/sessions/{id}',
      summary: 'End a session',
      tag: TAG,
      allow: 'session',
      site: false,
      answers: {
        200: { description: 'Ended at once; if it was the present one, its cookie is cleared', schema: SuccessShape },
        403: { description: 'Of somebody with more rights' },
        404: { description: 'No such session' },
      },
      async handle(call) {
        const { sid } = getSession(access, requestOf(call));
        const { id = '' } = call.params;
        await access.oversight.endSession(call.principal, id);
        return answer({ success: true }, id === sid ? { 'Set-Cookie': toClearedCookie(isSecure(access)) } : {});
      },
    }),
  ];
}
