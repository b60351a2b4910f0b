// Lists and ends the sessions of users. With the session cookie only, as for access tokens.
import { type Route, route } from '../../http/route.ts';
import type { Access } from '../access.ts';
import { OfUserQuery } from '../input.ts';
import { answer, getSession, isSecure, type RequestOf } from '../routes-signed-in.ts';
import { EndedSessionsShape, SessionListShape, SuccessShape } from '../shapes.ts';
import { toClearedCookie } from './cookie.ts';

const TAG = 'Sessions';

export function sessionRoutes(access: Access, requestOf: RequestOf): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/admin/sessions',
      summary: 'List one’s own sessions; with `user`, those of another user (team:manage)',
      tag: TAG,
      allow: 'session',
      site: false,
      query: OfUserQuery,
      answers: {
        200: { description: 'The open sessions, most recently seen first', schema: SessionListShape },
        403: { description: 'They are another user’s, and team:manage or some of that user’s rights are missing' },
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
      path: '/api/admin/sessions',
      summary: 'End all of one’s own sessions but this one; with `user`, those of another user (team:manage)',
      tag: TAG,
      allow: 'session',
      site: false,
      query: OfUserQuery,
      answers: {
        200: { description: 'Ended at once', schema: EndedSessionsShape },
        403: { description: 'They are another user’s, and team:manage or some of that user’s rights are missing' },
        404: { description: 'No such user' },
      },
      async handle(call) {
        const { sid, user } = getSession(access, requestOf(call));
        return answer({ ended: await access.oversight.endSessions(call.principal, call.query().user ?? user.id, sid) });
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
        200: {
          description: 'Ended at once; if it was the current session, its cookie is cleared',
          schema: SuccessShape,
        },
        403: { description: 'The session belongs to a user with more rights' },
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
