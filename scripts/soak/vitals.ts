// The resources of one long life of the service: memory after its garbage is collected, descriptors, threads, sampled
// as it runs.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../src/lib/error-code.ts';
import type { Place } from '../../test/support/process.ts';
import type { Memory } from '../../test/support/vitals.ts';
import { type Lives, pause } from './service.ts';
import type { Sample } from './slopes.ts';

const EVERY_MS = 1000;
const ANSWER_MS = 10_000;

export interface Vitals {
  /** Takes samples from now on; does nothing if it has begun. `commits`: how many were made so far. */
  begin(commits: () => number): void;
  /** The samples of the last process. */
  end(): Promise<Sample[]>;
}

/**
 * Packs come in batches and go when they are merged, dozens up and down: each is open once. A pack that is open twice,
 * or is gone and still open, does count.
 */
const LIVING_PACK = /\/objects\/pack\/pack-[0-9a-f]+\.pack$/;

function countDescriptors(folder: string): number {
  const packs = new Set<string>();
  return readdirSync(folder).filter((name) => {
    const target = targetOf(join(folder, name));
    if (target === undefined || !LIVING_PACK.test(target) || packs.has(target)) return target !== undefined;
    packs.add(target);
    return false;
  }).length;
}

/** Undefined for a descriptor that was closed meanwhile. */
function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export const vitalsFile = (folder: string): string => join(folder, 'vitals.json');

export function createVitals({ place, lives }: { place: Place; lives: Lives }): Vitals {
  const file = vitalsFile(place.folder);
  const samples: (Sample & { pid: number })[] = [];
  let isOver = false;
  let running: Promise<void> | undefined;

  function readMemory(): Memory | undefined {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Memory;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async function sample(commits: number): Promise<void> {
    await lives.steadily(async () => {
      await lives.serving();
      const { pid } = lives;
      const before = readMemory()?.count;
      process.kill(pid, 'SIGUSR2');
      const until = performance.now() + ANSWER_MS;
      let memory = readMemory();
      for (; memory === undefined || memory.count === before; memory = readMemory()) {
        if (performance.now() > until) throw new Error(`process ${pid} did not collect its garbage in ${ANSWER_MS} ms`);
        await pause(20);
      }
      const descriptors = countDescriptors(`/proc/${pid}/fd`);
      const threads = readdirSync(`/proc/${pid}/task`).length;
      const { rssBytes, usedBytes } = memory;
      samples.push({ pid, atMs: performance.now(), commits, rssBytes, usedBytes, descriptors, threads });
    });
  }

  return {
    begin(commits) {
      running ??= (async () => {
        while (!isOver) {
          await sample(commits());
          await pause(EVERY_MS);
        }
      })();
    },
    async end() {
      isOver = true;
      await running;
      return samples.filter(({ pid }) => pid === lives.pid);
    },
  };
}
