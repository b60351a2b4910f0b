import { resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { EnvError, parseEnv } from '../../src/config/env.ts';

function refusedNames(variables: Record<string, string>): string[] {
  try {
    parseEnv(variables);
  } catch (error) {
    assert.instance(error, EnvError);
    return (error as EnvError).problems.map(({ path }) => path).sort();
  }
  return [];
}

test('an empty environment gives the documented defaults', () => {
  assert.equal(parseEnv({}), {
    port: 3010,
    host: '127.0.0.1',
    dataDir: resolve('.data'),
    configPath: resolve('content/cms.config.ts'),
    trustProxy: 0,
    scheduler: true,
    sitesDir: resolve('content'),
    unconfinedBuilds: false,
    buildNetwork: true,
    buildPaths: [],
    allowPrivateTargets: false,
    flyApiUrl: 'https://api.machines.dev/v1',
    rateLimit: 6000,
    requireCodes: [],
    logLevel: 'info',
    production: false,
  });
});

test('every variable is read', () => {
  assert.equal(
    parseEnv({
      NODE_ENV: 'production',
      PORT: '0',
      HOST: '0.0.0.0',
      CMS_DATA_DIR: '/var/lib/colophon',
      CMS_CONFIG_PATH: '/etc/cms.config.json',
      CMS_JWT_SECRET: 'x'.repeat(32),
      CMS_SERVICE_SECRET: 'service',
      DEPLOY_NOTIFY_SECRET: 'notify',
      CMS_PUBLIC_URL: 'https://cms.example/',
      CMS_ADMIN_URL: 'http://localhost:3000/admin/',
      CMS_TRUST_PROXY: '2',
      CMS_EMAIL_FROM: 'Colophon <cms@example.com>',
      RESEND_API_KEY: 're_1',
      SMTP_URL: 'smtps://user:password@mail.example:465',
      ANTHROPIC_API_KEY: 'a',
      OPENAI_API_KEY: 'o',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      GITHUB_TOKEN: 'g',
      CMS_SCHEDULER: 'off',
      CMS_SETUP_TOKEN: 'setup',
      CMS_SITES_DIR: '/etc/sites',
      CMS_BUILDS: 'unconfined',
      CMS_BUILD_NETWORK: 'off',
      CMS_BUILD_PATHS: '/opt/hugo:/opt/node/',
      CMS_ALLOW_PRIVATE_TARGETS: 'on',
      FLY_API_URL: 'http://127.0.0.1:9/fly/',
      CMS_RATE_LIMIT: '0',
      CMS_SITE_QUOTA: '20GB',
      LOG_LEVEL: 'silent',
      LOG_FORMAT: 'text',
      CMS_REQUIRE_CODES: 'admin, editor',
      CMS_OIDC_ISSUER: 'https://id.example/realms/a/',
      CMS_OIDC_CLIENT_ID: 'colophon',
      CMS_OIDC_CLIENT_SECRET: 'c',
      CMS_OIDC_ROLES: 'cms=admins=admin, Writers=editor',
      CMS_OIDC_ROLES_CLAIM: 'roles',
      CMS_OIDC_SCOPES: 'openid email',
      CMS_OIDC_NAME: 'Example ID',
      SOMETHING_ELSE: 'ignored',
    }),
    {
      port: 0,
      host: '0.0.0.0',
      dataDir: '/var/lib/colophon',
      configPath: '/etc/cms.config.json',
      jwtSecret: 'x'.repeat(32),
      serviceSecret: 'service',
      deployNotifySecret: 'notify',
      publicUrl: 'https://cms.example',
      adminUrl: 'http://localhost:3000/admin',
      trustProxy: 2,
      emailFrom: 'Colophon <cms@example.com>',
      resendApiKey: 're_1',
      smtpUrl: 'smtps://user:password@mail.example:465',
      anthropicApiKey: 'a',
      openaiApiKey: 'o',
      openaiBaseUrl: 'http://127.0.0.1:9/v1',
      githubToken: 'g',
      scheduler: false,
      setupToken: 'setup',
      sitesDir: '/etc/sites',
      unconfinedBuilds: true,
      buildNetwork: false,
      buildPaths: ['/opt/hugo', '/opt/node'],
      allowPrivateTargets: true,
      flyApiUrl: 'http://127.0.0.1:9/fly',
      rateLimit: 0,
      siteQuota: 20_000_000_000,
      requireCodes: ['admin', 'editor'],
      oidc: {
        issuer: 'https://id.example/realms/a/',
        clientId: 'colophon',
        clientSecret: 'c',
        roles: [
          { value: 'cms=admins', role: 'admin' },
          { value: 'Writers', role: 'editor' },
        ],
        rolesClaim: 'roles',
        scopes: 'openid email',
        name: 'Example ID',
      },
      logLevel: 'silent',
      logFormat: 'text',
      production: true,
    },
  );
});

test('an empty variable counts as absent', () => {
  assert.equal(
    parseEnv({ PORT: '', CMS_JWT_SECRET: '', CMS_PUBLIC_URL: '', CMS_SITES_DIR: '', LOG_LEVEL: '' }),
    parseEnv({}),
  );
});

test('every problem is reported at once, by the name of its variable', () => {
  assert.equal(
    refusedNames({
      PORT: 'http',
      CMS_PUBLIC_URL: 'cms.example',
      CMS_ADMIN_URL: 'javascript:alert(1)',
      CMS_TRUST_PROXY: '-1',
      CMS_EMAIL_FROM: 'nobody',
      SMTP_URL: 'http://mail.example',
      OPENAI_BASE_URL: 'x',
      CMS_SCHEDULER: 'yes',
      CMS_BUILDS: 'off',
      CMS_BUILD_NETWORK: 'public',
      CMS_BUILD_PATHS: 'tools',
      CMS_ALLOW_PRIVATE_TARGETS: 'true',
      CMS_RATE_LIMIT: 'many',
      CMS_SITE_QUOTA: '2 TB',
      LOG_LEVEL: 'loud',
      LOG_FORMAT: 'xml',
    }),
    [
      'CMS_ADMIN_URL',
      'CMS_ALLOW_PRIVATE_TARGETS',
      'CMS_BUILDS',
      'CMS_BUILD_NETWORK',
      'CMS_BUILD_PATHS',
      'CMS_EMAIL_FROM',
      'CMS_PUBLIC_URL',
      'CMS_RATE_LIMIT',
      'CMS_SCHEDULER',
      'CMS_SITE_QUOTA',
      'CMS_TRUST_PROXY',
      'LOG_FORMAT',
      'LOG_LEVEL',
      'OPENAI_BASE_URL',
      'PORT',
      'SMTP_URL',
    ],
  );
});

test('configurations of further sites are next to the default one unless a folder is named', () => {
  assert.is(parseEnv({ CMS_CONFIG_PATH: '/srv/a/cms.config.ts' }).sitesDir, '/srv/a');
  assert.is(parseEnv({ CMS_CONFIG_PATH: '/srv/a/cms.config.ts', CMS_SITES_DIR: '' }).sitesDir, '/srv/a');
  assert.is(parseEnv({ CMS_SITES_DIR: 'sites' }).sitesDir, resolve('sites'));
});

test('builds may read folders around the data folder, where it is empty for them, and none in it', () => {
  const of = (CMS_BUILD_PATHS: string) => ({ CMS_DATA_DIR: '/srv/data', CMS_BUILD_PATHS });
  for (const paths of ['/', 'tools', '/srv/data', '/opt:/srv/data/tools'])
    assert.equal(refusedNames(of(paths)), ['CMS_BUILD_PATHS'], paths);
  assert.equal(parseEnv(of('/srv:/srv/database')).buildPaths, ['/srv', '/srv/database']);
});

test('ports are whole numbers that exist', () => {
  for (const PORT of ['-1', '65536', '80.5', '1e3', '0x50', ' 80', '99999999999'])
    assert.equal(refusedNames({ PORT }), ['PORT'], PORT);
  for (const PORT of ['0', '80', '65535']) assert.is(parseEnv({ PORT }).port, Number(PORT));
});

test('production refuses a short secret and accepts an absent one', () => {
  const short = { CMS_JWT_SECRET: 'x'.repeat(31) };
  assert.equal(refusedNames({ ...short, NODE_ENV: 'production' }), ['CMS_JWT_SECRET']);
  assert.equal(refusedNames({ ...short, NODE_ENV: 'development' }), []);
  assert.equal(refusedNames(short), []);
  assert.equal(refusedNames({ NODE_ENV: 'production' }), []);
  assert.equal(refusedNames({ ...short, NODE_ENV: 'production', PORT: 'x' }), ['CMS_JWT_SECRET', 'PORT']);
});

test('a secret can be sent in a header', () => {
  for (const value of ['ünïcode', 'a\nb', ' padded ', '\t'])
    assert.equal(refusedNames({ CMS_JWT_SECRET: value }), ['CMS_JWT_SECRET']);
  assert.is(parseEnv({ CMS_JWT_SECRET: 'correct horse' }).jwtSecret, 'correct horse');
});

test('a sender cannot add header lines', () => {
  assert.equal(refusedNames({ CMS_EMAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }), ['CMS_EMAIL_FROM']);
});

test('a message repeats a value that is not a secret', () => {
  try {
    parseEnv({ PORT: '70000', LOG_LEVEL: 'loud' });
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /PORT: .*, not "70000"\n/);
    assert.match((error as Error).message, /LOG_LEVEL: .*, not "loud"$/);
  }
});

