// FNV-1a, 32 bits (Fowler, Noll and Vo: http://www.isthe.com/chongo/tech/comp/fnv/): fast, and no defence against an
// attacker who looks for collisions. Results are in saved indexes, so they must never change. They are signed, because
// V8 keeps those unboxed; `>>> 0` makes them unsigned.

const BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** Hashes whole UTF-16 units, from `start` to before `end`. */
export function fnv1a(text: string, start = 0, end = text.length): number {
  let hash = BASIS;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}

/** Hashes bytes, from `start` to before `end`. */
export function fnv1aOfBytes(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let hash = BASIS;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, PRIME);
  return hash;
}
