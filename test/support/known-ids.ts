// Makes nanoid draw the same ids in every run: a crash can only be repeated if every byte before it is the same.
import { webcrypto } from 'node:crypto';
import { random } from 'nanoid';
import { createRandom } from './random.ts';

/** More than nanoid ever keeps in its pool. */
const MOST_BYTES = 1 << 16;

/** From now on nanoid draws from this seed, in the whole process. */
export function drawIdsFrom(seed: number): void {
  const chance = createRandom(seed);
  let isFresh = false;
  Object.defineProperty(webcrypto, 'getRandomValues', {
    configurable: true,
    value: <T extends Uint8Array>(bytes: T): T => {
      isFresh = true;
      for (let i = 0; i < bytes.length; i++) bytes[i] = chance.whole(0, 255);
      return bytes;
    },
  });
  // Uses up what nanoid drew before.
  for (let i = 0; !isFresh; i++) {
    if (i > MOST_BYTES) throw new Error('nanoid no longer draws from webcrypto');
    random(1);
  }
}
