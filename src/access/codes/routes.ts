// One's own one-time codes, and those of others for people who manage the team.
import { type Route, route } from '../../http/route.ts';
import { conflict, invalid } from '../../lib/errors.ts';
import type { Access } from '../access.ts';
import { answer, getSession, type RequestOf, toClient } from '../routes-signed-in.ts';
import { CodeSecretShape, RecoveryCodesShape, SuccessShape } from '../shapes.ts';
import { BeginCodesBody, ConfirmCodesBody, EndCodesBody } from './input.ts';

const PATH = '/api/admin/profile/one-time-codes';
const TAG = 'Admin';

export function codeRoutes(access: Access, requestOf: RequestOf): Route[] {
  return [
    route({
      method: 'post',
      path: PATH,
      summary: 'Start setting up one-time codes: get a secret for an authenticator app',
      tag: TAG,
      allow: 'session',
      site: false,
      body: BeginCodesBody,
      answers: {
        200: {
          description: 'The secret; sign-in asks for no code until one of its codes confirms it',
          schema: CodeSecretShape,
        },
        400: { description: 'The current password is wrong' },
        409: { description: 'Codes are on' },
      },
      async handle(call) {
        const request = requestOf(call);
        const { user } = getSession(access, request);
        const { currentPassword } = await call.body();
        if (!(await access.signIn.confirm(user, currentPassword, toClient(access, request)))) {
          throw invalid([{ path: 'currentPassword', message: 'is wrong' }]);
        }
        return answer(await access.codes.begin(user));
      },
    }),
    route({
      method: 'post',
      path: `${PATH}/confirm`,
      summary: 'Turn one-time codes on with a first code',
      tag: TAG,
      allow: 'session',
      site: false,
      body: ConfirmCodesBody,
      answers: {
        200: { description: 'On; the recovery codes, shown only this once', schema: RecoveryCodesShape },
        400: { description: 'The code is wrong' },
        409: { description: 'No secret was requested in the last 30 minutes, or codes are on' },
      },
      async handle(call) {
        const { user } = getSession(access, requestOf(call));
        return answer(await access.codes.confirm(user, (await call.body()).code));
      },
    }),
    route({
      method: 'delete',
      path: PATH,
      summary: 'Turn one-time codes off',
      tag: TAG,
      allow: 'session',
      site: false,
      body: EndCodesBody,
      answers: {
        200: { description: 'Off', schema: SuccessShape },
        400: { description: 'The current password or the code is wrong' },
        409: { description: 'Codes are off' },
      },
      async handle(call) {
        const request = requestOf(call);
        const { user } = getSession(access, request);
        const { currentPassword: password, code } = await call.body();
        if (!user.oneTimeCodes) throw conflict('one-time codes are off');
        if (!(await access.signIn.confirmBoth(user, { password, code }, toClient(access, request)))) {
          throw invalid('the current password or the code is wrong');
        }
        await access.codes.remove(user.id, undefined, { id: user.id, name: user.name, email: user.email });
        return answer({ success: true });
      },
    }),
    route({
      method: 'delete',
      path: '/api/admin/users/{id}/one-time-codes',
      summary: 'Turn off the one-time codes of a user who has lost the phone',
      tag: 'Users',
      allow: 'team:manage',
      site: false,
      answers: {
        200: { description: 'Off', schema: SuccessShape },
        404: { description: 'No such user' },
      },
      async handle({ principal, params: { id = '' } }) {
        await access.team.removeCodes(principal, access.team.get(principal, id).id);
        return answer({ success: true });
      },
    }),
  ];
}
