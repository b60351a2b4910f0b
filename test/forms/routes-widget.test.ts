// The script and the page of a form, over HTTP: their headers, and who may load them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { makeWorld } from '../support/world.ts';

const CONFIG: SiteConfigInput = {
  collections: [],
  defaultLocale: 'de',
  forms: [{ name: 'contact', label: 'Kontakt', fields: [{ name: 'email', type: 'email', required: true }] }],
};

test('the script is served to every origin, and can be revalidated', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const path = '/api/forms/contact/widget.js';
  const { status, headers, text } = await world.anonymous.get(path, { origin: 'https://anybody.example' });
  assert.is(status, 200);
  assert.is(headers['content-type'], 'text/javascript; charset=utf-8');
  assert.is(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.is(headers['access-control-allow-origin'], '*');
  assert.is(headers['x-content-type-options'], 'nosniff');
  assert.is(headers['cache-control'], 'public, max-age=300');
  assert.is(headers['set-cookie'], undefined);
  assert.match(text, /\('contact'\);\n$/);
  const again = await world.anonymous.get(path, { 'if-none-match': String(headers.etag) });
  assert.equal([again.status, again.text, again.headers['cache-control']], [304, '', 'public, max-age=300']);
  const packed = await world.anonymous.get(path, { 'accept-encoding': 'gzip' });
  assert.is(packed.headers['content-encoding'], 'gzip');
  assert.is((await world.anonymous.head(path)).status, 200);
});

test('an undefined form has neither script nor page', async () => {
  await using world = await makeWorld({ config: CONFIG });
  for (const name of ['none', '__proto__', 'Contact', '..%2fcontact']) {
    assert.is((await world.anonymous.get(`/api/forms/${name}/widget.js`)).status, 404, name);
    assert.is((await world.anonymous.get(`/api/forms/${name}`)).status, 404, name);
  }
});

test('the page of a form is in the language of the site, runs no script and is not indexed', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { status, headers, text } = await world.anonymous.get('/api/forms/contact');
  assert.is(status, 200);
  assert.is(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
  assert.is(headers['referrer-policy'], 'same-origin');
  assert.is(headers['x-robots-tag'], 'noindex');
  assert.match(text, /^<!doctype html>\n<html lang="de">/);
  assert.match(text, /<h1>Kontakt<\/h1>/);
});

test('with several sites, script and page are those of the named site', async () => {
  await using world = await makeWorld({ config: CONFIG, sites: { other: { collections: [] } } });
  for (const path of ['/api/forms/contact/widget.js', '/api/forms/contact']) {
    assert.is((await world.anonymous.get(path)).status, 200, 'the page of the default site');
    assert.is((await world.anonymous.get(`${path}?site=default`)).status, 200);
    assert.is((await world.anonymous.get(`${path}?site=other`)).status, 404);
    assert.is((await world.anonymous.get(`${path}?site=none`)).status, 404);
  }
});

test.run();
