// Kills the server with SIGKILL at steps of a deploy, while a reader polls.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { numberOf, runCrashRounds } from './crash-rounds.ts';

const ROUNDS = 12;

test('a mixed or cut page would be seen', () => {
  assert.is(numberOf('deploy 3\ndeploy 3\nend', 2), 3);
  for (const text of ['deploy 3\ndeploy 4\nend', 'deploy 3\ndeploy 3\n', 'deploy 3\nend', '']) {
    assert.type(numberOf(text, 2), 'string');
  }
});

test('a kill at any step of a deploy leaves the site as it was or as it was to be, and no page mixed', async () => {
  const { problems, kills, reads, unanswered } = await runCrashRounds({ rounds: ROUNDS });
  assert.equal(problems, []);
  assert.is(kills, ROUNDS);
  assert.ok(reads > 0 && unanswered.gone > 0, JSON.stringify({ reads, unanswered }));
});

test.run();
