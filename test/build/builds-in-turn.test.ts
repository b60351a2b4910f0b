import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildsInTurn } from '../../src/build/builds-in-turn.ts';
import { createFairSlots } from '../../src/lib/queues/fair-slots.ts';

test('a site whose builds hang has its places, and not those of the others; a cancelled build does not wait', async () => {
  const slots = createFairSlots({ atOnce: 4, waiting: 8, full: () => new Error('full') });
  const hanging = Promise.withResolvers<never>();
  const begun: string[] = [];
  const buildsOf = (site: string, isHanging: boolean) =>
    buildsInTurn(
      {
        check: () => Promise.reject(new Error('unused')),
        build: async () => {
          begun.push(site);
          return isHanging ? hanging.promise : { folder: '', files: [], commit: '', redirects: [] };
        },
      },
      site,
      slots,
    );
  const ask = (signal = new AbortController().signal) => ({
    profile: undefined,
    isPreview: false,
    log: () => undefined,
    signal,
  });
  const busy = buildsOf('busy', true);
  const cancel = new AbortController();
  const ends = [busy.build(ask()), busy.build(ask()), busy.build(ask(cancel.signal))].map((one) =>
    one.catch((error: Error) => error.message),
  );
  await buildsOf('quiet', false).build(ask());
  assert.equal(begun, ['busy', 'busy', 'quiet']);
  cancel.abort();
  assert.is(await ends[2], 'the build was cancelled');
  hanging.reject(new Error('ended'));
  assert.equal(await Promise.all(ends.slice(0, 2)), ['ended', 'ended']);
  assert.equal(begun, ['busy', 'busy', 'quiet']);
});

test.run();
