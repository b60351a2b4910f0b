// The audit of a data folder: one trail for the service and one for each site, so that the entries of one push out no
// others. It is in no backup: actions on a machine's users stay on that machine.
import path from 'node:path';
import { ServiceError } from '../lib/errors.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import { type Audit, AuditEntry, type AuditPage, type AuditScope, isAboutTeam } from './entry.ts';
import { type Lines, readHead } from './lines.ts';
import { type AuditTrail, openAuditTrail } from './open-audit-trail.ts';
import { type AuditFile, closeFiles } from './scanned-files.ts';
import { toStored } from './stored-entry.ts';

const MAX_BYTES = 64 << 20;
const FILE_BYTES = 4 << 20;
const MAX_AGE_MS = 400 * 24 * 60 * 60 * 1000;
const FILTERS = ['user', 'action', 'fromMs', 'toMs'] as const satisfies readonly (keyof AuditPage)[];
/** How many lines a stream reads at once. */
const RUN = 200;
const NEWLINE = 10;

export interface AuditParts {
  /** The data folder. */
  folder: string;
  now: () => Date;
  newId: () => string;
  /** Limit for each trail. */
  maxBytes?: number;
  /** Limit for each file of a trail. */
  fileBytes?: number;
  /** How many changes a user may make; for the command line, which may make any number, it is absent. */
  allowance?: ChangeAllowance;
}

/** Each counts one more change of a user and returns 0, or the seconds to wait if there were too many in an hour. */
export interface ChangeAllowance {
  change(userId: string): number;
  /** For urgent changes beyond the others. */
  urgent(userId: string): number;
}

export function createAudit(parts: AuditParts): Audit {
  const { folder, now, newId, maxBytes = MAX_BYTES, fileBytes = FILE_BYTES, allowance } = parts;
  const trails = new Map<string | null, AuditTrail>();

  function trailOf(site: string | null): AuditTrail {
    let trail = trails.get(site);
    if (!trail) {
      const place = site === null ? { folder, name: 'audit' } : { folder: path.join(folder, 'audit'), name: site };
      trail = openAuditTrail({ ...place, now, maxBytes, maxAgeMs: MAX_AGE_MS, fileBytes });
      trails.set(site, trail);
    }
    return trail;
  }

  async function append(entries: readonly AuditEntry[]): Promise<void> {
    const bySite = Map.groupBy(entries, ({ site }) => site);
    for (const [site, own] of bySite) await trailOf(site).append(own.map(toStored));
  }

  const toEntry: Audit['toEntry'] = (entry) => toStored({ id: newId(), at: now().toISOString(), ...entry });

  async function checkAll(sites: readonly (string | null)[], change: { user: string | null; isUrgent: boolean }) {
    for (const site of new Set(sites)) await trailOf(site).checkSpace(change);
  }

  const reserve: Audit['reserve'] = async (sites, { id: user }, { isUrgent = false } = {}) => {
    if (!allowance) return;
    try {
      if (user !== null) refuseOften(allowance.change(user));
      await checkAll(sites, { user, isUrgent: false });
    } catch (error) {
      if (!isUrgent || !(error instanceof ServiceError)) throw error;
      if (user !== null) refuseOften(allowance.urgent(user));
      await checkAll(sites, { user, isUrgent: true });
    }
  };

  /** Includes entries of sites that earlier versions wrote to the service's trail. Disposing the result closes files. */
  async function open({ sites }: AuditScope): Promise<Opened> {
    const files = new Map<string | null, AuditFile[]>();
    const close = (): Promise<void> => closeFiles([...files.values()].flat());
    try {
      for (const site of new Set([null, ...sites])) files.set(site, await trailOf(site).openFiles());
    } catch (error) {
      await close();
      throw error;
    }
    const sources = [...new Set(sites)].flatMap((site) =>
      (site === null ? [null] : [null, site]).map((own) => toSource(files.get(own) ?? [], site)),
    );
    return { sources, [Symbol.asyncDispose]: close };
  }

  return {
    append,
    reserve,
    async record(entry) {
      await reserve([entry.site], entry.actor);
      await append([toEntry(entry)]);
    },
    toEntry,
    verify: (site) => trailOf(site).verify(),
    async list(scope, page) {
      const { limit, offset } = page;
      await using opened = await open(scope);
      const breathe = createBreathe();
      const entries: AuditEntry[] = [];
      let found = 0;
      const isFiltered = FILTERS.some((key) => page[key] !== undefined);
      for (const place of merge(opened.sources, scope, 'newest')) {
        await breathe();
        if (!isFiltered && entries.length >= limit) break;
        if (!isWanted(place, page) || found++ < offset || entries.length >= limit) continue;
        const entry = parse(onlyWanted(await readLines(place, place.line, place.line), place, scope));
        if (entry) entries.push(entry);
      }
      return { entries, total: isFiltered ? found : countWanted(opened.sources, scope) };
    },
    async *stream(scope) {
      await using opened = await open(scope);
      let run: (OwnerPart & { first: number; last: number }) | undefined;
      for (const place of merge(opened.sources, scope, 'oldest')) {
        const { lines, line } = place;
        const isNext = run?.lines === lines && run.last === line - 1 && isBeside(lines, line);
        if (run && isNext && line - run.first < RUN) run.last = line;
        else {
          if (run) yield onlyWanted(await readLines(run, run.first, run.last), run, scope);
          run = { ...place, first: line, last: line };
        }
      }
      if (run) yield onlyWanted(await readLines(run, run.first, run.last), run, scope);
    },
  };
}

