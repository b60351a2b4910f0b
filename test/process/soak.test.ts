// The long history check (`npm run soak`) for a minute, with more frequent kills, external commits and faults. Each
// fault strikes; slopes of memory need a long life, and are left to the nightly run.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FAULT_NAMES, parseFaults } from '../../scripts/soak/faults/all.ts';
import { soak } from '../../scripts/soak/run.ts';
import { createRandom } from '../support/random.ts';

const FAULTS = FAULT_NAMES.filter((name) => name !== 'slopes');
const LEAST_KILLS = 3;

test('the git log agrees with every answer while the service is killed, others push and faults strike', async () => {
  const { seed } = createRandom(Number(process.env.SEED) || 2026);
  console.log(`SEED=${seed}`);
  const lines: string[] = [];
  const { violations, trace, ...figures } = await soak({
    seed,
    clients: 8,
    forMs: 20_000,
    // A busy machine does little in that time.
    mostMs: 300_000,
    leastKills: LEAST_KILLS,
    epochMs: 6000,
    calmMs: 1500,
    choreMs: 300,
    faults: process.env.SOAK_FAULTS ? parseFaults(process.env.SOAK_FAULTS) : FAULTS,
    faultMs: 300,
    bulkFiles: 300,
    slopesMs: 0,
    // Next to other tests, git or the service may be slower than promised.
    lagMs: 4000,
    say: (line) => void lines.push(line),
  });
  const isKept = violations.length === 0;
  assert.equal(
    violations,
    [],
    isKept ? '' : `${lines.join('\n')}\n${trace.map((one) => JSON.stringify(one)).join('\n')}`,
  );
  // A busy machine does little between kills: 11 answers if six processes want each of its cores.
  assert.ok(figures.kills + figures.restarts >= LEAST_KILLS && figures.acknowledged > 5, JSON.stringify(figures));
  assert.ok(figures.commits >= figures.acknowledged / 2, JSON.stringify(figures));
  assert.ok(
    Object.values(figures.strikes).every((count) => count > 0),
    JSON.stringify(figures.strikes),
  );
  console.log(JSON.stringify(figures));
});

test.run();
