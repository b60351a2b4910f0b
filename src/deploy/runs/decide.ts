// What may happen to the deploys of a site: one runs, one is queued, later triggers join it. Pure: takes the history,
// newest first, and a command with its time, and returns the next history or a refusal.
import { conflict, notFound } from '../../lib/errors.ts';
import type { StoredMaker } from '../../lib/rights/maker.ts';
import { type Deploy, type DeployTrigger, MAX_DEPLOYS } from '../deploy.ts';
import { type DeployRecord, isEnded, isRunning } from './record.ts';

/** Makers that a queued deploy keeps. */
const MAX_MAKERS = 20;

type Records = readonly DeployRecord[];

export interface TriggerCommand {
  id: string;
  at: Date;
  provider: string;
  profile: string | null;
  isPreview: boolean;
  trigger: DeployTrigger;
  by: string | null;
  /** Who triggers it; undefined for the site itself. */
  maker?: StoredMaker | undefined;
  isFull: boolean;
  /** For a rollback: the deploy to go back to. */
  target?: string;
  /** Until when an automatic deploy is put off. */
  waitsUntil?: Date | undefined;
}

/** What is known once a run has ended. */
export interface RunOutcome {
  status: 'success' | 'failure' | 'cancelled';
  error?: string;
  url?: string | null;
  hostId?: string | null;
  isPublished?: boolean;
  /** False if the host said that it did not publish. */
  mayBeLive?: boolean;
  retryAt?: Date | undefined;
}

export interface DecidedDeploys {
  records: Records;
  deploy: DeployRecord;
}

/** The error of a deploy that the end of the service cut off. */
export const INTERRUPTED = 'interrupted: the service ended while it ran; what was live stays live, deploy again';
/** The same after its host had been asked to publish. */
export const INTERRUPTED_LATE =
  'interrupted: the service ended while the host published; this may be live already, deploy again to be sure';

export function interruption({ mayBeLive }: Pick<DeployRecord, 'mayBeLive'>): string {
  return mayBeLive ? INTERRUPTED_LATE : INTERRUPTED;
}

/**
 * Queues a deploy, or joins the one that is queued. Either begins after the call, so that it has all changes until
 * then. @throws conflict if another kind of deploy is queued already
 */
export function decideTrigger(records: Records, command: TriggerCommand): DecidedDeploys {
  const queued = records.find(({ status }) => status === 'queued');
  if (!queued) return added(records, toQueued(command));
  if (!isSameKind(queued, command)) {
    throw conflict(
      `deploy "${queued.id}" (${describeKind(queued)}) is queued already; cancel it, or try again once it has begun`,
    );
  }
  return replaced(records, joined(queued, command));
}

/** A person's deploy is not put off, and the entry names the person who waits for it. */
function joined(queued: DeployRecord, { trigger, by, isFull, provider, maker }: TriggerCommand): DeployRecord {
  const { makers: known, ...rest } = queued;
  // Each maker who joins keeps it going; a deploy that the site itself wants ends with no maker.
  const makers = known && maker ? { makers: [...known.slice(1 - MAX_MAKERS), maker] } : {};
  const next = { ...rest, provider, isFull: queued.isFull || isFull, ...makers };
  return trigger === 'manual' && queued.trigger !== 'manual' ? { ...next, trigger, by, waitsUntil: null } : next;
}

function isSameKind(queued: DeployRecord, command: TriggerCommand): boolean {
  return (
    queued.profile === command.profile &&
    queued.preview === command.isPreview &&
    queued.target === (command.target ?? null)
  );
}

function describeKind({ trigger, preview, profile, target }: DeployRecord): string {
  if (trigger === 'rollback') return `rollback to "${target}"`;
  return `${preview ? 'preview' : 'deploy'} of profile "${profile}"`;
}

function toQueued(command: TriggerCommand): DeployRecord {
  return {
    id: command.id,
    provider: command.provider,
    profile: command.profile,
    status: 'queued',
    url: null,
    error: null,
    trigger: command.trigger,
    by: command.by,
    preview: command.isPreview,
    startedAt: command.at.toISOString(),
    durationMs: null,
    commit: null,
    waitsUntil: command.waitsUntil?.toISOString() ?? null,
    files: { total: 0, sent: 0 },
    hostId: null,
    mayBeLive: false,
    target: command.target ?? null,
    ...(command.maker ? { makers: [command.maker] } : {}),
    isFull: command.isFull,
    configuration: null,
    isPublished: false,
    retryAt: null,
  };
}

