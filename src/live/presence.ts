// Who has which document open. In memory: a restart forgets it, and the pages report it again within half a minute.
// Presence informs people about each other; it never locks anything.
import type { ElapsedMs } from '../lib/time/elapsed.ts';

export interface PresentPerson {
  id: string;
  name: string;
}

export interface PresenceNews {
  collection: string;
  slug: string;
  people: PresentPerson[];
}

export interface Presence {
  /** Says that a person has a document open, for the next minute, or no longer. Returns who has it open. */
  say(at: { collection: string; slug: string }, person: PresentPerson, isOpen: boolean): PresentPerson[];
  /** Every open document, with the people who have it open. */
  list(): PresenceNews[];
  /** Calls the listener with each change; returns the function that stops it. */
  listen(listener: (news: PresenceNews) => void): () => void;
}

/** Pages say it every 25 seconds, and one that is gone without a word is gone after this. */
const STAYS_MS = 60_000;
/** Documents that one person has open; after that the oldest is dropped. */
const MOST_OPEN = 50;

interface OpenDocument {
  collection: string;
  slug: string;
  person: PresentPerson;
  until: number;
}

export function createPresence(elapsedMs: ElapsedMs): Presence {
  /** By person and document, in the order in which they were said. */
  const entries = new Map<string, OpenDocument>();
  const listeners = new Set<(news: PresenceNews) => void>();

  function peopleAt(collection: string, slug: string): PresentPerson[] {
    const found = [...entries.values()].filter((entry) => entry.collection === collection && entry.slug === slug);
    return found.map(({ person }) => person).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  function notify({ collection, slug }: Pick<OpenDocument, 'collection' | 'slug'>): void {
    const news = { collection, slug, people: peopleAt(collection, slug) };
    for (const listener of listeners) listener(news);
  }

  function remove(key: string): void {
    const entry = entries.get(key)!;
    entries.delete(key);
    notify(entry);
  }

  function sweep(): void {
    const now = elapsedMs();
    for (const [key, { until }] of entries) if (until <= now) remove(key);
  }

  return {
    say({ collection, slug }, person, isOpen) {
      sweep();
      const key = JSON.stringify([person.id, collection, slug]);
      const isNew = !entries.has(key);
      if (!isOpen) {
        if (!isNew) remove(key);
        return peopleAt(collection, slug);
      }
      // Deleted first, so that it becomes the youngest.
      entries.delete(key);
      entries.set(key, { collection, slug, person, until: elapsedMs() + STAYS_MS });
      if (isNew) notify({ collection, slug });
      const own = [...entries].filter(([, entry]) => entry.person.id === person.id);
      for (const [old] of own.slice(0, Math.max(0, own.length - MOST_OPEN))) remove(old);
      return peopleAt(collection, slug);
    },
    list() {
      sweep();
      const places = new Map(
        [...entries.values()].map((entry) => [JSON.stringify([entry.collection, entry.slug]), entry]),
      );
      return [...places.values()].map(({ collection, slug }) => ({
        collection,
        slug,
        people: peopleAt(collection, slug),
      }));
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
