// Every provider against its host's recorder: the same deploys, the same failures, the same answers. A provider adds a
// row to test/support/hosts/all.ts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import type { ProviderContext, Publication } from '../../../src/deploy/providers/provider.ts';
import { SiteSettings } from '../../../src/settings/settings.ts';
import { HOSTS } from '../../support/hosts/all.ts';
import type { Answer, Disturbance, FakeHost, HostCase } from '../../support/hosts/fake-host.ts';
import { type DeployBench, makeDeployBench, runDeploy } from '../../support/publication.ts';

const ONE = { 'index.html': 'one', 'about/index.html': 'about', 'style.css': 'a{}', 'a b/grüße 🎈.html': 'names' };
const TWO = { ...ONE, 'index.html': 'two', 'journal/hello/index.html': 'hello', 'copy.html': 'hello' };
const DAY_S = 86_400;

interface World extends AsyncDisposable {
  bench: DeployBench;
  host: FakeHost;
  context(parts?: Partial<ProviderContext>): ProviderContext;
  deploy(publication: Publication, parts?: Partial<ProviderContext>): ReturnType<typeof runDeploy>;
}

async function open({ provider, start }: HostCase): Promise<World> {
  const [bench, host] = await Promise.all([makeDeployBench(), start()]);
  const context = (parts: Partial<ProviderContext> = {}): ProviderContext =>
    bench.context(
      { deployProvider: provider.name, ...host.settings },
      { limits: { callMs: 500 }, ...host.parts, ...parts },
    );
  return {
    bench,
    host,
    context,
    deploy: (publication, parts) => runDeploy(provider, publication, context(parts)),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

async function failureOf(work: Promise<unknown>): Promise<HostError> {
  const error = await work.then(
    () => assert.unreachable('the deploy succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, HostError, `${error instanceof Error ? error.stack : error}`);
  return error as HostError;
}

/** Nothing that people read has a secret in it. */
function assertDiscreet({ host, bench }: World, error?: Error): void {
  const texts = [...bench.lines, error?.message ?? '', JSON.stringify(error?.cause ?? '')].join('\n');
  for (const secret of host.secrets) assert.not.match(texts, secret);
}

/** Statuses that last, and what a person is to make of them. */
const REFUSALS: readonly { how: Disturbance['how']; reason: HostError['reason'] }[] = [
  { how: { status: 401, json: {} }, reason: 'refused_token' },
  { how: { status: 403, json: {} }, reason: 'refused_token' },
  { how: { status: 404, json: {} }, reason: 'not_found' },
  { how: { status: 409, json: {} }, reason: 'conflict' },
  { how: { status: 422, json: {} }, reason: 'refused_input' },
  { how: { status: 429, json: {} }, reason: 'rate_limited' },
  { how: { status: 429, json: {}, headers: { 'retry-after': `${DAY_S}` } }, reason: 'rate_limited' },
  { how: { status: 500, json: {} }, reason: 'host_failed' },
  { how: 'html', reason: 'host_failed' },
  { how: 'cut', reason: 'unreachable' },
  { how: 'hang', reason: 'timeout' },
];

/** Failures that pass. */
const HICCUPS: readonly Disturbance['how'][] = [
  { status: 503, headers: { 'content-type': 'text/html', 'retry-after': '3' } } satisfies Answer,
  { status: 429, json: {}, headers: { 'retry-after': '3' } },
  'html',
  'cut',
];

for (const row of HOSTS) {
  const { provider } = row;
  const check = (sentence: string, run: () => void | Promise<void>): void =>
    test(`${provider.label}: ${sentence}`, run);

  check('publishes a site, and then what changed', async () => {
    await using world = await open(row);
    const { host, bench, deploy } = world;
    const first = await deploy(await bench.publication(ONE));
    if (provider.needsBuild) {
      assert.equal(host.live(), ONE);
      assert.equal(host.received.toSorted(), Object.values(ONE).toSorted());
      assert.match(first.url ?? '', /^https?:\/\//);
      host.received.length = 0;
      await deploy(await bench.publication(TWO));
      assert.equal(host.live(), TWO);
      assert.equal(host.received.toSorted(), row.sendsByPath ? ['hello', 'hello', 'two'] : ['hello', 'two']);
    }
    assert.is(host.publications(), provider.needsBuild ? 2 : 1);
    assertDiscreet(world);
  });

  check('says which settings are missing', () => {
    assert.ok(provider.missing(SiteSettings.parse({})).length > 0);
  });

  for (const { how, reason } of REFUSALS) {
    // A hook may answer with any page.
    if (!provider.needsBuild && how === 'html') continue;
    check(`fails with ${reason} if the host always answers ${JSON.stringify(how)}`, async () => {
      await using world = await open(row);
      const { host, bench, deploy, context } = world;
      const settled = await bench.publication(ONE);
      await deploy(settled);
      const before = host.publications();
      host.disturb.push({ times: 1000, how });
      const limits = { callMs: how === 'hang' ? 40 : 500 };
      const error = await failureOf(deploy(await bench.publication(TWO), { limits }));
      assert.is(error.reason, reason);
      assert.is(host.publications(), before);
      await provider.abandon?.(context({ limits })).catch((thrown: unknown) => assert.instance(thrown, HostError));
      host.disturb.length = 0;
      if (provider.needsBuild) assert.equal(host.live(), ONE);
      assertDiscreet(world, error);
      assert.ok(bench.waitedMs() < 20 * 60_000);
    });
  }

  if (provider.needsBuild) {
    check('survives each request failing once, and publishes once', async () => {
      const count = await requestsOf(row);
      for (let after = 0; after < count; after++) {
        // A lost answer is the hardest; the others take turns.
        for (const how of [HICCUPS[after % HICCUPS.length]!, 'cut after'] as const) {
          await using world = await open(row);
          const { host, bench, deploy } = world;
          host.disturb.push({ after, how });
          const note = `${JSON.stringify(how)} at request ${after}`;
          await deploy(await bench.publication(ONE)).catch((error: Error) => {
            throw new Error(`${note}: ${error.message}\n${host.requests.join('\n')}`);
          });
          assert.equal(host.live(), ONE, note);
          assert.is(host.publications(), 1, note);
          assertDiscreet(world);
        }
      }
    });

    check('leaves the live site alone if the token is revoked midway', async () => {
      const count = await requestsOf(row);
      for (let after = 0; after < count; after++) {
        await using world = await open(row);
        const { host, bench, context } = world;
        await runDeploy(provider, await bench.publication(ONE), context());
        const publication = await bench.publication({ ...TWO, 'third.html': 'three', 'fourth.html': 'four' });
        host.disturb.push({ after, times: 1000, how: { status: 401, json: {} } });
        const before = host.publications();
        const error = await failureOf(runDeploy(provider, publication, context()));
        assert.is(error.reason, 'refused_token');
        // Only a deploy that was complete at the host may have gone live meanwhile.
        if (host.publications() === before) assert.equal(host.live(), ONE);
        else assert.ok([ONE['index.html'], TWO['index.html']].includes(host.live()?.['index.html'] ?? ''));
        assertDiscreet(world, error);
      }
    });

    check('goes on after a kill at any request, and sends each content once', async () => {
      const count = await requestsOf(row);
      for (let killAt = 1; killAt <= count; killAt++) {
        await using world = await open(row);
        const { host, bench, deploy } = world;
        const publication = await bench.publication(ONE);
        const killed = new AbortController();
        let seen = 0;
        host.onRequest = () => void (++seen === killAt && killed.abort(new Error('killed')));
        await deploy(publication, { signal: killed.signal }).then(
          () => undefined,
          (error: Error) => assert.is(error.message, 'killed'),
        );
        host.onRequest = () => undefined;
        await deploy(publication);
        assert.equal(host.live(), ONE, `killed at ${killAt}`);
        const received = row.sendsAtOnce ? [...new Set(host.received)] : host.received;
        assert.equal(received.toSorted(), Object.values(ONE).toSorted(), `killed at ${killAt}`);
      }
    });

    check('sends nothing and publishes nothing if nothing changed', async () => {
      await using world = await open(row);
      const { host, bench, deploy } = world;
      await deploy(await bench.publication(ONE));
      host.received.length = 0;
      host.requests.length = 0;
      const before = host.publications();
      const again = await deploy(await bench.publication(ONE));
      assert.is(again.isUnchanged, true);
      assert.equal(host.received, []);
      assert.is(host.publications(), before);
      assert.equal(
        host.requests.filter((request) => !request.startsWith('GET ')),
        [],
      );
    });

    check('sends nothing if nothing changed and the caches are lost', async () => {
      await using world = await open(row);
      const { host, bench, deploy } = world;
      await deploy(await bench.publication(ONE));
      host.received.length = 0;
      await deploy(await bench.publication(ONE), { cacheFolder: `${bench.folder}/other` });
      assert.equal(host.received, []);
      assert.equal(host.live(), ONE);
    });

    check('replaces what another client published meanwhile', async () => {
      await using world = await open(row);
      const { host, bench, deploy } = world;
      await deploy(await bench.publication(ONE));
      await host.changeByOther();
      assert.not.equal(host.live(), ONE);
      const again = await deploy(await bench.publication(ONE));
      assert.is(again.isUnchanged, false);
      assert.equal(host.live(), ONE);
    });

    check('shows nothing before it is published', async () => {
      await using world = await open(row);
      const { host, bench, context, deploy } = world;
      await deploy(await bench.publication(ONE));
      const publication = await bench.publication(TWO);
      const plan = await provider.plan(publication, context());
      const sent = plan.send.map(({ path }) => TWO[path as keyof typeof TWO]);
      assert.equal([...new Set(sent)].toSorted(), ['hello', 'two']);
      await provider.send(plan, publication, context());
      assert.equal(host.live(), ONE);
      await provider.publish(plan, publication, context());
      assert.equal(host.live(), TWO);
    });

    check('names everything that the host would refuse, before the first request', async () => {
      await using world = await open(row);
      const { host, bench, deploy } = world;
      const { badNames, tooLargeBytes, tooManyFiles } = row;
      const names = [
        'plain.html',
        'a b.html',
        'é 🎈.html',
        'a#b.html',
        'what?.html',
        '100%.html',
        "it's+(1)&=,;@.html",
      ];
      const all = await bench.publication(Object.fromEntries(names.map((name) => [name, name])));
      const refused = provider.refusals(all);
      assert.is(refused.length, badNames.length);
      for (const name of badNames) assert.ok(refused.some((sentence) => sentence.includes(name)));
      const [file] = all.files;
      if (tooLargeBytes) {
        const large = ['x', 'y'].map((path) => ({ ...file!, path, sizeBytes: tooLargeBytes }));
        assert.ok(provider.refusals({ ...all, files: [...all.files, ...large] }).length > badNames.length);
      }
      if (tooManyFiles) {
        const many = Array.from({ length: tooManyFiles }, (_, index) => ({ ...file!, path: `${index}.html` }));
        assert.ok(provider.refusals({ ...all, files: many }).length > 0);
      }
      assert.ok(provider.refusals({ ...all, files: [{ ...file!, path: 'a\\b\n.html' }] }).length > 0);
      assert.equal(host.requests, []);
      const good = Object.fromEntries(names.filter((name) => !badNames.includes(name)).map((name) => [name, name]));
      await deploy(await bench.publication(good));
      assert.equal(host.live(), good);
    });

    check('ends at once if it is cancelled, and cleans up', async () => {
      await using world = await open(row);
      const { host, bench, deploy, context } = world;
      await deploy(await bench.publication(ONE));
      const cancelled = new AbortController();
      host.disturb.push({ after: 1, times: 1000, how: 'hang' });
      let seen = 0;
      host.onRequest = () => void (++seen === 2 && cancelled.abort(new Error('cancelled')));
      const publication = await bench.publication(TWO);
      const error = await deploy(publication, { signal: cancelled.signal, limits: { callMs: 60_000 } }).catch(
        (thrown) => thrown,
      );
      assert.is(error.message, 'cancelled');
      host.disturb.length = 0;
      await provider.abandon?.(context());
      assert.equal(host.live(), ONE);
    });
  }

  if (row.canFail) {
    check('leaves the live site alone if the host fails, and recovers', async () => {
      await using world = await open(row);
      const { host, bench, deploy, context } = world;
      await deploy(await bench.publication(ONE));
      host.failNext?.();
      const publication = await bench.publication(TWO);
      const error = await failureOf(deploy(publication));
      assert.is(error.reason, 'host_failed');
      await provider.abandon?.(context());
      assert.equal(host.live(), ONE);
      host.received.length = 0;
      await deploy(publication);
      assert.equal(host.live(), TWO);
      assert.equal(host.received, []);
    });
  }

  if (provider.hasPreviews) {
    check('shows a preview beside the live site', async () => {
      await using world = await open(row);
      const { host, bench, deploy } = world;
      await deploy(await bench.publication(ONE));
      const { url } = await deploy({ ...(await bench.publication(TWO)), isPreview: true });
      assert.equal(host.preview?.(), TWO);
      assert.equal(host.live(), ONE);
      assert.ok(url);
    });
  }

  if (provider.hasRollback) {
    check('goes back, and forward again', async () => {
      await using world = await open(row);
      const { host, bench, deploy, context } = world;
      const { hostId } = await deploy(await bench.publication(ONE));
      await deploy(await bench.publication(TWO));
      await provider.rollback?.(hostId ?? '', context());
      assert.equal(host.live(), ONE);
      const forward = await deploy(await bench.publication(TWO));
      assert.is(forward.isUnchanged, false);
      assert.equal(host.live(), TWO);
      const error = await failureOf(provider.rollback!('unknown-1', context()));
      assert.is(error.reason, 'not_found');
    });
  }
}

/** How many requests a first deploy takes. */
async function requestsOf(row: HostCase): Promise<number> {
  await using world = await open(row);
  await world.deploy(await world.bench.publication(ONE));
  return world.host.requests.length;
}

test.run();
