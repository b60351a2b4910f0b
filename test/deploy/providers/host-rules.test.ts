import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Redirect } from '../../../src/build/build.ts';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import { type RulesRequest, withHostRules } from '../../../src/deploy/providers/host-rules.ts';
import { makeDeployBench } from '../../support/publication.ts';

const PAGE = '<p>page';
const SITE = { 'index.html': PAGE, 'new/index.html': PAGE, 'taken/index.html': PAGE, 'plain.html': PAGE, file: 'x' };
const MOVED: Redirect = { from: '/old/', to: '/new/' };

async function publish(texts: Record<string, string>, request: Pick<RulesRequest, 'form'> & Partial<RulesRequest>) {
  await using bench = await makeDeployBench();
  const { files } = await bench.publication(texts);
  const lines: string[] = [];
  const all = await withHostRules({
    files,
    redirects: [MOVED],
    isPreview: false,
    folder: path.join(bench.folder, 'made'),
    log: (line) => lines.push(line),
    ...request,
  });
  const names = all.map((file) => file.path);
  assert.equal(names, names.toSorted());
  const made: Record<string, string> = {};
  for (const file of all) {
    const text = await readFile(file.file, 'utf8');
    assert.is(file.sizeBytes, Buffer.byteLength(text));
    if (texts[file.path] !== text) made[file.path] = text;
  }
  return { names, made, lines };
}

test('a host with a file of redirects gets lines after those of the build', async () => {
  const { made } = await publish({ ...SITE, _redirects: '/a /b 302' }, { form: 'redirects-file' });
  assert.equal(made, { _redirects: '/a /b 302\n/old/ /new/ 301\n' });
});

test('a redirect hides no file, and leads to none that is missing', async () => {
  const redirects = [
    { from: '/taken/', to: '/new/' },
    { from: '/plain/', to: '/new/' },
    { from: '/file/', to: '/new/' },
    { from: '/', to: '/new/' },
    { from: '/gone/', to: '/missing/' },
    { from: '/self/', to: '/self/' },
  ];
  for (const form of ['redirects-file', 'vercel-json', 'pages'] as const) {
    assert.equal((await publish(SITE, { form, redirects })).made, {}, form);
  }
});

test('the rules of the build come first, and the newest of two redirects wins', async () => {
  const redirects = [MOVED, { from: '/old/', to: '/taken/' }, { from: '/older/', to: '/new/' }];
  const { made } = await publish({ ...SITE, _redirects: '/older /taken 301\n' }, { form: 'redirects-file', redirects });
  assert.is(made._redirects, '/older /taken 301\n/old/ /new/ 301\n');
});

test('of more redirects than a host takes the newest stay, and the log counts the others', async () => {
  const redirects = Array.from({ length: 2100 }, (_, index) => ({ from: `/old-${index}/`, to: '/new/' }));
  const { made, lines } = await publish(SITE, { form: 'redirects-file', redirects });
  const rules = made._redirects?.trim().split('\n') ?? [];
  assert.is(rules.length, 2000);
  assert.match(rules[0] ?? '', '/old-0/');
  assert.match(lines.join(), '100 ');
  const vercel = await publish(SITE, { form: 'vercel-json', redirects });
  assert.is(JSON.parse(vercel.made['vercel.json'] ?? '').redirects.length, 2000);
  assert.match(vercel.lines.join(), '100 ');
});

test('what means something in a rule is encoded', async () => {
  const redirects = [{ from: '/a b:c*(d)\n/é/', to: '/new/' }];
  const encoded = '/a%20b%3Ac%2A%28d%29%0A/%C3%A9/';
  assert.is((await publish(SITE, { form: 'redirects-file', redirects })).made._redirects, `${encoded} /new/ 301\n`);
  const vercel = JSON.parse((await publish(SITE, { form: 'vercel-json', redirects })).made['vercel.json'] ?? '');
  assert.is(vercel.redirects[0].source, `${encoded.slice(0, -1)}{/}?`);
});

