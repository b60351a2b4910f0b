// The long history check: `npm run soak -- --minutes 30 --clients 64 --seed 7`. Ends with 1 and a trace if a rule was
// broken. `SOAK_FAULTS=webhooks,clock npm run soak` lets only these faults strike; kills and clients are always there.
import { parseArgs } from 'node:util';
import { parseFaults } from './soak/faults/all.ts';
import { soak } from './soak/run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    clients: { type: 'string', default: '64' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Seconds between two checks. */
    epoch: { type: 'string', default: '20' },
    /** Seconds between two kills, and between two chores beside the service. */
    calm: { type: 'string', default: '4' },
    chores: { type: 'string', default: '0.8' },
    /** Seconds between two faults. */
    pace: { type: 'string', default: '3' },
    /** Files of a large push. */
    files: { type: 'string', default: '10000' },
    /** The share of the time at the end that is one life, for the slopes. */
    calmShare: { type: 'string', default: '0.3' },
    /** Milliseconds that git may be behind an answer: a second is promised, but clients and git share the machine. */
    lag: { type: 'string', default: '3000' },
  },
});

/** So much longer it may take until each fault has struck. */
const LATEST_STRIKE_MS = 15 * 60_000;

const faults = parseFaults(process.env.SOAK_FAULTS);
const forMs = Number(values.minutes) * 60_000;
console.log(
  `SOAK_FAULTS=${faults} npm run soak -- --seed ${values.seed} --clients ${values.clients} --minutes ${values.minutes}`,
);
const { violations, trace, ...figures } = await soak({
  seed: Number(values.seed),
  clients: Number(values.clients),
  forMs,
  mostMs: forMs + LATEST_STRIKE_MS,
  epochMs: Number(values.epoch) * 1000,
  calmMs: Number(values.calm) * 1000,
  choreMs: Number(values.chores) * 1000,
  faults,
  faultMs: Number(values.pace) * 1000,
  bulkFiles: Number(values.files),
  slopesMs: faults.every((name) => name === 'slopes') ? forMs : forMs * Number(values.calmShare),
  lagMs: Number(values.lag),
  say: (line) => console.log(line),
});
console.log(JSON.stringify(figures, null, 2));
for (const { rule, message } of violations.slice(0, 20)) console.log(`${rule}: ${message}`);
for (const one of trace) console.log(JSON.stringify(one));
if (violations.length) console.log(`${violations.length} violations with --seed ${values.seed}`);
const idle = Object.entries(figures.strikes).flatMap(([name, count]) => (count === 0 ? name : []));
if (idle.length) console.log(`never struck: ${idle.join(', ')}`);
process.exit(violations.length || idle.length ? 1 : 0);
