// The lanes of an outbox: the entries of one topic and key in a queue, and the target that they all go to.
import { DueQueue } from './due-queue.ts';
import type { Entry } from './entry.ts';

/** The entries of one topic and key, in order. */
export interface Lane {
  name: string;
  target: Target;
  head: Entry | undefined;
  tail: Entry | undefined;
  /** What it waits for: its time, its target, or the entry that is on its way. */
  at: 'due' | 'ready' | 'active';
  /** A user asked for a redelivery. */
  isUrgent: boolean;
}

export interface Target {
  name: string;
  topic: string;
  active: number;
  /** Lanes that are due, in order; urgent ones first. */
  ready: DueQueue<Lane>;
  /** Times in a row that the receiver was not reached; a refusal of one entry does not count. */
  failures: number;
  pausedUntilMs: number;
  lanes: number;
}

export interface LaneTable {
  /** Returns the lane of the entry; creates it if needed. */
  laneOf(entry: Entry): Lane;
  /** Removes an empty lane. */
  remove(lane: Lane): void;
}

export function createLaneTable(): LaneTable {
  const lanes = new Map<string, Lane>();
  const targets = new Map<string, Target>();

  function laneOf(entry: Entry): Lane {
    const name = `${entry.topic} ${entry.key}`;
    let lane = lanes.get(name);
    if (!lane) {
      const target = targetOf(entry);
      lane = { name, target, head: undefined, tail: undefined, at: 'due', isUrgent: false };
      target.lanes++;
      lanes.set(name, lane);
    }
    return lane;
  }

  function targetOf({ topic, target: named }: Entry): Target {
    const name = `${topic} ${named}`;
    let target = targets.get(name);
    if (!target) {
      target = { name, topic, active: 0, ready: new DueQueue(), failures: 0, pausedUntilMs: 0, lanes: 0 };
      targets.set(name, target);
    }
    return target;
  }

  return {
    laneOf,
    remove(lane) {
      lanes.delete(lane.name);
      // A target's failures are remembered as long as an entry waits for it.
      if (--lane.target.lanes === 0) targets.delete(lane.target.name);
    },
  };
}

/** Inserts the entry after all others of its key. */
export function insertLast(lane: Lane, entry: Entry): void {
  entry.isQueued = true;
  if (lane.tail && lane.head) lane.tail.next = entry;
  else lane.head = entry;
  lane.tail = entry;
}

/** Inserts the entry before all others of its key. */
export function insertFirst(lane: Lane, entry: Entry): void {
  entry.isQueued = true;
  if (lane.at === 'active' && lane.head) {
    // The entry that is on its way stays first until its attempt ends.
    entry.next = lane.head.next;
    lane.head.next = entry;
    if (lane.tail === lane.head) lane.tail = entry;
    return;
  }
  entry.next = lane.head;
  if (!lane.head) lane.tail = entry;
  lane.head = entry;
}

/** Removes entries that no longer wait from the front; returns the first that does. */
export function skipSettled(lane: Lane): Entry | undefined {
  while (lane.head && lane.head.state !== 'pending') {
    const gone: Entry = lane.head;
    lane.head = gone.next;
    gone.next = undefined;
    gone.isQueued = false;
  }
  return lane.head;
}
