// How commands run: bwrap if the machine has it, else not, unless the operator allows it and nobody else has a word.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseIsolation, type IsolationQuestion, toWarning } from '../../../src/build/sandbox/isolation.ts';
import { toMemoryBytes } from '../../../src/build/sandbox/limits.ts';

const PROGRAMS = {
  bwrap: '/usr/bin/bwrap',
  setpriv: '/usr/bin/setpriv',
  unshare: '/usr/bin/unshare',
  endsUserNamespaces: true,
};
const NETWORKED = { ...PROGRAMS, network: { pasta: '/usr/bin/pasta', ip: '/sbin/ip' } };
const FOLDERS = { links: [], system: [], hiddenInSystem: [], listed: [], hiddenInListed: [], searchPath: '/bin' };

type Change = Partial<Omit<IsolationQuestion, 'machine'>> & {
  programs?: typeof NETWORKED | typeof PROGRAMS | undefined;
};

function question({ programs, ...change }: Change): IsolationQuestion {
  const machine = { programs, problem: programs ? '' : 'it is not there', networkProblem: programs ? 'no pasta' : '' };
  const standard = { builder: undefined, wantsNetwork: true, isUnconfined: false, outsider: undefined };
  return { machine, folders: FOLDERS, ...standard, ...change };
}

/** The kind and the network; `refused` for a sentence. */
function choose(change: Change): string {
  const chosen = chooseIsolation(question(change));
  if (typeof chosen === 'string') return 'refused';
  return chosen.kind === 'bwrap' ? `bwrap, ${chosen.network}` : chosen.kind;
}

const outsider = 'a tenant may change it';

test('the isolation follows the machine, the operator and who has a word in the site', () => {
  const table: [Change, string][] = [
    [{ programs: NETWORKED }, 'bwrap, public'],
    [{ programs: NETWORKED, outsider }, 'bwrap, public'],
    [{ programs: NETWORKED, outsider, isUnconfined: true }, 'bwrap, public'],
    [{ programs: NETWORKED, wantsNetwork: false }, 'bwrap, none'],
    [{ programs: PROGRAMS }, 'bwrap, machine'],
    [{ programs: PROGRAMS, outsider }, 'bwrap, none'],
    [{ programs: PROGRAMS, wantsNetwork: false }, 'bwrap, none'],
    [{}, 'refused'],
    [{ outsider }, 'refused'],
    [{ isUnconfined: true }, 'unconfined'],
    [{ isUnconfined: true, outsider }, 'refused'],
  ];
  for (const [change, expected] of table) assert.is(choose(change), expected, JSON.stringify(change));
});

test('a refusal names what to install, and CMS_BUILDS only to those whom it would help', () => {
  const refusalOf = (change: Change) => String(chooseIsolation(question(change)));
  assert.match(refusalOf({}), /install bubblewrap.*CMS_BUILDS=unconfined$/);
  assert.not.match(refusalOf({ outsider }), /CMS_BUILDS/);
  assert.ok(refusalOf({ outsider, isUnconfined: true }).endsWith(outsider));
});

test('a warning says what builds cannot have, and none is given where they have all', () => {
  assert.is(toWarning(question({ programs: NETWORKED })), undefined);
  assert.is(toWarning(question({ programs: PROGRAMS, wantsNetwork: false })), undefined);
  assert.match(toWarning(question({ programs: PROGRAMS })) ?? '', /no pasta.*install passt/);
  const noTun = { ...question({ programs: PROGRAMS }) };
  noTun.machine = { ...noTun.machine, networkProblem: 'Failed to open tun socket in namespace' };
  assert.match(toWarning(noTun) ?? '', /tun socket.*give it the device \/dev\/net\/tun/);
  assert.match(toWarning(question({})) ?? '', /refused.*install bubblewrap/);
  assert.match(toWarning(question({ isUnconfined: true })) ?? '', /unconfined/);
});

test('a build has half of a small machine, and 4 GiB of a large one', () => {
  assert.is(toMemoryBytes(2 ** 30), 2 ** 29);
  assert.is(toMemoryBytes(2 ** 40), 2 ** 32);
});

test.run();
