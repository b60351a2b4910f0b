// How the site is doing, as lines with what to do about each. Pure.
import type { SiteStatus } from '../../api/status.ts';
import '../../text/en-operations.ts';
import { t } from '../../text/translate.ts';

export interface HealthNote {
  tone: 'bad' | 'warned';
  text: string;
  /** What to do; undefined if the text says it. */
  advice?: string | undefined;
  /** Where to do it. */
  link?: { path: string; text: string } | undefined;
}

/** Below these a disk is nearly full: backups and packs need space for themselves. */
const FREE = { warnBytes: 2_000_000_000, warnPart: 0.1, badBytes: 300_000_000, badPart: 0.02 };
/** A remote that is further behind than this has stopped following. */
const REMOTE_LATE_S = 10 * 60;

const ACTIVITY = '/admin/activity';

export function listHealthNotes(status: SiteStatus, toSize: (bytes: number) => string): HealthNote[] {
  const { problems = [], warnings = [], queue = [], remote, disk, refusal } = status;
  const notes: HealthNote[] = [];
  const toRepository = { path: ACTIVITY, text: t('health.toRepository') };
  for (const problem of problems) {
    // The shell says that one above every screen.
    const text = problem === refusal ? t('health.refused') : problem;
    notes.push({ tone: 'bad', text, link: toRepository });
  }
  const space = disk && spaceOf(disk);
  if (disk && space) {
    notes.push({
      tone: space,
      text: t('health.disk', { size: toSize(disk.freeBytes) }),
      advice: t('health.diskAdvice'),
    });
  }
  for (const text of warnings) notes.push({ tone: 'warned', text, ...adviceFor(text) });
  for (const { topic, failed } of queue) {
    if (failed > 0)
      notes.push({
        tone: 'warned',
        text: t('health.failed', { count: failed, topic }),
        advice: t('health.failedAdvice'),
      });
  }
  const isLate = remote && (remote.unpushedSeconds > REMOTE_LATE_S || (remote.secondsSinceFetch ?? 0) > REMOTE_LATE_S);
  if (isLate && !warnings.some((text) => text.startsWith('remote:'))) {
    notes.push({ tone: 'warned', text: t('health.remoteLate'), link: { path: ACTIVITY, text: t('health.toRemote') } });
  }
  return notes;
}

export function spaceOf({ freeBytes, totalBytes }: NonNullable<SiteStatus['disk']>): 'bad' | 'warned' | undefined {
  const part = totalBytes > 0 ? freeBytes / totalBytes : 1;
  if (freeBytes < FREE.badBytes || (part < FREE.badPart && freeBytes < FREE.warnBytes)) return 'bad';
  return freeBytes < FREE.warnBytes && part < FREE.warnPart ? 'warned' : undefined;
}

/** The service names files and the remote at the beginning of what it says. */
function adviceFor(text: string): Pick<HealthNote, 'advice' | 'link'> {
  if (text.startsWith('remote:')) return { link: { path: ACTIVITY, text: t('health.toRemote') } };
  if (/^(?:content|media)\//.test(text))
    return { advice: t('health.fileAdvice'), link: { path: ACTIVITY, text: t('health.toRepository') } };
  if (/lock/.test(text)) return { advice: t('health.lockAdvice') };
  return {};
}
