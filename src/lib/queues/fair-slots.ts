// Slots that strangers to each other share: a site and a caller each get a part of the whole, in what runs and in what
// waits, so that nobody who holds on to places stops the others. A free slot goes to the site, and within it to the
// caller, whose turn was longest ago.
import type { SlotLimits } from './slots.ts';

/** Who a place is for. */
export interface SlotHolder {
  /** A user, or the address of a stranger. */
  caller: string;
  site: string;
}

export interface FairSlotLimits extends Omit<SlotLimits, 'waiting' | 'full'> {
  waiting: number;
  /**
   * True for work that the service itself ends within seconds: then a holder alone may have all slots, because the
   * turns are enough.
   */
  isBrief?: boolean;
  /** Makes the error; `isOwn` if the holder's own share is used up and not the whole. */
  full(isOwn: boolean): Error;
}

export interface FairSlots {
  /**
   * Resolves with the function that gives the slot back; a second call of it does nothing. Work that is not wanted any
   * more when its turn comes is skipped. @throws the error of `full`
   */
  reserve(holder: SlotHolder, isWanted?: () => boolean): Promise<() => void>;
}

/** Parts of the whole. Two sites, or three callers, are needed to have all of it. */
const SITE_SHARE = 5 / 8;
const CALLER_SHARE = 3 / 8;

type PlaceKind = 'running' | 'waiting';

interface PlaceCount {
  running: number;
  waiting: number;
  /** When it was given a slot last: the number of slots given until then. */
  turn: number;
}

interface InLine {
  counts: HolderPlaces;
  isWanted(): boolean;
  enter(): void;
  refuse(): void;
}

interface HolderPlaces {
  site: PlaceCount;
  caller: PlaceCount;
}

export function createFairSlots(limits: FairSlotLimits): FairSlots {
  const { atOnce, waiting, waitMs, full, isBrief = false } = limits;
  const counts = new Map<string, PlaceCount>();
  const line = new Set<InLine>();
  let running = 0;
  let turns = 0;

  function find(key: string): PlaceCount {
    const found = counts.get(key) ?? { running: 0, waiting: 0, turn: 0 };
    counts.set(key, found);
    return found;
  }

  function count(holder: SlotHolder, kind: PlaceKind, by: 1 | -1): void {
    for (const key of keysOf(holder)) {
      const found = find(key);
      found[kind] += by;
      if (found.running === 0 && found.waiting === 0) counts.delete(key);
    }
  }

  function isWithin({ site, caller }: HolderPlaces, kind: PlaceKind, all: number): boolean {
    return site[kind] < toShare(all, SITE_SHARE) && caller[kind] < toShare(all, CALLER_SHARE);
  }

  const mayRun = (of: HolderPlaces): boolean => running < atOnce && (isBrief || isWithin(of, 'running', atOnce));

  function placesOf(holder: SlotHolder): HolderPlaces {
    const [site, caller] = keysOf(holder);
    return { site: find(site), caller: find(caller) };
  }

  function enter(holder: SlotHolder): () => void {
    running++;
    count(holder, 'running', 1);
    turns++;
    for (const key of keysOf(holder)) find(key).turn = turns;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      running--;
      count(holder, 'running', -1);
      next();
    };
  }

  function next(): void {
    let first: InLine | undefined;
    for (const one of line) {
      if (!one.isWanted()) one.refuse();
      else if (mayRun(one.counts) && (!first || isEarlier(one.counts, first.counts))) first = one;
    }
    first?.enter();
  }

  function wait(holder: SlotHolder, isWanted: () => boolean): Promise<() => void> {
    count(holder, 'waiting', 1);
    const own = placesOf(holder);
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = (): void => {
        clearTimeout(timer);
        line.delete(one);
      };
      const one: InLine = {
        counts: own,
        isWanted,
        enter() {
          leave();
          const done = enter(holder);
          count(holder, 'waiting', -1);
          resolve(done);
        },
        refuse() {
          leave();
          const isOwn = !isBrief && running < atOnce;
          count(holder, 'waiting', -1);
          reject(full(isOwn));
        },
      };
      if (waitMs !== undefined) timer = setTimeout(one.refuse, waitMs);
      line.add(one);
    });
  }

  function dropUnwanted(): void {
    for (const one of line) if (!one.isWanted()) one.refuse();
  }

  return {
    async reserve(holder, isWanted = () => true) {
      const [site, caller] = keysOf(holder);
      const none: PlaceCount = { running: 0, waiting: 0, turn: 0 };
      const own = { site: counts.get(site) ?? none, caller: counts.get(caller) ?? none };
      if (mayRun(own)) return enter(holder);
      const isFree = (): boolean => line.size < waiting && isWithin(own, 'waiting', waiting);
      if (!isFree()) dropUnwanted();
      if (!isFree()) throw full(line.size < waiting);
      return wait(holder, isWanted);
    },
  };
}

function keysOf({ site, caller }: SlotHolder): [site: string, caller: string] {
  return [`site ${site}`, `caller ${caller}`];
}

function toShare(all: number, share: number): number {
  return Math.ceil(all * share);
}

/** Ties go to who came first. */
function isEarlier(a: HolderPlaces, b: HolderPlaces): boolean {
  return a.site.turn - b.site.turn < 0 || (a.site.turn === b.site.turn && a.caller.turn < b.caller.turn);
}
