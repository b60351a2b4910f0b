// How fast a peer moves bytes while the service waits for it, over a sliding window. Time in which the service itself is
// at work does not count. Pure: the caller has the clock.

export interface PaceLimit {
  /** A peer that moves less is too slow. */
  bytesPerSecond: number;
  windowMs: number;
}

/** The limit of decisions.md, section 16. */
export const SLOWEST: PaceLimit = { bytesPerSecond: 10_000, windowMs: 30_000 };

export interface PeerPace {
  /** Notes how long the service has waited for the peer, and what moved. Returns true if the peer is too slow. */
  note(waitedMs: number, bytes: number): boolean;
}

interface PaceSlice {
  ms: number;
  bytes: number;
}

const SLICES = 10;

export function createPace({ bytesPerSecond, windowMs }: PaceLimit): PeerPace {
  const slices: PaceSlice[] = [{ ms: 0, bytes: 0 }];
  const total: PaceSlice = { ms: 0, bytes: 0 };

  function add(ms: number, bytes: number): void {
    const last = slices.at(-1)!;
    if (last.ms < windowMs / SLICES) {
      last.ms += ms;
      last.bytes += bytes;
    } else slices.push({ ms, bytes });
    total.ms += ms;
    total.bytes += bytes;
  }

  return {
    note(waitedMs, bytes) {
      add(waitedMs, bytes);
      for (let [first] = slices; first && slices.length > 1 && total.ms - first.ms >= windowMs; [first] = slices) {
        total.ms -= first.ms;
        total.bytes -= first.bytes;
        slices.shift();
      }
      return total.ms >= windowMs && total.bytes * 1000 < bytesPerSecond * total.ms;
    },
  };
}
