// A build that finds a secret of the service somewhere shows it to nobody who may read the log.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIG } from '../support/world.ts';
import { makeDeployWorld } from './world.ts';

const OWN = {
  CMS_JWT_SECRET: 'jwt-0123456789-0123456789-0123456789',
  CMS_SERVICE_SECRET: 'service-0123456789-0123456789-012345',
  CMS_SETUP_TOKEN: 'setup-0123456789',
  DEPLOY_NOTIFY_SECRET: 'notify-0123456789',
  RESEND_API_KEY: 'resend-0123456789',
  SMTP_URL: 'smtp://user:smtp-p%40ss-0123456789@127.0.0.1:1',
  ANTHROPIC_API_KEY: 'anthropic-0123456789',
  OPENAI_API_KEY: 'openai-0123456789',
  GITHUB_TOKEN: 'github-0123456789',
  CMS_OIDC_CLIENT_SECRET: 'oidc-0123456789',
};
/** Named by the configuration, by nothing but their own names, and inside of an address. */
const OTHERS = {
  CHALLENGE: 'challenge-0123456789',
  PLUGIN_API_KEY: 'plugin-0123456789',
  DATABASE_URL: 'postgres://user:database-0123456789@127.0.0.1:1/db',
};
const SECRETS = [...Object.values(OWN), OTHERS.CHALLENGE, OTHERS.PLUGIN_API_KEY];
const PASSWORDS = ['smtp-p@ss-0123456789', 'smtp-p%40ss-0123456789', 'database-0123456789'];

test('no secret of the process is in the log of a deploy, in whatever form and pieces a build prints it', async () => {
  const turnstile = { siteKey: 'public', secretEnv: 'CHALLENGE' };
  const forms = [{ name: 'contact', label: 'Contact', fields: [{ name: 'name', type: 'text' }], spam: { turnstile } }];
  await using world = await makeDeployWorld({
    variables: { ...OWN, ...OTHERS, EMPTY_TOKEN: '' },
    config: { ...CONFIG, forms: forms as never },
  });
  const all = [...SECRETS, ...PASSWORDS];
  const forms64 = all.flatMap((one) => [
    one,
    encodeURIComponent(one),
    Buffer.from(one).toString('base64'),
    Buffer.from(`user:${one}`).toString('base64url'),
  ]);
  world.host.output = [...forms64.map((form) => `<${form}>\n`).join('')];
  const { id } = await world.deployed();
  const { text } = await world.admin.get(`/api/admin/deploys/${id}/log`);
  assert.match(text, '<***>');
  assert.match(text, /^.*<\S*>$/m);
  for (const form of forms64) assert.is(text.includes(`<${form}>`), false, form);
  for (const one of all) assert.is(text.includes(one), false, one);
});

test.run();
