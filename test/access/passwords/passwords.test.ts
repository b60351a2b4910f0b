import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPasswords, isPhc } from '../../../src/access/passwords/passwords.ts';

test('a hash is a salted argon2id PHC string with 19 MiB and two passes', async () => {
  const passwords = createPasswords();
  const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.ok(isPhc(one));
  assert.is.not(one, two);
  assert.is(await passwords.verify('correct horse', one), true);
  assert.is(await passwords.verify('correct horsf', one), false);
  assert.is(await passwords.verify('', one), false);
});

test('a hash with other costs still works', async () => {
  const phc = await createPasswords({ memoryKib: 64, passes: 3 }).hash('correct horse');
  assert.is(await createPasswords().verify('correct horse', phc), true);
});

test('composed and decomposed characters are the same password', async () => {
  const passwords = createPasswords({ memoryKib: 64, passes: 1 });
  assert.is(await passwords.verify('cafe\u0301 au lait', await passwords.hash('caf\u00e9 au lait')), true);
});

test('without a hash no password is right', async () => {
  assert.is(await createPasswords({ memoryKib: 64, passes: 1 }).verify('anything', undefined), false);
});

test('an unknown user takes as long as a wrong password', async () => {
  const passwords = createPasswords();
  const phc = await passwords.hash('correct horse');
  // CPU time, taken in turns: otherwise, other work on the machine would make a difference as well.
  const workOf = async (hash: string | undefined): Promise<number> => {
    const before = process.cpuUsage();
    await passwords.verify('wrong password', hash);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const [wrong, unknown]: [number[], number[]] = [[], []];
  for (let n = 0; n < 5; n++) {
    wrong.push(await workOf(phc));
    unknown.push(await workOf(undefined));
  }
  const ratio = Math.min(...unknown) / Math.min(...wrong);
  assert.ok(ratio > 0.5 && ratio < 2, `${unknown} against ${wrong} us`);
});

test('twenty simultaneous sign-ins are all answered within the memory of a few', async () => {
  const passwords = createPasswords();
  const phc = await passwords.hash('correct horse');
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 1);
  const before = process.memoryUsage().rss;
  const results = await Promise.all(Array.from({ length: 20 }, () => passwords.verify('correct horse', phc)));
  clearInterval(timer);
  assert.ok(results.every(Boolean));
  assert.ok(peak - before < 64 * 1024 * 1024, `grew by ${peak - before}`);
});

test.run();
