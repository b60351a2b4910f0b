// The result of a site's last check, kept in `_data` for people who ask later. Losing it loses nothing but that.
import { z } from 'zod';
import type { DataFolder } from '../../data/data-folder.ts';
import { isStorageFull } from '../../lib/errors.ts';
import type { SiteReport } from './site-report.ts';

export const LastCheck = z.object({
  at: z.string().meta({ description: 'ISO 8601' }),
  commit: z.string().nullable().meta({ description: 'the newest commit when it ended' }),
  problems: z.int(),
  warnings: z.int(),
});
export type LastCheck = z.output<typeof LastCheck>;

/** Not in backups: `src/backups/data-files.ts` names it. */
const FILE = 'last-check.json';

/** A full disk does not fail the check, which has only read. */
export async function keepCheck(
  data: Pick<DataFolder, 'write'>,
  { problems, warnings }: SiteReport,
  { at, commit }: { at: Date; commit: string | null },
): Promise<void> {
  const check: LastCheck = {
    at: at.toISOString(),
    commit,
    problems: problems.length,
    warnings: warnings.length,
  };
  try {
    await data.write(FILE, JSON.stringify(check));
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
}

/** Null before the first check, or if the file was damaged by hand. */
export async function findLastCheck(data: Pick<DataFolder, 'read'>): Promise<LastCheck | null> {
  const bytes = await data.read(FILE);
  try {
    return bytes ? (LastCheck.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
