// The lanes of an outbox: the entries of one topic and key one behind another, and the target that they all go to.
import { DueQueue } from './due-queue.ts';
import type { Entry } from './entry.ts';

/** The entries of one topic and key, in order. */
export interface Lane {
  name: string;
  target: Target;
  head: Entry | undefined;
  tail: Entry | undefined;
  /** Where it waits: for its time, for its target, or for the entry that is on its way. */
  at: 'due' | 'ready' | 'active';
  /** Somebody asked for it by hand. */
  isUrgent: boolean;
}

export interface Target {
  name: string;
  topic: string;
  active: number;
  /** Lanes whose time has come, in that order; those that somebody asked for first. */
  ready: DueQueue<Lane>;
  /** In a row, of the receiver and not of what was sent. */
  failures: number;
  pausedUntilMs: number;
  lanes: number;
}

export interface LaneTable {
  /** The lane that the entry belongs into; made if there is none. */
  laneOf(entry: Entry): Lane;
  /** Forgets a lane that nothing waits in. */
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
      // A target that failed is remembered for as long as something waits for it.
      if (--lane.target.lanes === 0) targets.delete(lane.target.name);
    },
  };
}

/** Behind all others of its key. */
export function insertLast(lane: Lane, entry: Entry): void {
  entry.isQueued = true;
  if (lane.tail && lane.head) lane.tail.next = entry;
  else lane.head = entry;
  lane.tail = entry;
}

/** Before all others of its key. */
export function insertFirst(lane: Lane, entry: Entry): void {
  entry.isQueued = true;
  if (lane.at === 'active' && lane.head) {
    // The one that is on its way stays first until it is back.
    entry.next = lane.head.next;
    lane.head.next = entry;
    if (lane.tail === lane.head) lane.tail = entry;
    return;
  }
  entry.next = lane.head;
  if (!lane.head) lane.tail = entry;
  lane.head = entry;
}

/** Takes out of the front what does not wait any more; returns the first that does. */
export function skipSettled(lane: Lane): Entry | undefined {
  while (lane.head && lane.head.state !== 'pending') {
    const gone: Entry = lane.head;
    lane.head = gone.next;
    gone.next = undefined;
    gone.isQueued = false;
  }
  return lane.head;
}
