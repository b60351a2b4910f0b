// Lines through samples, and the limits that they are checked against.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkSlopes, growth, growthOf, type Sample } from '../../scripts/soak/slopes.ts';

const MIB = 2 ** 20;

/** Five minutes, a sample each second; `at` changes what a calm service shows. */
function sample(at: (n: number) => Partial<Sample> = () => ({})): Sample[] {
  return Array.from({ length: 300 }, (_, n) => ({
    atMs: n * 1000,
    commits: n * 10,
    rssBytes: 200 * MIB + (n % 7) * MIB,
    usedBytes: 50 * MIB,
    descriptors: 40 + (n % 5),
    threads: 12,
    ...at(n),
  }));
}

const rules = (samples: Sample[]): string[] => checkSlopes(samples).map(({ message }) => message.split(' grew')[0]!);

test('a rising line has the growth between its ends, whatever the noise', () => {
  assert.is(growthOf([1, 2, 3, 4].map((x) => ({ x, y: 10 * x }))), 30);
  const noisy = Array.from({ length: 100 }, (_, x) => ({ x, y: 2 * x + (x % 2 ? 5 : -5) }));
  assert.ok(Math.abs(growthOf(noisy) - 198) < 2);
});

test('growth in the first half only does not count', () => {
  const samples = sample((n) => ({ usedBytes: Math.min(n, 140) * MIB }));
  assert.is(growth(samples)?.usedBytes, 0);
  assert.equal(rules(samples), []);
});

test('memory, descriptors and threads that grow on and on are found', () => {
  assert.equal(rules(sample((n) => ({ usedBytes: 50 * MIB + n * MIB }))), ['bytes in use']);
  assert.equal(rules(sample((n) => ({ rssBytes: 200 * MIB + n * MIB }))), ['resident bytes']);
  assert.equal(rules(sample((n) => ({ descriptors: 40 + n / 5 }))), ['descriptors']);
  assert.equal(rules(sample((n) => ({ threads: 12 + Math.floor(n / 20) }))), ['threads']);
});

test('memory that the history explains is not counted', () => {
  assert.equal(rules(sample((n) => ({ commits: n * 1000, usedBytes: 50 * MIB + n * 1_000_000 }))), []);
});

test('a few samples prove nothing, and a minute proves nothing about memory', () => {
  const steep = (n: number): Partial<Sample> => ({ usedBytes: n * 10 * MIB, descriptors: n * 10 });
  assert.equal(rules(sample(steep).slice(0, 12)), []);
  assert.equal(rules(sample(steep).slice(0, 60)), ['descriptors']);
});

test.run();
