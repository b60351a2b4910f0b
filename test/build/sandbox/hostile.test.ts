// A build that attacks: in bwrap it finds nothing of the service, as root and as a plain user; without bwrap it does not
// run, unless the operator allows it, and then it finds everything.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AttackResult } from './attack.ts';
import { isRoot, makeProgramFolder, SECRET, startAttack } from './attacker.ts';
import { hasBwrap } from './this-machine.ts';

if (!isRoot) console.log('this is not root, so no build was started by root');

function assertNothingFound({ report, left, loopback, connections, isClean, log }: AttackResult): void {
  assert.ok(report, log);
  const environments = Object.values(report.environments);
  // Its own, and that of the first process of its namespace, which ends with it.
  assert.ok(environments.length > 1);
  assert.not.ok(environments.some((text) => text.includes(SECRET)));
  assert.equal(
    report.environments['1']?.split('\0').filter((line) => line !== '' && !/^(?:TMPDIR|PWD)=/.test(line)),
    [],
  );
  assert.not.ok(report.commandLines.some((line) => line.includes('attack.ts')));
  assert.equal(report.read, []);
  assert.equal(report.written, []);
  assert.not.ok(report.reached.includes(loopback));
  assert.is(connections, 0);
  assert.is.not(report.uid, 0);
  assert.is.not(report.memoryLimit, 'unlimited');
  assert.is(report.processLimit, '1024');
  assert.is(report.canMakeNamespaces, false);
  assert.equal(left, []);
  assert.ok(isClean);
}

test('a hostile build of a plain user finds nothing of the service and leaves no process', async () => {
  if (!hasBwrap) return;
  assertNothingFound(await startAttack({ user: 'plain' }));
});

test('a hostile build of a service that runs as root finds nothing either, and is not root', async () => {
  if (!hasBwrap || !isRoot) return;
  assertNothingFound(await startAttack({ user: 'root' }));
});

test('a tenant does not get the network of a machine that cannot keep private addresses out of it', async () => {
  if (!hasBwrap) return;
  const order = { wantsNetwork: true, isTenant: true };
  const result = await startAttack({ user: 'plain', order });
  assertNothingFound(result);
  const isPublic = result.warnings.length === 0;
  assert.is(result.log.includes('This build has no network'), !isPublic);
});

test('the same program finds all of it where the operator lets it run unconfined', async () => {
  using programs = makeProgramFolder();
  const { report, log, dataDir, loopback, connections, warnings, left, isClean } = await startAttack({
    user: 'plain',
    order: { searchPath: programs.folder, isUnconfined: true },
  });
  assert.ok(report, log);
  assert.ok(Object.values(report.environments).some((text) => text.includes(SECRET)));
  assert.ok(report.read.includes(`${dataDir}/users.json`));
  assert.ok(report.reached.includes(loopback));
  assert.is(connections, 1);
  assert.is(warnings.length, 1);
  assert.ok(isClean);
  // Only a namespace of processes reaches those that forked twice with an empty environment.
  assert.is(left.length, 1);
  for (const id of left) process.kill(id, 'SIGKILL');
});

test('without bwrap a build by command is refused, and for a tenant also if the operator runs others unconfined', async () => {
  using programs = makeProgramFolder();
  for (const order of [{}, { isUnconfined: true, isTenant: true }]) {
    const { report, refusal } = await startAttack({ user: 'plain', order: { searchPath: programs.folder, ...order } });
    assert.is(report, undefined);
    assert.is(refusal?.code, 'invalid_input');
    assert.ok(refusal?.message.includes('install bubblewrap'), refusal?.message);
  }
});

test('where user namespaces are used up, as where they are off, a build is refused with the words of bwrap', async () => {
  if (!hasBwrap || !isRoot) return;
  const one =
    'echo 1 > /proc/sys/user/max_user_namespaces && exec unshare --user --map-user=1000 --map-group=1000 "$@"';
  const within = ['unshare', '--user', '--map-root-user', '--', 'sh', '-c', one, 'sh'];
  const { refusal, warnings } = await startAttack({ user: 'root', within });
  assert.is(refusal?.code, 'invalid_input');
  assert.match(refusal!.message, /bwrap: .*namespace/);
  assert.is(warnings.length, 1);
});

test('a bwrap that fails as it does where namespaces are forbidden is reported in its own words', async () => {
  const words = 'bwrap: setting up uid map: Permission denied';
  using programs = makeProgramFolder({ bwrap: `echo "${words}" >&2; exit 1` });
  const { refusal, warnings } = await startAttack({ user: 'plain', order: { searchPath: programs.folder } });
  assert.ok(refusal?.message.includes(words), refusal?.message);
  assert.ok(warnings[0]?.includes(words));
});

test.run();
