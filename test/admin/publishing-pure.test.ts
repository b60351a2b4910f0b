// What deploys and the wizard decide without a browser.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type DeployRun,
  type DeployTarget,
  findActive,
  mayRollBack,
  toDeployState,
  toStateText,
} from '../../src/admin/publishing/deploys.ts';
import { toDuration } from '../../src/admin/screens/deploy/duration.ts';
import { findFailingLine } from '../../src/admin/screens/deploy/failing-line.ts';
import { NOTHING_YET, withEnd, withStep } from '../../src/admin/screens/wizard/events.ts';
import {
  type BegunProvision,
  toCheck,
  toFieldErrors,
  toFirstWish,
  toMadeTexts,
  toRegionName,
  toRequest,
  toWishAgain,
} from '../../src/admin/screens/wizard/wish.ts';

const NOW = Date.parse('2026-01-02T03:10:00Z');
const RUN: DeployRun = {
  ...{ id: 'a', provider: 'vercel', profile: 'default', status: 'success', url: null, error: null, trigger: 'manual' },
  ...{ by: 'Ada', preview: false, startedAt: '2026-01-02T03:04:00Z', durationMs: 60_000, commit: null },
  ...{ waitsUntil: null, files: { total: 0, sent: 0 }, mayBeLive: false },
};
const TARGET: DeployTarget = {
  ...{ provider: 'vercel', label: 'Vercel', hasPreviews: true, hasRollback: true, missing: [] },
};
const textOf = (runs: readonly DeployRun[], target: DeployTarget | null = TARGET): string =>
  toStateText(toDeployState(runs, target), NOW);

test('the state is what is under way, else what is missing, else how the last one ended', () => {
  assert.is(textOf([], null), 'No target yet');
  const unready = { ...TARGET, missing: [{ path: 'vercelToken', message: 'is missing' }] };
  assert.is(textOf([RUN], unready), 'Not ready: settings are missing');
  assert.is(textOf([]), 'Nothing has been deployed yet');
  assert.is(textOf([RUN]), 'Live, deployed 5 minutes ago');
  const preview: DeployRun = { ...RUN, id: 'p', preview: true };
  assert.is(textOf([preview]), 'Nothing has been deployed yet');
  assert.is(textOf([preview, RUN]), 'Live, deployed 5 minutes ago');
  assert.is(textOf([{ ...RUN, status: 'failure' }, RUN]), 'Failed 5 minutes ago');
  assert.is(textOf([{ ...RUN, status: 'cancelled' }]), 'Cancelled 5 minutes ago');
  const building: DeployRun = { ...RUN, id: 'b', status: 'building', durationMs: null };
  assert.is(textOf([building, RUN], null), 'Building');
  assert.is(textOf([{ ...building, status: 'uploading' }]), 'Uploading');
  assert.is(textOf([{ ...building, status: 'uploading', files: { total: 40, sent: 3 } }]), 'Uploading: 3 of 40 files');
  const queued: DeployRun = { ...building, id: 'q', status: 'queued' };
  assert.is(textOf([queued]), 'Queued');
  assert.is(findActive([queued, building])?.id, 'b');
  const late = { ...queued, waitsUntil: '2026-01-02T03:40:00Z' };
  assert.is(textOf([late]), 'Queued: the host accepts the next one in 30 minutes');
});

test('only an earlier success of the same host goes live again, and only if the host can do that', () => {
  const older: DeployRun = { ...RUN, id: 'o' };
  const runs = [RUN, older, { ...RUN, id: 'f', status: 'failure' as const }, { ...RUN, id: 'p', preview: true }];
  const ids = (target: DeployTarget | null) => runs.filter((run) => mayRollBack(run, runs, target)).map(({ id }) => id);
  assert.equal(ids(TARGET), ['o']);
  assert.equal(ids({ ...TARGET, hasRollback: false }), []);
  assert.equal(ids({ ...TARGET, provider: 'netlify' }), []);
  assert.equal(ids(null), []);
});

test('durations are read at a glance', () => {
  assert.equal([0, 1000, 59_400, 200_000].map(toDuration), ['0 seconds', '1 second', '59 seconds', '3 min 20 s']);
});

