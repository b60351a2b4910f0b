// What a command prints, on its way to the log: at once as long as it is little, else as much as is new at each look, so
// that gigabytes of it cost neither memory nor the disk of the log. Whoever prints too fast loses the middle, never the
// end.

/** The log keeps as much. */
const KEPT_BYTES = 1 << 20;
const LOOK_MS = 250;

export interface BoundedOutput {
  write(chunk: Buffer): void;
  /** Passes on what is held back. */
  end(): void;
}

export function createBoundedOutput(log: (text: string) => void, keptBytes = KEPT_BYTES, lookMs = LOOK_MS): BoundedOutput {
  const decoder = new TextDecoder('utf-8');
  const held: Buffer[] = [];
  let heldBytes = 0;
  let droppedBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function pass(isEnd: boolean): void {
    if (droppedBytes > 0) log(`${decoder.decode()}\n[${droppedBytes} bytes of output left out]\n`);
    const bytes = Buffer.concat(held);
    // The beginning of a line may be gone; a piece of it would be read as something else.
    const from = droppedBytes > 0 ? bytes.indexOf(10) + 1 : 0;
    held.length = heldBytes = droppedBytes = 0;
    const text = decoder.decode(bytes.subarray(from), { stream: !isEnd });
    if (text !== '') log(text);
  }

  function look(): void {
    timer = undefined;
    if (heldBytes === 0) return;
    pass(false);
    timer = setTimeout(look, lookMs);
  }

  return {
    write(chunk) {
      held.push(chunk);
      heldBytes += chunk.length;
      while (heldBytes > keptBytes && held.length > 1) {
        const { length } = held.shift()!;
        heldBytes -= length;
        droppedBytes += length;
      }
      if (timer !== undefined) return;
      pass(false);
      timer = setTimeout(look, lookMs);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
      pass(true);
    },
  };
}
