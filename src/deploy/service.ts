// The door of deploys: what may be triggered, and everything that people and programs ask about them. Refuses before
// anything starts, and names what to set.
import type { Principal } from '../access/principal.ts';
import type { BuildProfile, Builds } from '../build/build.ts';
import { conflict, invalid, type Problem, ServiceError } from '../lib/errors.ts';
import type { News } from '../lib/queues/news.ts';
import type { StoredMaker } from '../lib/rights/maker.ts';
import type { Settings, SiteSettings } from '../settings/settings.ts';
import type { Deploy, DeployTrigger } from './deploy.ts';
import { putOffUntil } from './host-pace.ts';
import type { DeployLogs, LogPiece } from './log/logs.ts';
import type { DeployDone, DeployNotices } from './notify.ts';
import { providerOf } from './provider-of.ts';
import type { DeployProvider, ProviderName } from './providers/provider.ts';
import { checkRollback, findLive, getRecord, toLive } from './runs/decide.ts';
import type { DeployEngine } from './runs/engine.ts';
import { type DeployRecord, isEnded, toDeploy } from './runs/record.ts';

export interface DeployRequest {
  profile?: string | undefined;
  preview?: boolean;
  trigger: DeployTrigger;
  /** The name of the person; null for the service itself. */
  by: string | null;
  /** With whose credentials it ends; absent for the site itself. */
  startedBy?: DeployStarter;
  /** Builds everything, whatever is known of the last build. */
  isFull?: boolean;
}

/** The account, and the access token that was used. */
export type DeployStarter = Pick<Principal, 'userId' | 'tokenId'>;

export interface PublicDeploy {
  id: string;
  commit: string | null;
  at: string;
  url: string | null;
}

/** A deploy of which something changed. */
export type DeployNews = Pick<Deploy, 'id' | 'status'>;

/** The host that the site is deployed to, as far as people who deploy need to know. */
export interface DeployTarget {
  provider: ProviderName;
  /** For people: "Vercel". */
  label: string;
  hasPreviews: boolean;
  hasRollback: boolean;
  /** What it needs and the settings lack. */
  missing: Problem[];
}

export interface Deploys {
  /** Newest first. */
  list(): Deploy[];
  /** @throws not_found */
  get(id: string): Deploy;
  /** What people see now; null before the first success. */
  live(): PublicDeploy | null;
  /**
   * Queues a deploy, or joins the queued one; durable once it resolves. @throws invalid_input if something has to be set
   * first, conflict if another kind of deploy is queued
   */
  trigger(request: DeployRequest): Promise<Deploy>;
  /** Triggers one and resolves once it has ended. @throws what `trigger` throws, and Error if it was not a success */
  deploy(request: DeployRequest): Promise<Deploy>;
  /** Resolves once it has ended. @throws not_found, conflict if it has ended already */
  cancel(id: string, by: string): Promise<Deploy>;
  /** Makes an earlier deploy the live one, by the host's own means. @throws not_found, conflict */
  rollback(id: string, by: string | null, startedBy?: DeployStarter): Promise<Deploy>;
  /** Its log as it is now. @throws not_found */
  log(id: string): Promise<Buffer>;
  /** Its log from a position on, until it has ended. @throws not_found */
  followLog(id: string, from: number): (signal: AbortSignal) => AsyncIterable<LogPiece>;
  /** Whether a site can deploy at all: automatic triggers ask. */
  hasProvider(): boolean;
  /** What the chosen provider needs and the settings lack; empty without a provider. */
  missingSettings(): Promise<Problem[]>;
  /** Null without a provider. */
  target(): Promise<DeployTarget | null>;
  /** Every change of a deploy, as it happens. */
  listenToRuns: News<DeployNews>['listen'];
  /** Sends a `deploy-done` to the clients of the site; returns how many there are. */
  notify(done: DeployDone): number;
  listen: DeployNotices['listen'];
  /** For metrics; nothing while the history is damaged. */
  figures(): DeployFigures;
  close(): Promise<void>;
}

export interface DeployFigures {
  /** Deploys of the history by status. */
  counts: Partial<Record<Deploy['status'], number>>;
  /** The newest one that has ended. */
  last: { isSuccess: boolean; durationMs: number; endedAt: string } | undefined;
}

export interface DeploysParts {
  engine: DeployEngine;
  logs: DeployLogs;
  notices: DeployNotices;
  news: Pick<News<DeployNews>, 'listen'>;
  builds: Pick<Builds, 'check'>;
  settings: Pick<Settings, 'read'>;
  findProvider(name: ProviderName): Promise<DeployProvider>;
  makerOf(starter: DeployStarter): StoredMaker | undefined;
  now(): Date;
  newId(): string;
}

const NO_PROVIDER =
  'the site has no deploy provider; set deployProvider and what it needs, or deployHookUrl, in the site settings';