test('the failing line is the first cause that the build names, or else what the service says', () => {
  const log = [
    '[10:00:00] queued (manual by Ada)',
    '[10:00:01] building profile "default"',
    'warning: 0 errors so far, as ever',
    'page.tsx:3 Error: no such module',
    '    at load (file.js:1:1)',
    'npm error code 1',
    '[10:00:09] failed: the build command ended with 1',
    '',
  ].join('\n');
  const found = findFailingLine(log)!;
  assert.is(found.text, 'page.tsx:3 Error: no such module');
  assert.is(log.slice(found.at, found.at + found.text.length), found.text);
  const own = '[10:00:01] sending 3 files\n[10:00:02] failed: the host refuses the token\n';
  assert.is(findFailingLine(own)?.text, '[10:00:02] failed: the host refuses the token');
  const refused =
    '[10:00:01] x\n[10:00:02] refused: "a#"\n[10:00:02] refused: "b#"\n[10:00:02] failed: nothing was sent\n';
  assert.is(findFailingLine(refused)?.text, '[10:00:02] refused: "a#"');
  assert.is(findFailingLine('[10:00:01] done\n'), undefined);
  assert.is(findFailingLine(''), undefined);
});

const OPTIONS = {
  templates: ['agency', 'blog'].map((name) => ({ name, title: name, description: '', image: '' })),
  ...{ regions: ['arn', 'xyz'], sizes: ['shared-cpu-1x'], needsImage: true },
};

test('each step of the wizard sends its own fields, and a problem leads to the step that has the field', () => {
  const wish = toFirstWish(OPTIONS, 'ada@example.com');
  assert.equal(wish, {
    ...{ template: 'blog', appName: '', region: 'arn', vmSize: 'shared-cpu-1x', adminEmail: 'ada@example.com' },
    ...{ image: '', flyOrg: '' },
  });
  assert.equal(toCheck(0, wish, 'secret', true), { template: 'blog' });
  assert.not.match(JSON.stringify(toCheck(1, wish, 'secret', true)), 'secret');
  assert.ok('image' in toCheck(1, wish, '', true) && !('image' in toCheck(1, wish, '', false)));
  assert.equal(toCheck(2, wish, 'secret', true), { flyToken: 'secret', appName: '' });
  assert.equal(Object.keys(toRequest(wish, 'secret', { OPENAI_API_KEY: ' ' })).sort(), [
    ...['adminEmail', 'appName', 'flyToken', 'region', 'template', 'vmSize'],
  ]);
  const problems = ['flyToken', 'appName', 'appName', 'elsewhere'].map((path, n) => ({ path, message: `${n}` }));
  assert.equal(toFieldErrors(problems), { errors: { flyToken: '0', appName: '1' }, step: 1 });
  assert.is(Number.isFinite(toFieldErrors([{ path: 'elsewhere', message: 'x' }]).step), false);
  assert.equal([toRegionName('arn'), toRegionName('xyz')], ['Stockholm (arn)', 'xyz']);
});

test('what a removal takes away is said in words, and an earlier wish can be gone on with', () => {
  const begun: BegunProvision = {
    ...{ id: 'p', template: 'blog', appName: 'ada', region: 'arn', vmSize: 'shared-cpu-1x', adminEmail: 'a@b.example' },
    ...{ url: 'https://ada.fly.dev', startedAt: RUN.startedAt, status: 'failed', error: 'no room', needsToken: true },
    made: { app: true, volumes: 1, machines: 0, ips: 2, secrets: 4 },
  };
  assert.equal(toMadeTexts(begun), [
    'the app with its address https://ada.fly.dev',
    '1 volume, with everything that was written there',
    '2 IP addresses',
    '4 secrets',
  ]);
  const none = { app: false, volumes: 0, machines: 0, ips: 0, secrets: 0 };
  assert.equal(toMadeTexts({ ...begun, made: none }), []);
  assert.equal(toWishAgain(begun).flyOrg, '');
});

test('a step takes the place of what was said of it before, and the progress never goes back', () => {
  const step = { step: 'app', status: 'running' as const, message: 'Creating', progress: 0 };
  const done = { ...step, status: 'done' as const, message: 'made', progress: 17 };
  let so = withStep(withStep(NOTHING_YET, step), done);
  assert.equal([so.steps.length, so.steps[0]?.message, so.percent], [1, 'made', 17]);
  so = withStep(so, { ...step, step: 'volume', progress: 10 });
  assert.is(so.percent, 17);
  assert.is(withEnd(so, { kind: 'error', message: 'x' }).percent, 17);
  assert.is(withEnd(so, { kind: 'done', url: 'u', setupUrl: null }).percent, 100);
});

test.run();
