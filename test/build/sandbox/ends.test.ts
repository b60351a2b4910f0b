// A build in bwrap ends whole: what forked twice, has a session of its own and ignores signals is gone, however the build
// ends, also if the service is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../../support/process.ts';
import { makeBuildWorld } from '../command/world.ts';
import { findProcesses } from './attack.ts';
import { hasBwrap } from './this-machine.ts';

let markers = 0;

/** A command that leaves a process behind, and then runs `last`. */
function leaveBehind(last: string): { marker: string; command: string } {
  const marker = `76543.${process.pid}${++markers}`;
  const stubborn = `trap "" TERM INT HUP; exec env -i sleep ${marker}`;
  return { marker, command: `(setsid sh -c '${stubborn}' >/dev/null 2>&1 &) & sleep 0.3; echo started; ${last}` };
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing';
}

test('a build that is done leaves no process', async () => {
  if (!hasBwrap) return;
  const { marker, command } = leaveBehind('mkdir dist; echo a > dist/a');
  await using it = await makeBuildWorld({ command });
  await it.publish('hello');
  await it.build();
  assert.equal(findProcesses(marker), []);
});

test('a build that takes too long leaves no process', async () => {
  if (!hasBwrap) return;
  const { marker, command } = leaveBehind("trap '' TERM; while :; do sleep 1; done");
  await using it = await makeBuildWorld({ command, timeout: 2 });
  await it.publish('hello');
  assert.ok((await refusal(it.build())).includes('longer than 2 s'));
  assert.equal(findProcesses(marker), []);
});

test('a build that is cancelled, or cut off by a shutdown, leaves no process', async () => {
  if (!hasBwrap) return;
  for (const end of ['cancel', 'close'] as const) {
    const { marker, command } = leaveBehind('sleep 60');
    await using it = await makeBuildWorld({ command });
    await it.publish('hello');
    const cancel = new AbortController();
    const building = refusal(it.build({ signal: cancel.signal }));
    await eventually(() => assert.is(findProcesses(marker).length, 1), 60_000);
    if (end === 'cancel') cancel.abort();
    else await it.builds.close();
    assert.is(await building, 'the build was cancelled');
    assert.equal(findProcesses(marker), [], end);
  }
});

test('a service that is killed takes its builds with it', async () => {
  if (!hasBwrap) return;
  const { marker, command } = leaveBehind('sleep 60');
  const world = new URL('../command/world.ts', import.meta.url).href;
  const script = `import(${JSON.stringify(world)}).then(async ({ makeBuildWorld }) => {
    const it = await makeBuildWorld({ command: ${JSON.stringify(command)} });
    await it.publish('hello');
    await it.build({ log: (text) => text.startsWith('started') && console.log('started') });
  })`;
  const service = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: service.stdout }), 'line');
  assert.is(findProcesses(marker).length, 1);
  service.kill('SIGKILL');
  await once(service, 'exit');
  await eventually(() => assert.equal(findProcesses(marker), []), 5000);
});

test('a fork bomb ends at the limit, and a memory bomb too', async () => {
  if (!hasBwrap) return;
  const profiles = [
    { name: 'forks', command: 'i=0; while [ $i -lt 3000 ]; do sleep 60 & i=$((i+1)); done' },
    {
      name: 'memory',
      command: 'node --max-old-space-size=100000 -e "const kept = []; for (;;) kept.push(Buffer.allocUnsafe(1 << 26))"',
    },
  ];
  await using it = await makeBuildWorld({ profiles });
  await it.publish('hello');
  for (const { name } of profiles) assert.is.not(await refusal(it.build({ profile: name })), 'nothing', name);
});

test.run();
