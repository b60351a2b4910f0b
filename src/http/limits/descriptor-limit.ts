// How many files and sockets this process may have open. Read once, at the start.
import { readFileSync } from 'node:fs';
import { isCode } from '../../lib/error-code.ts';

/** The minimum that POSIX promises, for systems that do not report a limit. */
const UNKNOWN = 1024;

/** The soft limit, which Node has raised to the hard one before our code runs. */
export function readDescriptorLimit(file = '/proc/self/limits'): number {
  return parseLimits(readProc(file)) ?? fromReport() ?? UNKNOWN;
}

/** @param limits as in proc(5), `/proc/pid/limits` */
export function parseLimits(limits: string | undefined): number | undefined {
  return toNumber(/^Max open files\s+(\S+)/m.exec(limits ?? '')?.[1]);
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Only for systems without /proc. */
function fromReport(): number | undefined {
  const { report } = process as { report?: { excludeNetwork?: boolean; getReport(): object } };
  if (!report) return undefined;
  // The report would otherwise look up the names of all addresses.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  return toNumber(String(userLimits?.open_files?.soft));
}

function toNumber(text: string | undefined): number | undefined {
  if (text === 'unlimited') return Number.MAX_SAFE_INTEGER;
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
