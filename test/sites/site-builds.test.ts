// The builds of a served site: a profile with a command, and one that the theme makes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BuildError, type BuildRequest } from '../../src/build/build.ts';
import { parseEnv } from '../../src/config/env.ts';
import { openSiteBuilds } from '../../src/sites/site-builds.ts';
import { CONFIG, makeWorld } from '../support/world.ts';

const silent = (signal = new AbortController().signal): Pick<BuildRequest, 'log' | 'signal'> => ({
  log: () => undefined,
  signal,
});

test('each profile is made by its command or by the theme, previews beside the site', async () => {
  const profiles = [{ name: 'theme' }, { name: 'copy', command: 'mkdir dist && cp content/posts/* dist/' }];
  await using world = await makeWorld({ config: { ...CONFIG, build: { profiles } } });
  await world.admin.post('/api/cms/posts', { slug: 'hello', status: 'published', data: { title: 'Hello' } });
  await world.admin.post('/api/cms/posts', { slug: 'draft', data: { title: 'Draft' } });
  const builds = await openSiteBuilds({
    site: world.site(),
    folder: join(world.dataDir, 'sites', 'default'),
    configPath: join(world.dataDir, '..', 'configs', 'default', 'cms.config.json'),
    env: parseEnv({ CMS_DATA_DIR: world.dataDir }),
    variables: { PATH: process.env.PATH },
    warn: () => undefined,
  });
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

test.run();
