// Waits for something, and no longer than a time.

/** Resolves when `other` has, or after `ms`. @throws as `other` does in that time */
export async function within(ms: number, other: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([other, new Promise<void>((done) => (timer = setTimeout(done, ms)))]).finally(() =>
    clearTimeout(timer),
  );
}
