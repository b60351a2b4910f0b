// What happened, in a word. Pure.
import { en } from '../../text/en.ts';
import { type TextKey, t } from '../../text/translate.ts';

export interface RecentChange {
  commit: string;
  event: string;
  collection: string;
  slug: string;
  id: string;
  at: string;
  title?: string;
  author?: { id: string | null; name: string } | null;
}

/** `content.updated` is "changed"; an event that is not known yet counts as a change. */
export function toEventText(event: string): string {
  const key = `event.${event.split('.').at(-1)}`;
  return t(Object.hasOwn(en, key) ? (key as TextKey) : 'event.other');
}
