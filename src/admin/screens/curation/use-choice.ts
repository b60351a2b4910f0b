// What a person would take over of an item, kept in the tab: a reload, or a look at another item, loses no choice.
import { useState } from 'preact/hooks';
import { type Kept, useKept } from '../../shell/use-kept.ts';
import type { QueueItem } from './item-fields.ts';

export interface ItemChoice {
  /** Undefined for the item's own values. */
  alternative: number | undefined;
  /** The names of fields that are not to be taken over. */
  without: ReadonlySet<string>;
  toggle(name: string): void;
  choose(alternative: number | undefined): void;
  /** It is decided. */
  forget(): void;
}

interface Chosen {
  alternative?: number | undefined;
  without: readonly string[];
}

/** What was typed into an item and not saved. */
export function useKeptEdit({ id }: QueueItem): Kept {
  return useKept(`curation:${id}`);
}

const EVERYTHING: Chosen = { without: [] };

export function useChoice({ id, alternatives }: QueueItem): ItemChoice {
  const kept = useKept(`choice:${id}`);
  const [chosen, setChosen] = useState(() => JSON.parse(kept.read() ?? 'null') ?? EVERYTHING);
  const { alternative, without }: Chosen = chosen;

  function change(next: Chosen): void {
    setChosen(next);
    kept.keep(JSON.stringify(next));
  }

  return {
    // An edit may have made an alternative the item's own.
    alternative: alternative !== undefined && alternative in alternatives ? alternative : undefined,
    without: new Set(without),
    toggle(name) {
      const rest = without.filter((one) => one !== name);
      change({ alternative, without: rest.length < without.length ? rest : [...without, name] });
    },
    choose: (at) => change({ alternative: at, without: [] }),
    forget: () => kept.keep(''),
  };
}
