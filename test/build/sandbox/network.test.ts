// The network of a build: public addresses and names, and nothing around the machine. In a network of the test's own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toRoutes } from '../../../src/build/sandbox/public-network.ts';
import { findProgram, isRoot } from './attacker.ts';
import { NAME, type NetworkResult, PUBLIC_TARGET } from './private-hosts.ts';
import { hasBwrap } from './this-machine.ts';

const missing = ['pasta', 'ip'].filter((name) => findProgram(name) === undefined);
if (!isRoot) missing.push('root');
if (!hasBwrap) missing.push('bwrap');
if (missing.length > 0) console.log(`no build had a network here, for want of ${missing.join(', ')}`);

for (const resolver of ['private', 'loopback'] as const) {
  test(`a build reaches public hosts and no others, with a name server that is ${resolver}`, async () => {
    if (missing.length > 0) return;
    const script = join(import.meta.dirname, 'private-hosts.ts');
    const args = ['--mount', '--net', '--', process.execPath, script, resolver];
    const { stdout } = await promisify(execFile)('unshare', args, { maxBuffer: 1 << 26 });
    const { control, root, plain } = JSON.parse(stdout) as NetworkResult;
    assert.is(control.length, 9);
    for (const { report, log, warnings, connections, left } of [root, plain]) {
      assert.equal(warnings, []);
      assert.ok(report, log);
      assert.equal(report.reached, [PUBLIC_TARGET]);
      assert.equal(report.resolved, [NAME]);
      assert.is(connections, 0);
      assert.equal(left, []);
    }
  });
}

test('addresses of the machine itself are left out, whatever they are', () => {
  const routes = toRoutes(['45.33.1.1']).split('\n');
  for (const range of ['45.33.1.1/32', '10.0.0.0/8', '169.254.0.0/16'])
    assert.ok(routes.includes(`route replace unreachable ${range}`));
});

test.run();
