// The proxy that the operator's environment names, in a whole service: what it is asked for, and when it is used.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { proxiesOf } from '../../src/config/proxy-variables.ts';
import { eventually } from '../support/process.ts';
import { makeProxy } from '../support/proxy.ts';
import { CONFIG, makeWorld } from '../support/world.ts';

test('sign-in and mail go by the proxy of the process', async () => {
  await using proxy = await makeProxy();
  await using world = await makeWorld({
    env: {
      RESEND_API_KEY: 're_1',
      CMS_EMAIL_FROM: 'cms@example.com',
      CMS_PUBLIC_URL: 'https://cms.example',
      CMS_OIDC_ISSUER: 'https://id.example',
      CMS_OIDC_CLIENT_ID: 'cms',
      CMS_OIDC_CLIENT_SECRET: 'secret',
    },
    variables: { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy.url },
  });
  await world.anonymous.get('/api/auth/oidc');
  await world.anonymous.post('/api/auth/reset', { email: 'ada@example.com' });
  const wanted = ['CONNECT id.example:443', 'CONNECT api.resend.com:443'];
  const missing = () => wanted.filter((one) => !proxy.asked.includes(one));
  await eventually(() => assert.equal(missing(), []), 10_000);
});

test('a model goes by the proxy of the process', async () => {
  await using proxy = await makeProxy();
  await using world = await makeWorld({
    config: { ...CONFIG, ai: { provider: 'openai-compatible', model: 'm', baseURL: 'http://model.example/v1' } },
    variables: { NODE_USE_ENV_PROXY: '1', http_proxy: proxy.url },
  });
  const reply = await world.admin.post('/api/cms/ai/generate', { collection: 'posts', prompt: 'A post about bread' });
  assert.ok(proxy.asked.includes('POST http://model.example/v1/chat/completions'), JSON.stringify(reply.json));
});

test('proxies are used if the operator turned them on for Node, and nothing else of the environment is theirs', () => {
  const named = { HTTP_PROXY: 'http://a', https_proxy: 'http://b', NO_PROXY: 'c' };
  const rest = { SMTP_URL: 'smtp://d', https_proxy_old: 'e', HTTPS_PROXY: '' };
  assert.is(proxiesOf({ ...named, ...rest }), undefined);
  assert.is(proxiesOf({ ...named, NODE_USE_ENV_PROXY: '0' }), undefined);
  assert.equal(proxiesOf({ ...named, ...rest, NODE_USE_ENV_PROXY: '1' }), named);
  assert.equal(proxiesOf({ ...named, NODE_OPTIONS: '--expose-gc --use-env-proxy' }), named);
  assert.is(proxiesOf({ NODE_USE_ENV_PROXY: '1' }), undefined);
});

test.run();
