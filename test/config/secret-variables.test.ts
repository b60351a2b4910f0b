import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Environment } from '../../src/config/env.ts';
import { isShown, namedVariables, OWN_SECRETS, secretValues } from '../../src/config/secret-variables.ts';

/** Harmless, although a part of their names sounds otherwise. */
const NO_SECRETS = ['CMS_OIDC_CLIENT_ID', 'CMS_OIDC_ROLES_CLAIM', 'CMS_REQUIRE_CODES'];

test('every variable of the service is either one of its secrets or may be seen by other processes', () => {
  const shown = Object.keys(Environment.shape).filter((name) => isShown(name, 'value'));
  const rest = Object.keys(Environment.shape).filter((name) => !shown.includes(name));
  assert.equal(rest.sort(), [...OWN_SECRETS].sort());
  for (const name of shown.filter((one) => !NO_SECRETS.includes(one)))
    assert.not.match(name, /SECRET|KEY|TOKEN|PASS|SMTP/);
});

test('variables of others are hidden: by their names, by what they hold, and if nobody knows them', () => {
  for (const name of [
    'NODE_AUTH_TOKEN',
    'CMS_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'SITE_REMOTE',
    'PGPASSWORD',
    'SENTRY_DSN',
  ])
    assert.not(isShown(name, 'value'), name);
  for (const name of ['PATH', 'HOME', 'LC_ALL', 'NODE_OPTIONS', 'TZ', 'https_proxy'])
    assert.ok(isShown(name, 'x'), name);
  assert.not(isShown('CMS_PUBLIC_URL', 'https://user:password@cms.example.org'));
  assert.not(isShown('HTTPS_PROXY', 'http://user:password@proxy'));
});

test('the values that no log shows are those of secrets, of variables that a configuration names, and passwords', () => {
  const config = {
    remote: { url: 'https://git.example.org/a.git', tokenEnv: 'SITE_REMOTE' },
    forms: [{ spam: { turnstile: { secretEnv: 'CHALLENGE' } } }],
  };
  const named = namedVariables(config);
  assert.equal(named, ['SITE_REMOTE', 'CHALLENGE']);
  const variables = {
    ...{ SITE_REMOTE: 'remote', CHALLENGE: 'challenge', OPENAI_API_KEY: 'key', HOME: '/home/ada', OTHER: 'other' },
    DATABASE: 'postgres://ada:p%40ss@db/x',
    BROKEN: 'http://a:%zz@db',
  };
  assert.equal(secretValues(variables, named).sort(), ['%zz', '%zz', 'challenge', 'key', 'p%40ss', 'p@ss', 'remote']);
});

test.run();
