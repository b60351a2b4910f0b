// The memory that a service and the processes it has started use, as Linux counts it in /proc.
import fs from 'node:fs';
import { isCode } from '../../src/lib/error-code.ts';

export interface Resident {
  /** Sums over the processes: VmRSS, VmHWM, and Pss, which counts a page that several share once. */
  bytes: number;
  peakBytes: number;
  shareBytes: number;
  processes: number;
}

export function residentOf(pid: number): Resident {
  const sum: Resident = { bytes: 0, peakBytes: 0, shareBytes: 0, processes: 0 };
  for (const each of [pid, ...descendantsOf(pid)]) {
    const status = read(`/proc/${each}/status`);
    if (!status) continue;
    sum.bytes += kilobytes(status, 'VmRSS') * 1024;
    sum.peakBytes += kilobytes(status, 'VmHWM') * 1024;
    sum.shareBytes += kilobytes(read(`/proc/${each}/smaps_rollup`), 'Pss') * 1024;
    sum.processes++;
  }
  return sum;
}

function descendantsOf(pid: number): number[] {
  const threads = fs.existsSync(`/proc/${pid}/task`) ? fs.readdirSync(`/proc/${pid}/task`) : [];
  const children = threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '));
  return children.filter(Boolean).flatMap((child) => [Number(child), ...descendantsOf(Number(child))]);
}

/** Empty if the process has ended. */
function read(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}
