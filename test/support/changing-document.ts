// A document whose versions are largely the same.
import { createRandom, type Random } from './random.ts';

/** A kilobyte or two that stay the same for one `id`, and two places that change. */
export function makeDocument(random: Random, id: number, revision: number): string {
  const words = createRandom(id + 1);
  const body = Array.from({ length: 150 }, () => words.whole(0, 36 ** 6).toString(36)).join(' ');
  const title = random.whole(0, 36 ** 8).toString(36);
  return `${JSON.stringify({ id, updatedAt: `revision ${revision}`, data: { body, title, more: body } }, null, 2)}\n`;
}
