// The builds of a served site: a profile with a command, and one that the theme makes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BuildError, type BuildRequest } from '../../src/build/build.ts';
import type { OpenedBuilds } from '../../src/build/service.ts';
import { parseEnv } from '../../src/config/env.ts';
import { openBuildSandbox } from '../../src/sites/build-sandbox.ts';
import { openSiteBuilds } from '../../src/sites/site-builds.ts';
import { CONFIG, makeWorld, type World } from '../support/world.ts';

const silent = (signal = new AbortController().signal): Pick<BuildRequest, 'log' | 'signal'> => ({
  log: () => undefined,
  signal,
});

function openBuildsOf(world: World): Promise<OpenedBuilds> {
  // Unconfined only on a machine without bwrap.
  const env = parseEnv({ CMS_DATA_DIR: world.dataDir, CMS_BUILDS: 'unconfined' });
  const variables = { PATH: process.env.PATH };
  return openSiteBuilds({
    site: world.site(),
    folder: join(world.dataDir, 'sites', 'default'),
    configPath: join(world.dataDir, '..', 'configs', 'default', 'cms.config.json'),
    ...{ env, variables },
    sandbox: openBuildSandbox({ env, variables, warn: () => undefined }),
    findOutsider: () => undefined,
    warn: () => undefined,
  });
}

test('each profile is made by its command or by the theme, previews beside the site', async () => {
  const profiles = [{ name: 'theme' }, { name: 'copy', command: 'mkdir dist && cp content/posts/* dist/' }];
  await using world = await makeWorld({ config: { ...CONFIG, build: { profiles } } });
  await world.admin.post('/api/cms/posts', { slug: 'hello', status: 'published', data: { title: 'Hello' } });
  await world.admin.post('/api/cms/posts', { slug: 'draft', data: { title: 'Draft' } });
  const builds = await openBuildsOf(world);
  try {
    const site = await builds.build({ isPreview: false, ...silent() });
    const paths = site.files.map(({ path }) => path);
    assert.ok(paths.includes('blog/hello/index.html'), paths.join(' '));
    assert.not.ok(paths.some((path) => path.includes('draft')));
    const preview = await builds.build({ isPreview: true, ...silent() });
    assert.is.not(preview.folder, site.folder);
    assert.ok(existsSync(join(site.folder, 'blog/hello/index.html')));
    const copy = await builds.build({ profile: 'copy', isPreview: false, ...silent() });
    assert.equal(
      copy.files.map(({ path }) => path),
      ['hello.json'],
    );
    let error: unknown;
    await builds.build({ isPreview: false, ...silent(AbortSignal.abort()) }).catch((cause) => (error = cause));
    assert.instance(error, BuildError);
  } finally {
    await builds.close();
  }
});

test('a command gets redirects from old addresses to pages that it makes, where it makes no page itself', async () => {
  const page = (slug: string): string => `mkdir -p dist/blog/${slug}; echo ${slug} > dist/blog/${slug}/index.html`;
  const profiles = [
    { name: 'now', command: page('there') },
    { name: 'both', command: `${page('there')}; ${page('hello')}` },
    { name: 'elsewhere', command: page('somewhere') },
  ];
  await using world = await makeWorld({ config: { ...CONFIG, build: { profiles } } });
  await world.admin.post('/api/cms/posts', { slug: 'hello', status: 'published', data: { title: 'Hello' } });
  await world.admin.patch('/api/cms/posts/hello', { slug: 'there' });
  const builds = await openBuildsOf(world);
  const redirectsOf = async (profile: string) =>
    (await builds.build({ profile, isPreview: false, ...silent() })).redirects;
  try {
    assert.equal(await redirectsOf('now'), [{ from: '/blog/hello/', to: '/blog/there/' }]);
    assert.equal(await redirectsOf('both'), []);
    assert.equal(await redirectsOf('elsewhere'), []);
    // What the build before has found is used again, and followed further.
    await world.admin.patch('/api/cms/posts/there', { slug: 'here' });
    await world.admin.patch('/api/cms/posts/here', { slug: 'there' });
    const [, ...others] = await redirectsOf('now');
    assert.equal(others, [{ from: '/blog/hello/', to: '/blog/there/' }]);
  } finally {
    await builds.close();
  }
});

test.run();