export function createDeploys(parts: DeploysParts): Deploys {
  const { engine, logs, notices, settings, now } = parts;
  const { history } = engine;
  let isClosed = false;

  const get = (id: string): Deploy => toDeploy(getRecord(history.read(), id));

  function getProviderName(of: SiteSettings): ProviderName {
    if (isClosed) throw new ServiceError('unavailable', 'the service is shutting down');
    const name = providerOf(of);
    if (!name) throw invalid([{ path: 'deployProvider', message: NO_PROVIDER }]);
    return name;
  }

  /** @throws invalid_input with every missing setting */
  async function getReadyProvider(): Promise<DeployProvider> {
    const current = settings.read();
    const provider = await parts.findProvider(getProviderName(current));
    const missing = provider.missing(current);
    if (missing.length > 0) throw invalid(missing);
    return provider;
  }

  async function trigger({ profile, preview = false, ...request }: DeployRequest): Promise<Deploy> {
    const provider = await getReadyProvider();
    const isBuilt = provider.needsBuild || profile !== undefined;
    const checked = isBuilt ? await parts.builds.check({ profile, isPreview: preview }) : undefined;
    const isPreview = preview || checked?.drafts === true;
    checkPreview(provider, isPreview, checked);
    const isAutomatic = request.by === null && request.trigger !== 'manual';
    const deploy = await engine.trigger({
      id: parts.newId(),
      at: now(),
      provider: provider.name,
      profile: checked?.name ?? null,
      isPreview,
      trigger: request.trigger,
      by: request.by,
      maker: request.startedBy && parts.makerOf(request.startedBy),
      isFull: request.isFull ?? false,
      waitsUntil: isAutomatic ? putOffUntil(history.read(), provider.name, now()) : undefined,
    });
    return toDeploy(deploy);
  }

  return {
    list: () => history.read().map(toDeploy),
    get,
    live() {
      const live = findLive(history.read());
      return live ? toLive(live) : null;
    },
    trigger,
    async deploy(request) {
      const { id } = await trigger(request);
      const ended = toDeploy(await engine.untilEnded(id));
      if (ended.status !== 'success') throw new Error(ended.error ?? `deploy "${id}" has not ended`);
      return ended;
    },
    async cancel(id, by) {
      const ended = await engine.cancel(id, by);
      if (ended.status !== 'cancelled') throw conflict(`deploy "${id}" has ended meanwhile: ${ended.status}`);
      return toDeploy(ended);
    },
    async rollback(id, by, startedBy) {
      getRecord(history.read(), id);
      const provider = await getReadyProvider();
      const target = checkRollback(history.read(), id, provider.name);
      if (!provider.hasRollback) throw conflict(`${provider.label} cannot go back to an earlier deploy; deploy again`);
      const deploy = await engine.trigger({
        id: parts.newId(),
        at: now(),
        ...{ provider: provider.name, profile: target.profile, isPreview: false },
        ...{ trigger: 'rollback', by, isFull: false, target: id },
        maker: startedBy && parts.makerOf(startedBy),
      });
      return toDeploy(deploy);
    },
    async log(id) {
      get(id);
      return logs.read(id);
    },
    followLog(id, from) {
      get(id);
      return (signal) => logs.follow(id, from, signal);
    },
    figures: () => toFigures(history.find() ?? []),
    hasProvider: () => providerOf(settings.read()) !== undefined,
    async missingSettings() {
      const current = settings.read();
      const name = providerOf(current);
      return name ? (await parts.findProvider(name)).missing(current) : [];
    },
    async target() {
      const current = settings.read();
      const name = providerOf(current);
      if (!name) return null;
      const provider = await parts.findProvider(name);
      const { label, hasPreviews, hasRollback } = provider;
      return { provider: name, label, hasPreviews, hasRollback, missing: provider.missing(current) };
    },
    listenToRuns: parts.news.listen,
    notify: notices.send,
    listen: notices.listen,
    async close() {
      isClosed = true;
      await engine.close();
    },
  };
}

function checkPreview(provider: DeployProvider, isPreview: boolean, profile: BuildProfile | undefined): void {
  if (!isPreview || provider.hasPreviews) return;
  const why = profile?.drafts ? `, and profile "${profile.name}", which includes drafts, makes nothing else` : '';
  throw invalid([
    {
      path: profile?.drafts ? 'profile' : 'preview',
      message: `${provider.label} has no previews${why}; choose another profile or provider`,
    },
  ]);
}

/** Status of a deploy for its webhook and its `deploy-done`; undefined while it runs. */
export function outcomeOf(deploy: Deploy): 'success' | 'failure' | undefined {
  if (!isEnded(deploy)) return undefined;
  return deploy.status === 'success' ? 'success' : 'failure';
}

function toFigures(records: readonly DeployRecord[]): DeployFigures {
  const counts: DeployFigures['counts'] = {};
  for (const { status } of records) counts[status] = (counts[status] ?? 0) + 1;
  const last = records.find(isEnded);
  if (!last) return { counts, last: undefined };
  const { at: endedAt } = toLive(last);
  return { counts, last: { isSuccess: last.status === 'success', durationMs: last.durationMs ?? 0, endedAt } };
}
