// Whether a published document uses one of some media files. Reads every published document once, in small steps.
import type { ContentView } from '../../content/rows/view.ts';
import { createBreathe } from '../../lib/queues/slices.ts';

/** A search for more takes longer than a deploy that changes nothing. */
const MAX_SEARCHED = 50;

export async function isMediaUsed(
  view: Pick<ContentView, 'collections'>,
  slugs: ReadonlySet<string>,
): Promise<boolean> {
  if (slugs.size === 0) return false;
  if (slugs.size > MAX_SEARCHED) return true;
  // As JSON has it, and as it is in addresses.
  const texts = [...new Set([...slugs].flatMap((slug) => [JSON.stringify(slug).slice(1, -1), encodeURI(slug)]))];
  const breathe = createBreathe();
  for (const { rows } of view.collections()) {
    for (const row of rows.values()) {
      await breathe();
      if (row.status === 'published' && texts.some((text) => row.body.includes(text))) return true;
    }
  }
  return false;
}
