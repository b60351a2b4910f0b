// Sign-in through the OpenID provider, and the available ways of signing in.
import { type Route, route } from '../../http/route.ts';
import { notFound } from '../../lib/errors.ts';
import type { Access } from '../access.ts';
import { answer, beginSession, isSecure, type LinkBaseOf, type RequestOf } from '../routes-signed-in.ts';
import { findCookie, toProviderCookie } from '../sessions/cookie.ts';
import { SignInMethodsShape } from '../shapes.ts';
import { LeaveQuery, ProviderQuery } from './input.ts';
import { CALLBACK_PATH, ERRAND_SECONDS, type OpenId } from './open-id.ts';

const PATH = '/api/auth/oidc';
const TAG = 'Authentication';

export function openIdRoutes(access: Access, ports: { requestOf: RequestOf; linkBase: LinkBaseOf }): Route[] {
  function getOpenId(): OpenId {
    if (!access.openId) throw notFound('sign-in provider');
    return access.openId;
  }

  function redirect(location: string, cookies: string[]) {
    return { status: 302, headers: { Location: location, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' } };
  }

  return [
    route({
      method: 'get',
      path: '/api/auth/methods',
      summary: 'The ways of signing in',
      tag: TAG,
      allow: 'public',
      site: false,
      answers: { 200: { description: 'What a sign-in page offers', schema: SignInMethodsShape } },
      handle: (call) =>
        answer({
          password: true,
          reset: access.links.maySend(ports.linkBase(call)),
          openId: access.openId ? { name: access.openId.name, url: PATH } : null,
        }),
    }),
    route({
      method: 'get',
      path: PATH,
      summary: 'Go to the OpenID provider to sign in',
      tag: TAG,
      allow: 'public',
      site: false,
      query: LeaveQuery,
      answers: {
        302: { description: 'Redirect to the provider' },
        404: { description: 'No provider is set up' },
        502: { description: 'The provider cannot be reached' },
      },
      async handle(call) {
        const openId = getOpenId();
        const { url, cookie } = await openId.begin(call.query().next);
        return redirect(url, [toProviderCookie(PATH, cookie, ERRAND_SECONDS, isSecure(access))]);
      },
    }),
    route({
      method: 'get',
      path: CALLBACK_PATH,
      summary: 'Come back from the OpenID provider',
      tag: TAG,
      allow: 'public',
      site: false,
      query: ProviderQuery,
      answers: {
        302: { description: 'Signed in; sets the session cookie' },
        401: { description: 'This browser did not begin the sign-in, or the answer of the provider is not valid' },
        403: {
          description: 'The provider gives the person no role here, or does not vouch for enough to link the account',
        },
        404: { description: 'No provider is set up' },
        502: { description: 'The provider cannot be reached' },
      },
      async handle(call) {
        const openId = getOpenId();
        const request = ports.requestOf(call);
        const { user, next } = await openId.finish(
          call.query(),
          findCookie(request.headers, 'provider', isSecure(access)),
        );
        await access.recordSignIn(user, [
          { key: 'address', before: null, after: request.ip },
          { key: 'provider', before: null, after: user.provider?.issuer },
        ]);
        const cookies = await beginSession(access, user, request);
        return redirect(next, [...cookies, toProviderCookie(PATH, '', 0, isSecure(access))]);
      },
    }),
  ];
}
