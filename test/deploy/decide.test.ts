// The states of deploys, without disk, host or clock.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkCancel,
  checkRollback,
  decideBegin,
  decideEnd,
  decideProgress,
  decideRecovery,
  decideTrigger,
  findLive,
  findNext,
  INTERRUPTED,
  INTERRUPTED_LATE,
  type TriggerCommand,
} from '../../src/deploy/runs/decide.ts';
import { type DeployRecord, isEnded, isRunning } from '../../src/deploy/runs/record.ts';
import { ServiceError } from '../../src/lib/errors.ts';

type Records = readonly DeployRecord[];

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

function command(id: string, change: Partial<TriggerCommand> = {}): TriggerCommand {
  return {
    ...{ id, at: at(0), provider: 'vercel', profile: 'default', isPreview: false },
    ...{ trigger: 'manual', by: 'Ada', isFull: false },
    ...change,
  };
}

const statuses = (records: Records): string[] => records.map(({ id, status }) => `${id} ${status}`);

function isRefused(work: () => unknown, code: string): void {
  assert.throws(work, (error: unknown) => error instanceof ServiceError && error.code === code);
}

test('a trigger queues, a second joins, and the queued one begins after the running one', () => {
  let records: Records = [];
  records = decideTrigger(records, command('a')).records;
  assert.is(findNext(records, at(0))?.id, 'a');
  records = decideBegin(records, 'a', at(1)).records;
  records = decideTrigger(records, command('b')).records;
  const joined = decideTrigger(records, command('c', { isFull: true }));
  assert.equal([joined.deploy.id, joined.deploy.isFull], ['b', true]);
  records = joined.records;
  assert.equal(statuses(records), ['b queued', 'a building']);
  assert.is(findNext(records, at(2)), undefined);
  records = decideEnd(records, 'a', { status: 'success', url: 'https://a.example' }, at(5)).records;
  assert.is(records[1]!.durationMs, 4000);
  assert.is(findNext(records, at(6))?.id, 'b');
});

test('another kind of deploy than the queued one is refused', () => {
  const { records } = decideTrigger([], command('a'));
  isRefused(() => decideTrigger(records, command('b', { isPreview: true })), 'conflict');
  isRefused(() => decideTrigger(records, command('b', { profile: 'other' })), 'conflict');
  isRefused(() => decideTrigger(records, command('b', { trigger: 'rollback', target: 'x' })), 'conflict');
});

test('an automatic deploy waits until its time, and a person’s does not', () => {
  const automatic = { trigger: 'save', by: null, waitsUntil: at(60) } as const;
  const { records } = decideTrigger([], command('a', automatic));
  assert.is(findNext(records, at(59)), undefined);
  assert.is(findNext(records, at(60))?.id, 'a');
  const joined = decideTrigger(records, command('b'));
  assert.equal([joined.deploy.trigger, joined.deploy.by, joined.deploy.waitsUntil], ['manual', 'Ada', null]);
  assert.is(decideTrigger(joined.records, command('c', automatic)).deploy.by, 'Ada');
});

test('a crash ends what ran as interrupted, and what was queued begins', () => {
  let records = decideBegin(decideTrigger([], command('a')).records, 'a', at(1)).records;
  records = decideTrigger(records, command('b')).records;
  const { records: after, cut } = decideRecovery(records, at(9));
  assert.equal(statuses(after), ['b queued', 'a failure']);
  assert.is(cut[0]!.error, INTERRUPTED);
  assert.is(findNext(after, at(9))?.id, 'b');
  assert.is(decideRecovery(after, at(10)).records, after);
});

test('a crash while the host publishes does not say that what was live stays live', () => {
  const begun = decideBegin(decideTrigger([], command('a')).records, 'a', at(1)).records;
  const { records } = decideProgress(begun, 'a', { status: 'uploading', mayBeLive: true });
  const [late] = decideRecovery(records, at(9)).cut;
  assert.equal([late?.status, late?.error, late?.mayBeLive], ['failure', INTERRUPTED_LATE, true]);
  const [early] = decideRecovery(begun, at(9)).cut;
  assert.equal([early?.error, early?.mayBeLive], [INTERRUPTED, false]);
});

test('a preview and a failure are never what is live, and cannot become it', () => {
  let records: Records = [];
  const add = (id: string, status: 'success' | 'failure', change: Partial<TriggerCommand> = {}): void => {
    records = decideTrigger(records, command(id, change)).records;
    records = decideEnd(decideBegin(records, id, at(1)).records, id, { status, hostId: id }, at(2)).records;
  };
  add('good', 'success');
  add('preview', 'success', { isPreview: true });
  add('bad', 'failure');
  assert.is(findLive(records)?.id, 'good');
  assert.is(checkRollback(records, 'good', 'vercel').id, 'good');
  isRefused(() => checkRollback(records, 'preview', 'vercel'), 'conflict');
  isRefused(() => checkRollback(records, 'bad', 'vercel'), 'conflict');
  isRefused(() => checkRollback(records, 'good', 'netlify'), 'conflict');
  isRefused(() => checkRollback(records, 'none', 'vercel'), 'not_found');
  isRefused(() => checkCancel(records, 'bad'), 'conflict');
});

test('whatever happens, at most one runs, one is queued, 50 are kept, and the live one is among them', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('trigger' as const), isPreview: fc.boolean(), by: fc.constantFrom('Ada', null) }),
    fc.record({ do: fc.constant('begin' as const) }),
    fc.record({ do: fc.constant('end' as const), status: fc.constantFrom('success', 'failure', 'cancelled') }),
    fc.record({ do: fc.constant('crash' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      let records: Records = [];
      let live: string | undefined;
      for (const [index, one] of steps.entries()) {
        const time = at(index);
        const running = records.find(isRunning);
        if (one.do === 'trigger') {
          try {
            records = decideTrigger(records, command(`${index}`, { ...one, at: time })).records;
          } catch (error) {
            assert.ok(error instanceof ServiceError);
          }
        } else if (one.do === 'begin') {
          const next = findNext(records, time);
          if (next) records = decideBegin(records, next.id, time).records;
        } else if (one.do === 'crash') {
          records = decideRecovery(records, time).records;
        } else if (running) {
          const { status } = one as { status: 'success' | 'failure' | 'cancelled' };
          if (status === 'success' && !running.preview) live = running.id;
          records = decideEnd(records, running.id, { status }, time).records;
        }
        assert.ok(records.filter(isRunning).length <= 1);
        assert.ok(records.filter(({ status }) => status === 'queued').length <= 1);
        assert.ok(records.length <= 50);
        assert.is(findLive(records)?.id, live);
        assert.ok(records.filter(isEnded).every(({ durationMs }) => durationMs !== null));
      }
    }),
    { numRuns: 200 },
  );
});

test.run();
