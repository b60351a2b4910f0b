// A real OpenID provider on 127.0.0.1, with accounts that may sign in there, and a browser that does so with its forms.
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface Account {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

export interface OpenIdProvider extends AsyncDisposable {
  issuer: string;
  /** By login name, which is their `sub`. */
  accounts: Map<string, Account>;
  /** Changes what the token endpoint answers. */
  tamper: { tokens?: (answer: Record<string, unknown>) => void };
  /** Makes an id token with these claims and a valid signature. */
  sign(claims: object): string;
  /** True if it does not answer at all. */
  isDown: boolean;
  /** How many requests it got. */
  requests: number;
  /** Signs in there as `login` and returns the address to which the browser is sent back. */
  signIn(url: string, login: string): Promise<URL>;
}

/** A part of a signed token. */
export function toPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The claims of a signed token. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

export const CLIENT_ID = 'colophon';
export const CLIENT_SECRET = 'a-secret-of-the-client-0123456789';

export async function makeOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const accounts = new Map<string, Account>();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'ES256' };
  let answer: ReturnType<Provider['callback']>;

  const server = createServer((req, res) => {
    world.requests += 1;
    if (world.isDown) req.socket.destroy();
    else answer(req, res);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const world: OpenIdProvider = {
    issuer,
    accounts,
    tamper: {},
    sign(claims) {
      const text = [{ alg: 'ES256', kid: 'k1' }, claims].map(toPart).join('.');
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
    isDown: false,
    requests: 0,
    signIn: (url, login) => signIn(url, login, redirectUri),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    ttl: { IdToken: 600, AccessToken: 60, AuthorizationCode: 60, Grant: 60, Session: 60, Interaction: 60 },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...accounts.get(sub) }),
    }),
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path === '/token' && ctx.body?.id_token) world.tamper.tokens?.(ctx.body);
  });
  answer = provider.callback();
  return world;
}

/** Follows redirects and sends the forms of the sign-in page, until the browser is sent to `end`. */
async function signIn(start: string, login: string, end: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    form = undefined;
    const location = answer.headers.get('location');
    const page = await answer.text();
    if (location !== null) {
      url = new URL(location, url);
      if (url.href.startsWith(end)) return url;
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (answer.status !== 200 || prompt === undefined || action === undefined) {
      throw new Error(`the provider answered ${answer.status}: ${page.slice(0, 500)}`);
    }
    url = new URL(action, url);
    form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) });
  }
  throw new Error('the provider redirects in circles');
}