test('no message repeats a secret', () => {
  const secret = 'hunter2\nhunter2';
  try {
    parseEnv({ CMS_JWT_SECRET: secret, SMTP_URL: `http://me:${secret}@mail.example`, GITHUB_TOKEN: secret });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, EnvError);
    assert.not.match((error as Error).message, /hunter2/);
  }
});

test('the result cannot be changed', () => {
  assert.ok(Object.isFrozen(parseEnv({})));
});

test('an OpenID provider is configured completely or not at all', () => {
  const whole = {
    CMS_OIDC_ISSUER: 'https://id.example',
    CMS_OIDC_CLIENT_ID: 'colophon',
    CMS_PUBLIC_URL: 'https://cms.example',
  };
  assert.equal(refusedNames(whole), []);
  assert.equal(refusedNames({ CMS_OIDC_ISSUER: whole.CMS_OIDC_ISSUER }), ['CMS_OIDC_CLIENT_ID', 'CMS_PUBLIC_URL']);
  for (const issuer of ['http://id.example', 'id.example', 'https://id.example?a=b', 'http://127.evil.example']) {
    assert.equal(refusedNames({ ...whole, CMS_OIDC_ISSUER: issuer }), ['CMS_OIDC_ISSUER'], issuer);
  }
  assert.equal(refusedNames({ ...whole, CMS_OIDC_ISSUER: 'http://127.0.0.1:8080' }), []);
  for (const roles of ['admins', 'admins=owner', '=admin', 'admins=admin,']) {
    assert.equal(refusedNames({ ...whole, CMS_OIDC_ROLES: roles }), ['CMS_OIDC_ROLES'], roles);
  }
  assert.equal(refusedNames({ CMS_REQUIRE_CODES: 'admin,owner' }), ['CMS_REQUIRE_CODES']);
  assert.equal(refusedNames({ ...whole, CMS_OIDC_SCOPES: 'email profile' }), ['CMS_OIDC_SCOPES']);
});

test.run();
