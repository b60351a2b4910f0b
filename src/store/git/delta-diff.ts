// Finds the delta from one version of a file to another: the head and the tail that both share, and in between the
// blocks of the base that the target repeats anywhere, found with a rolling hash. A document whose `updatedAt` changed
// along with a field differs in two places; its delta is a few dozen bytes.
import { type DeltaPiece, encodeDelta, toPieces } from './delta.ts';

const BLOCK = 16;
const FACTOR = 0x01000193;
/** FACTOR to the power of BLOCK: removes the oldest byte from the hash. */
const OLDEST = Array.from({ length: BLOCK }).reduce((power: number) => Math.imul(power, FACTOR), 1);

interface Match {
  /** Its place in the target. */
  to: number;
  /** Its place in the base. */
  from: number;
  length: number;
}

export function diffDelta(base: Buffer, target: Buffer): Buffer {
  const shorter = Math.min(base.length, target.length);
  let head = 0;
  while (head < shorter && base[head] === target[head]) head++;
  let tail = 0;
  while (tail < shorter - head && base[base.length - 1 - tail] === target[target.length - 1 - tail]) tail++;
  const matches: Match[] = [];
  if (head >= BLOCK) matches.push({ to: 0, from: 0, length: head });
  else head = 0;
  if (tail < BLOCK) tail = 0;
  matches.push(
    ...findBlocks(base.subarray(head, base.length - tail), target.subarray(head, target.length - tail), head),
  );
  if (tail) matches.push({ to: target.length - tail, from: base.length - tail, length: tail });
  return encodeDelta(toPieces(base.length, stretches(target, matches)));
}

/** Stretches of the target that are also in the base, in order; `shift` is added to both their places. */
function findBlocks(base: Buffer, target: Buffer, shift: number): Match[] {
  const matches: Match[] = [];
  if (base.length < BLOCK || target.length < BLOCK) return matches;
  const bits = Math.max(4, Math.ceil(Math.log2(base.length / BLOCK)) + 1);
  const unused = 32 - bits;
  const places = new Int32Array(1 << bits).fill(-1);
  // Backwards, so that the first of several equal blocks is kept.
  for (let at = base.length - (base.length % BLOCK) - BLOCK; at >= 0; at -= BLOCK) {
    places[slot(hashAt(base, at), unused)] = at;
  }
  let done = 0;
  let hash = hashAt(target, 0);
  for (let at = 0; at + BLOCK <= target.length; ) {
    const place = places[slot(hash, unused)]!;
    const length = place < 0 ? 0 : commonLength(base, place, target, at);
    if (length < BLOCK) {
      hash = (Math.imul(hash, FACTOR) - Math.imul(target[at]!, OLDEST) + (target[at + BLOCK] ?? 0)) | 0;
      at++;
      continue;
    }
    let before = 0;
    while (before < place && at - before > done && base[place - before - 1] === target[at - before - 1]) before++;
    matches.push({ to: shift + at - before, from: shift + place - before, length: length + before });
    done = at = at + length;
    if (at + BLOCK <= target.length) hash = hashAt(target, at);
  }
  return matches;
}

function hashAt(bytes: Buffer, at: number): number {
  let hash = 0;
  for (let i = 0; i < BLOCK; i++) hash = (Math.imul(hash, FACTOR) + bytes[at + i]!) | 0;
  return hash;
}

/** The upper bits of a multiplied hash depend on all of it. */
function slot(hash: number, unusedBits: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> unusedBits;
}

function commonLength(base: Buffer, place: number, target: Buffer, at: number): number {
  const most = Math.min(base.length - place, target.length - at);
  let length = 0;
  while (length < most && base[place + length] === target[at + length]) length++;
  return length;
}

function* stretches(target: Buffer, matches: readonly Match[]): Generator<DeltaPiece> {
  let done = 0;
  for (const { to, from, length } of matches) {
    if (to > done) yield { bytes: target.subarray(done, to) };
    yield { at: from, length };
    done = to + length;
  }
  if (done < target.length) yield { bytes: target.subarray(done) };
}