test('Vercel gets one file of the rules of the build and ours, ours last', async () => {
  const built = {
    'vercel.json': JSON.stringify({ cleanUrls: true, redirects: [{ source: '/x', destination: '/y' }] }),
    _redirects:
      '# moved\n/a/* /b/:splat 302\n/taken /new 301\n/forced/:id /new/:id 301!\n/api/* https://api.example/:splat 200\n/c /d 301 Country=se\n',
    _headers: '/*\n  X-Frame-Options: DENY\n  Link: <a>; rel=b\n',
  };
  const { names, made, lines } = await publish({ ...SITE, ...built }, { form: 'vercel-json', isPreview: true });
  assert.equal(JSON.parse(made['vercel.json'] ?? ''), {
    cleanUrls: true,
    redirects: [
      { source: '/x', destination: '/y' },
      { source: '/a/:splat*', destination: '/b/:splat*', statusCode: 302 },
      { source: '/forced/:id', destination: '/new/:id', statusCode: 301 },
      { source: '/old{/}?', destination: '/new/', statusCode: 301 },
    ],
    rewrites: [{ source: '/api/:splat*', destination: 'https://api.example/:splat*' }],
    headers: [
      {
        source: '/:splat*',
        headers: [
          { key: 'X-Frame-Options', value: 'DENY' },
          { key: 'Link', value: '<a>; rel=b' },
        ],
      },
      { source: '/(.*)', headers: [{ key: 'X-Robots-Tag', value: 'noindex' }] },
    ],
  });
  assert.not(names.includes('_redirects') || names.includes('_headers'));
  assert.match(lines.join(), 'Country=se');
});

test('a vercel.json with routes stays as it is, because Vercel takes nothing beside them', async () => {
  const { made, lines } = await publish({ ...SITE, 'vercel.json': '{"routes":[]}' }, { form: 'vercel-json' });
  assert.equal(JSON.parse(made['vercel.json'] ?? '{"routes":[]}'), { routes: [] });
  assert.is(lines.length, 1);
});

test('a vercel.json that cannot be read fails the deploy', async () => {
  for (const text of ['{', '[]', 'null']) {
    const error = await publish({ ...SITE, 'vercel.json': text }, { form: 'vercel-json' }).catch(
      (thrown: unknown) => thrown,
    );
    assert.instance(error, HostError);
    assert.is((error as HostError).reason, 'refused_input');
  }
});

test('a host without rules gets a page for each redirect, which works below any folder', async () => {
  const redirects = [
    { from: '/old/deep/', to: '/new/' },
    { from: '/up/', to: '/' },
  ];
  const texts = { ...SITE, _redirects: '/a/* /b 301\n/gone https://other.example/?a=1&b="2 301\n' };
  const { made, lines } = await publish(texts, { form: 'pages', redirects });
  assert.equal(Object.keys(made), ['gone/index.html', 'old/deep/index.html', 'up/index.html']);
  const address = (page: string | undefined) => /http-equiv="refresh" content="0; url=([^"]*)"/.exec(page ?? '')?.[1];
  assert.is(address(made['old/deep/index.html']), '../../new/');
  assert.match(made['old/deep/index.html'] ?? '', '<link rel="canonical" href="../../new/">');
  assert.is(address(made['up/index.html']), '../');
  assert.is(address(made['gone/index.html']), 'https://other.example/?a=1&amp;b=&quot;2');
  assert.not.match(made['up/index.html'] ?? '', 'noindex');
  assert.is(lines.length, 1);
});

test('a page of a redirect stays in the output, and takes no file for a folder', async () => {
  const texts = { ...SITE, _redirects: '/%2e%2e/%2e%2e/evil /new 301\n/../up /new 301\n/a%00b /new 301\n' };
  const { made } = await publish(texts, { form: 'pages', redirects: [{ from: '/file/below/', to: '/new/' }] });
  assert.equal(made, {});
});

test('a preview is not indexed', async () => {
  const lines = await publish({ ...SITE, _headers: '/a\n  B: c' }, { form: 'redirects-file', isPreview: true });
  assert.is(lines.made._headers, '/a\n  B: c\n/*\n  X-Robots-Tag: noindex\n');
  const pages = await publish(SITE, { form: 'pages', isPreview: true });
  assert.match(pages.made['old/index.html'] ?? '', 'noindex');
});

test('the same site gives the same bytes', async () => {
  for (const form of ['redirects-file', 'vercel-json', 'pages', 'none'] as const) {
    assert.equal((await publish(SITE, { form })).made, (await publish(SITE, { form })).made);
  }
});

test.run();
