// GitHub Pages: the push, the Pages site and its build, against a real git server and a recorder of the API.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createGithubPages } from '../../../src/deploy/providers/github-pages.ts';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import { SiteSettings } from '../../../src/settings/settings.ts';
import { startGithub } from '../../support/hosts/github.ts';
import { makeDeployBench, runDeploy } from '../../support/publication.ts';

const githubPages = createGithubPages();
const SITE = { 'index.html': 'home', 'posts/one/index.html': 'one', '_next/a b#?.js': 'odd' };

async function makeGithub() {
  const github = await startGithub();
  const bench = await makeDeployBench();
  const { settings } = github;
  return {
    ...{ github, bench, settings },
    pushes: () =>
      github.requests.filter((request) => request.startsWith('POST /octo/site.git/git-receive-pack')).length,
    async deploy(texts: Record<string, string>, more: Partial<SiteSettings> = {}) {
      return runDeploy(githubPages, await bench.publication(texts), bench.context({ ...settings, ...more }));
    },
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

test('the first deploy pushes the branch, turns Pages on and waits for its build', async () => {
  await using world = await makeGithub();
  const { url, hostId } = await world.deploy(SITE);
  assert.is(url, 'https://octo.github.io/site/');
  assert.equal(world.github.read(), SITE);
  assert.is((await world.github.server.git('ls-tree', '--name-only', 'gh-pages')).split('\n')[0], '.nojekyll');
  assert.equal(world.github.pages.site?.branch, 'gh-pages');
  assert.match(hostId!, /^[0-9a-f]{40}:[0-9a-f]{40}$/);
});

test('an unchanged site is not pushed, and a changed one sends what changed', async () => {
  await using world = await makeGithub();
  await world.deploy(SITE);
  const posts = world.pushes();
  const again = await world.deploy(SITE);
  assert.ok(again.isUnchanged);
  assert.equal(again.sent, []);
  assert.is(world.pushes(), posts);
  const changed = await world.deploy({ ...SITE, 'index.html': 'new' });
  assert.equal(changed.sent, ['index.html']);
});

test('the domain of the settings becomes CNAME, and one that the repository has stays', async () => {
  await using world = await makeGithub();
  const first = await world.deploy(SITE, { deployDomain: 'www.example.com' });
  assert.is(first.url, 'https://www.example.com/');
  assert.is(world.github.read().CNAME, 'www.example.com\n');
  world.github.pages.site!.cname = 'kept.example.com';
  await world.deploy({ ...SITE, 'index.html': 'new' });
  assert.is(world.github.read().CNAME, 'kept.example.com\n');
});

test('a token that may only push is enough', async () => {
  await using world = await makeGithub();
  world.github.pages.rights = 'none';
  const { isUnchanged } = await world.deploy(SITE);
  assert.not(isUnchanged);
  assert.ok(world.github.read()['index.html'] !== undefined);
  assert.ok((await world.deploy(SITE)).isUnchanged);
});

test('a Pages site of another branch, or of a workflow, is a conflict before anything is pushed', async () => {
  await using world = await makeGithub();
  world.github.pages.site = { branch: 'main', path: '/docs', buildType: 'legacy', cname: null };
  assert.is(await reasonOf(world.deploy(SITE)), 'conflict');
  world.github.pages.site = { branch: 'gh-pages', path: '/', buildType: 'workflow', cname: null };
  assert.is(await reasonOf(world.deploy(SITE)), 'conflict');
  assert.is(world.pushes(), 0);
});

test('a build that fails is a failure, and deploying the same tree again builds it again', async () => {
  await using world = await makeGithub();
  world.github.pages.failure = 'the site is too large';
  assert.is(await reasonOf(world.deploy(SITE)), 'host_failed');
  world.github.pages.failure = undefined;
  const pushes = world.pushes();
  const again = await world.deploy(SITE);
  assert.not(again.isUnchanged);
  assert.equal(again.sent, []);
  assert.is(world.pushes(), pushes);
  assert.ok(world.github.requests.includes('POST /repos/octo/site/pages/builds'));
});

test('a push that GitHub does not notice is built on request', async () => {
  await using world = await makeGithub();
  await world.deploy(SITE);
  world.github.pages.isDeaf = true;
  await world.deploy({ ...SITE, 'index.html': 'new' });
  assert.ok(world.github.requests.includes('POST /repos/octo/site/pages/builds'));
});

test('a build that never ends is a timeout that says that the branch has the site', async () => {
  await using world = await makeGithub();
  world.github.pages.pollsToBuild = Number.POSITIVE_INFINITY;
  assert.is(await reasonOf(world.deploy(SITE)), 'timeout');
  assert.ok(world.github.read()['index.html'] !== undefined);
});

test('a rollback makes the earlier tree the newest commit', async () => {
  await using world = await makeGithub();
  const first = await world.deploy(SITE);
  await world.deploy({ 'index.html': 'broken' });
  const back = await githubPages.rollback!(first.hostId!, world.bench.context(world.settings));
  assert.ok(world.github.read()['posts/one/index.html'] !== undefined);
  assert.is(back.hostId!.split(':')[1], first.hostId!.split(':')[1]);
  assert.is((await world.github.server.git('rev-list', '--count', 'gh-pages')).trim(), '3');
  assert.is(await reasonOf(githubPages.rollback!('../x', world.bench.context(world.settings))), 'not_found');
});

test('a wrong token and a missing repository are named as such', async () => {
  await using world = await makeGithub();
  assert.is(await reasonOf(world.deploy(SITE, { deployApiToken: 'revoked' })), 'refused_token');
  assert.is(await reasonOf(world.deploy(SITE, { deployAppName: 'octo/nothing' })), 'not_found');
  const { lines } = world.bench;
  assert.not(lines.some((line) => line.includes(world.github.secrets[0]!)));
});

test('what GitHub would refuse is found before the first request', async () => {
  await using world = await makeGithub();
  const publication = await world.bench.publication({ 'index.html': 'x', '.git/config': 'x', 'a/.GIT': 'x' });
  const files = [...publication.files, { path: 'film.mp4', file: '/x', sizeBytes: 101 << 20, sha256: '0' }];
  assert.is(githubPages.refusals({ ...publication, files }).length, 3);
  assert.equal(githubPages.refusals(await world.bench.publication(SITE)), []);
  assert.is(githubPages.missing(SiteSettings.parse({ deployAppName: 'site' })).length, 2);
  assert.equal(githubPages.missing(SiteSettings.parse(world.settings)), []);
});

async function reasonOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'nothing',
    (error: unknown) => (error instanceof HostError ? error.reason : String(error)),
  );
}

test.run();
