import type { Stage } from '../stage.ts';

/** Text of a random length, different each time. */
export function textOf({ random }: Stage, fromBytes: number, toBytes: number): string {
  const length = random.whole(fromBytes, toBytes);
  let text = '';
  while (text.length < length) text += random.whole(0, 2 ** 31).toString(36);
  return text.slice(0, length);
}