/** The deploy that may begin: the queued one, if none runs and nothing puts it off. */
export function findNext(records: Records, now: Date): DeployRecord | undefined {
  if (records.some(isRunning)) return undefined;
  return records.find(
    ({ status, waitsUntil }) => status === 'queued' && (waitsUntil === null || Date.parse(waitsUntil) <= now.getTime()),
  );
}

/** Its time counts from here. */
export function decideBegin(records: Records, id: string, at: Date): DecidedDeploys {
  const deploy = getRecord(records, id);
  return replaced(records, { ...deploy, status: 'building', startedAt: at.toISOString(), waitsUntil: null });
}

/** Facts of a deploy under way: its commit, its count of files, that it uploads now. */
export function decideProgress(records: Records, id: string, change: Partial<DeployRecord>): DecidedDeploys {
  return replaced(records, { ...getRecord(records, id), ...change });
}

export function decideEnd(records: Records, id: string, outcome: RunOutcome, at: Date): DecidedDeploys {
  const deploy = getRecord(records, id);
  if (isEnded(deploy)) return { records, deploy };
  const { status, error = null, url = deploy.url, hostId = deploy.hostId, isPublished = false, retryAt } = outcome;
  const mayBeLive = outcome.mayBeLive ?? (deploy.mayBeLive && status !== 'success');
  return replaced(records, {
    ...deploy,
    ...{ status, error, url, hostId, isPublished, mayBeLive },
    retryAt: retryAt?.toISOString() ?? null,
    waitsUntil: null,
    durationMs: Math.max(0, at.getTime() - Date.parse(deploy.startedAt)),
  });
}

/** The state after a crash: whatever ran has failed, and what was queued begins. */
export function decideRecovery(records: Records, at: Date): { records: Records; cut: DeployRecord[] } {
  const cut: DeployRecord[] = [];
  const next = records.map((record) => {
    if (!isRunning(record)) return record;
    const ended = decideEnd([record], record.id, { status: 'failure', error: interruption(record) }, at).deploy;
    cut.push(ended);
    return ended;
  });
  return { records: cut.length > 0 ? next : records, cut };
}

/** @throws conflict if it has ended */
export function checkCancel(records: Records, id: string): DeployRecord {
  const deploy = getRecord(records, id);
  if (isEnded(deploy)) throw conflict(`deploy "${id}" has ended: ${deploy.status}`);
  return deploy;
}

/** @throws conflict if nothing of it can become live again */
export function checkRollback(records: Records, id: string, provider: string): DeployRecord {
  const deploy = getRecord(records, id);
  if (deploy.preview) throw conflict(`deploy "${id}" was a preview; only what was live can become live again`);
  if (deploy.status !== 'success') throw conflict(`deploy "${id}" was not a success: ${deploy.status}`);
  if (deploy.provider !== provider)
    throw conflict(`deploy "${id}" went to "${deploy.provider}", and the site deploys to "${provider}" now`);
  if (deploy.hostId === null) throw conflict(`deploy "${id}" has no name at its host to go back to`);
  return deploy;
}

/** What people see now: the newest success that is not a preview. */
export function findLive(records: Records): DeployRecord | undefined {
  return records.find(({ status, preview }) => status === 'success' && !preview);
}

/** @throws not_found */
export function getRecord(records: Records, id: string): DeployRecord {
  const found = records.find((record) => record.id === id);
  if (!found) throw notFound(`deploy "${id}"`);
  return found;
}

function added(records: Records, deploy: DeployRecord): DecidedDeploys {
  return { records: keepNewest([deploy, ...records]), deploy };
}

function replaced(records: Records, deploy: DeployRecord): DecidedDeploys {
  return { records: records.map((record) => (record.id === deploy.id ? deploy : record)), deploy };
}

/** The live one stays in the history however old it is: rollback and comparisons need it. */
function keepNewest(records: Records): Records {
  if (records.length <= MAX_DEPLOYS) return records;
  const live = findLive(records);
  const kept = records.slice(0, MAX_DEPLOYS);
  return live && !kept.includes(live) ? [...kept.slice(0, -1), live] : kept;
}

/** The order of the API. `Deploy` has no field that orders deploys of one millisecond; the history does. */
export function toLive(record: DeployRecord): Pick<Deploy, 'id' | 'commit' | 'url'> & { at: string } {
  const { id, commit, url, startedAt, durationMs } = record;
  return { id, commit, url, at: new Date(Date.parse(startedAt) + (durationMs ?? 0)).toISOString() };
}
