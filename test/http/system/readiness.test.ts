// What /readyz reports, and to whom.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ANONYMOUS, type Principal } from '../../../src/access/principal.ts';
import { type Readiness, toReady } from '../../../src/http/system/readiness.ts';

const A = { id: 'a', org: 'one' };
const B = { id: 'b', org: 'one' };
const LAG = { unpushedCommits: 1, unpushedSeconds: 2, secondsSinceFetch: null };

const STATE: Readiness = {
  problems: [{ site: B, text: '/srv/b.ts: broken' }],
  warnings: [
    { site: null, text: 'the whole service' },
    { site: A, text: 'content/posts/draft.json: no' },
  ],
  unlisted: [{ site: A, count: 7 }],
  remotes: [
    { site: A, lag: LAG },
    { site: B, lag: LAG },
  ],
};

const admin = (ids: string, allSites: boolean): Principal => ({
  ...ANONYMOUS,
  kind: 'session',
  permissions: new Set(['sites:read']),
  mayTouch: ({ id }) => ids.includes(id),
  allSites,
});

const EVERYTHING = {
  ok: false,
  problems: ['b: /srv/b.ts: broken'],
  warnings: ['the whole service', 'a: content/posts/draft.json: no', 'a: and 7 more'],
  remotes: [
    { site: 'a', ...LAG },
    { site: 'b', ...LAG },
  ],
};

test('strangers, and people who are not admins, see numbers only', () => {
  const counts = { ok: false, problems: 1, warnings: 9 };
  assert.equal(toReady(STATE, ANONYMOUS), counts);
  assert.equal(toReady(STATE, { ...admin('ab', true), permissions: new Set(['content:read']) }), counts);
});

test('the service token and admins of all sites get everything', () => {
  assert.equal(toReady(STATE, { ...ANONYMOUS, kind: 'service' }), EVERYTHING);
  assert.equal(toReady(STATE, admin('ab', true)), EVERYTHING);
});

test('an admin of some sites gets the messages of these sites', () => {
  assert.equal(toReady(STATE, admin('a', false)), {
    ok: false,
    problems: [],
    warnings: EVERYTHING.warnings.slice(1),
    remotes: [{ site: 'a', ...LAG }],
  });
});

test.run();