interface Opened extends AsyncDisposable {
  sources: AuditSource[];
}

function refuseOften(waitSeconds: number): void {
  if (waitSeconds === 0) return;
  throw new ServiceError('too_many_requests', 'too many changes by this account in an hour; try again later', {
    headers: { 'Retry-After': String(waitSeconds) },
  });
}

/** Entries of one owner in one file. */
interface OwnerPart {
  owner: string | null;
  handle: AuditFile['handle'];
  lines: Lines;
}

/** Files of one trail, oldest first. */
type AuditSource = OwnerPart[];

/** One entry, by its index among the lines. */
type EntryPlace = OwnerPart & { line: number };

function toSource(files: readonly AuditFile[], owner: string | null): AuditSource {
  return files.flatMap(({ handle, scanned }) => {
    const lines = scanned.byOwner.get(owner);
    return lines ? [{ owner, handle, lines }] : [];
  });
}

/** Merges the wanted lines of several trails by time; lines of one moment are exactly reversed in the other order. */
function* merge(sources: readonly AuditSource[], scope: AuditScope, order: 'newest' | 'oldest'): Generator<EntryPlace> {
  const rest = sources.map((source) => places(source, scope, order));
  const heads = rest.map((source) => source.next().value as EntryPlace | undefined);
  const timeOf = ({ lines, line }: EntryPlace): number => lines.times[line] ?? 0;
  const comesBefore = (one: EntryPlace, other: EntryPlace): boolean =>
    order === 'newest' ? timeOf(one) >= timeOf(other) : timeOf(one) < timeOf(other);
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries()) {
      const best = heads[first];
      if (head && (!best || comesBefore(head, best))) first = i;
    }
    const place = heads[first];
    if (!place) return;
    yield place;
    heads[first] = rest[first]?.next().value as EntryPlace | undefined;
  }
}

function* places(source: AuditSource, { withTeam }: AuditScope, order: 'newest' | 'oldest'): Generator<EntryPlace> {
  for (const part of order === 'newest' ? source.toReversed() : source) {
    const { starts, isTeam } = part.lines;
    const count = starts.length;
    for (let i = 0; i < count; i++) {
      const line = order === 'newest' ? count - 1 - i : i;
      if (withTeam || !isTeam[line]) yield { ...part, line };
    }
  }
}

function countWanted(sources: readonly AuditSource[], { withTeam }: AuditScope): number {
  return sources.flat().reduce((sum, { lines: { isTeam } }) => {
    return sum + (withTeam ? isTeam.length : isTeam.filter((is) => !is).length);
  }, 0);
}

function isWanted({ lines, line }: EntryPlace, { user, action, fromMs, toMs }: AuditPage): boolean {
  const at = lines.times[line] ?? 0;
  const done = lines.actions[line] ?? '';
  if ((fromMs !== undefined && at < fromMs) || (toMs !== undefined && at >= toMs)) return false;
  if (user !== undefined && lines.users[line] !== user) return false;
  return action === undefined || (action.endsWith('.') ? done.startsWith(action) : done === action);
}

/** Whether a line directly follows the one before it, without an entry of another owner in between. */
function isBeside({ starts, lengths }: Lines, line: number): boolean {
  return starts[line] === (starts[line - 1] ?? 0) + (lengths[line - 1] ?? 0) + 1;
}

/** Reads from one line to another, including everything in between. */
async function readLines({ handle, lines }: OwnerPart, first: number, last: number): Promise<Buffer> {
  const start = lines.starts[first] ?? 0;
  const end = (lines.starts[last] ?? 0) + (lines.lengths[last] ?? 0) + 1;
  const bytes = Buffer.alloc(end - start);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
  return bytes.subarray(0, bytesRead);
}

/**
 * The lines that the caller may see. The index has chosen them already; this makes sure that a file which changed under
 * it shows nobody the entries of others.
 */
function onlyWanted(lines: Buffer, { owner }: OwnerPart, { withTeam }: AuditScope): Buffer {
  const wanted: Buffer[] = [];
  for (let start = 0, end = lines.indexOf(NEWLINE); end >= 0; start = end + 1, end = lines.indexOf(NEWLINE, start)) {
    const head = readHead(lines.subarray(start, end));
    if (head?.site === owner && (withTeam || !isAboutTeam(head.action))) wanted.push(lines.subarray(start, end + 1));
  }
  return Buffer.concat(wanted);
}

function parse(line: Buffer): AuditEntry | undefined {
  try {
    const parsed = AuditEntry.safeParse(JSON.parse(line.toString('utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
