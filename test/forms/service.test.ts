// The service of forms, with a store that fails on demand.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FormSchema } from '../../src/config/form-config.ts';
import type { Patterns } from '../../src/forms/patterns.ts';
import { createForms, type FormsService } from '../../src/forms/service.ts';
import type { Submission } from '../../src/forms/submission.ts';
import type { Submissions } from '../../src/forms/submissions.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';

const FORM = FormSchema.parse({
  name: 'contact',
  fields: [
    { name: 'name', type: 'text', required: true },
    { name: 'code', type: 'text', validation: { pattern: 'x' } },
  ],
  spam: { rateLimit: 2 },
});

interface Stage {
  forms: FormsService;
  stored: Submission[];
  paused: number[];
  /** Replaces storing, once. */
  failNext(error: Error): void;
  send(values: object, ip?: string): ReturnType<FormsService['submit']>;
}

function stage(test: Patterns['test'] = async () => 'match'): Stage {
  const stored: Submission[] = [];
  const paused: number[] = [];
  let failure: Error | undefined;
  const add: Submissions['add'] = async (form, sent) => {
    await nextTurn();
    const failing = failure;
    failure = undefined;
    if (failing) throw failing;
    const submission: Submission = {
      ...sent,
      form,
      id: `id${stored.length}`,
      status: 'new',
      createdAt: '2026-01-02T03:04:05.678Z',
    };
    stored.push(submission);
    return submission;
  };
  const forms = createForms({
    forms: [FORM],
    submissions: { add, since: async () => [] } as Partial<Submissions> as Submissions,
    listen: () => () => undefined,
    removed: { list: () => [], note: async () => undefined },
    challenge: { siteKey: () => undefined, verify: async () => undefined },
    patterns: { test, close: async () => undefined },
    announce: async () => undefined,
    salt: async () => 'salt',
    newId: () => 'made-up',
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    pause: async (ms) => void paused.push(ms),
  });
  return {
    forms,
    stored,
    paused,
    failNext: (error) => void (failure = error),
    send: (values, ip = '192.0.2.1') =>
      forms.submit(
        FORM,
        { values: values as Record<string, unknown>, repeated: new Set() },
        { ip, userAgent: 'x'.repeat(9000) },
      ),
  };
}

const codeOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'accepted').catch((error) => error.code);

test('a submission that could not be stored does not count', async () => {
  const { send, stored, failNext } = stage();
  for (let i = 0; i < 5; i++) {
    failNext(new ServiceError('storage_full', 'the disk is full'));
    assert.is(await codeOf(send({ name: 'a' })), 'storage_full');
  }
  assert.equal(await Promise.all(['a', 'b', 'c'].map((name) => codeOf(send({ name })))), [
    'accepted',
    'accepted',
    'too_many_requests',
  ]);
  assert.is(stored.length, 2);
});

test('the honeypot’s answer takes as long as a real one', async () => {
  const { send, stored, paused } = stage();
  await send({ name: 'a' });
  const caught = await send({ name: 'a', _hp_email: 'x' });
  assert.is(caught.id, 'made-up');
  assert.is(stored.length, 1);
  assert.is(paused.length, 1);
  assert.ok(paused[0]! > 0);
});

test('the user agent is stored, but shortened if it is long', async () => {
  const { send, stored } = stage();
  await send({ name: 'a' });
  assert.is(stored[0]?.userAgent.length, 512);
});

test('an address has one pattern test at a time, and other addresses do not wait for it', async () => {
  const under = new Map<string, number>();
  let most = 0;
  const { send } = stage(async (_pattern, text) => {
    under.set(text, (under.get(text) ?? 0) + 1);
    most = Math.max(most, under.get(text)!);
    await new Promise((next) => setTimeout(next, 5));
    under.set(text, under.get(text)! - 1);
    return 'mismatch';
  });
  const slow = Array.from({ length: 10 }, () => codeOf(send({ name: 'a', code: 'slow' }, '192.0.2.1')));
  const startedMs = performance.now();
  assert.is(await codeOf(send({ name: 'a', code: 'quick' }, '192.0.2.2')), 'invalid_input');
  const quickMs = performance.now() - startedMs;
  assert.equal(new Set(await Promise.all(slow)), new Set(['invalid_input']));
  assert.is(most, 1);
  assert.ok(quickMs < performance.now() - startedMs);
  const flood = Array.from({ length: 70 }, () => codeOf(send({ name: 'a', code: 'slow' }, '192.0.2.1')));
  assert.ok((await Promise.all(flood)).includes('unavailable'));
});

test('a field whose pattern test is undecided is refused, like one that does not match', async () => {
  for (const result of ['undecided', 'mismatch'] as const) {
    const { send, stored } = stage(async () => result);
    const refused = await send({ name: 'a', code: 'x' }).catch((error) => error);
    assert.is(refused.code, 'invalid_input');
    assert.equal(
      refused.details.map(({ path }: { path: string }) => path),
      ['code'],
    );
    assert.is(stored.length, 0);
  }
});

test.run();
