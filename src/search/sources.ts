// What search can find: documents and media. Each is a source with its own keys; one index holds them all.
import type { DescribedHit } from './service.ts';

export interface SearchSource {
  /** Whether a key is one of this source's. */
  owns(key: string): boolean;
  /** The form in which an entry is indexed; undefined if it is gone. */
  read(key: string): Uint8Array | undefined;
  keys(): Iterable<string>;
  size(): number;
  /** What results show of an entry; undefined if it is gone. */
  describe(key: string): DescribedHit | undefined;
}

/** The first source that owns a key answers for it. */
export function joinSources(sources: readonly SearchSource[]): Omit<SearchSource, 'owns'> {
  const sourceOf = (key: string): SearchSource | undefined => sources.find((source) => source.owns(key));
  return {
    read: (key) => sourceOf(key)?.read(key),
    *keys() {
      for (const source of sources) yield* source.keys();
    },
    size: () => sources.reduce((sum, source) => sum + source.size(), 0),
    describe: (key) => sourceOf(key)?.describe(key),
  };
}
