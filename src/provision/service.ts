// The door of provisioning: begins one, shows its events to late clients too, stops it and removes what it made. A
// crash leaves the record of what was made; the token that is needed to go on is never on the disk.
import type { InfoLogger } from '../data/info-logger.ts';
import { createFlyApi, type FlyApi } from '../deploy/fly/fly-api.ts';
import { invalid, notFound, ServiceError } from '../lib/errors.ts';
import type { StoredMaker } from '../lib/rights/maker.ts';
import { FLY_VM_SIZES } from '../settings/settings.ts';
import { checkTemplate, checkToken, toServiceError } from './check.ts';
import { cleanUp, hasMade } from './clean-up.ts';
import {
  type CheckBody,
  type CheckShape,
  PROVISION_REGIONS,
  type ProvisionBody,
  type ProvisionShape,
  type TemplateOffer,
} from './input.ts';
import { NOTHING_MADE, type Provision, type ProvisionEvent } from './provision.ts';
import { type ProvisionRecords, toPastEvents } from './records.ts';
import { createProvisionRuns } from './runs.ts';
import { toNewestFirst, toShape } from './shape.ts';

export interface ProvisionServiceParts {
  records: ProvisionRecords;
  templates: readonly TemplateOffer[];
  /** Used if the request names none. */
  defaultImage: string | undefined;
  /** The address of Fly's API: the operator's own word, because it is sent tokens and secrets. */
  flyApiUrl: string;
  fetch: typeof fetch;
  now(): Date;
  delay(ms: number, signal: AbortSignal): Promise<void>;
  newId(): string;
  logger: InfoLogger;
  /** With whose credentials a provisioning ends. */
  makers: ProvisionMakers;
}

/** Makers of the whole service (src/access/link-makers.ts). */
export interface ProvisionMakers {
  of(principal: { userId: string | null; tokenId: string | null }): StoredMaker | undefined;
  /** Why the maker may no longer provision; undefined while it may. */
  whyEnded(maker: StoredMaker): string | undefined;
}

export interface ProvisionService {
  options(): { templates: TemplateOffer[]; regions: string[]; sizes: string[]; needsImage: boolean };
  /** Those of the user, newest first. */
  list(userId: string): ProvisionShape[];
  /** @throws ServiceError 400 for an unknown template, 502 if Fly cannot be asked */
  check(wish: CheckBody): Promise<CheckShape>;
  /** Begins, or goes on with what ended under this app name. @throws ServiceError 400, 409, 429 */
  start(body: ProvisionBody, userId: string): Promise<{ id: string }>;
  /** What has happened, then what happens until the end. @throws ServiceError 404 */
  follow(id: string, userId: string): (signal: AbortSignal) => AsyncIterable<ProvisionEvent>;
  /**
   * Stops it and removes what it made; `left` says what stays and why. @throws ServiceError 404, 409 if a token is
   * needed, 502
   */
  remove(id: string, userId: string, flyToken?: string): Promise<{ ok: true; left: string | null }>;
  close(): Promise<void>;
}

type ProvisionWish = Omit<Provision, 'id' | 'made' | 'startedAt' | 'status' | 'done' | 'error'>;

const MOST_RUNNING = 3;
/** An attempt that hangs holds its app for this long at most. */
const LIMITS = { callMs: 30_000, totalMs: 20 * 60_000 };

export function createProvisionService(parts: ProvisionServiceParts): ProvisionService {
  const { records, templates, logger, makers } = parts;
  const runs = createProvisionRuns({ records, connect, logger });
  /** App names of requests that are not recorded yet. */
  const beginning = new Set<string>();
  let isClosed = false;

  function connect(token: string, signal: AbortSignal): FlyApi {
    const log = (line: string): void => logger.info({}, line.replaceAll(token, '***'));
    const { fetch, delay, now, flyApiUrl } = parts;
    const context = { fetch, delay, now, signal, log, limits: LIMITS };
    return createFlyApi({ context, baseUrl: flyApiUrl, token, tokenSetting: 'flyToken' });
  }

  function getOwn(id: string, userId: string): Provision {
    const found = records.find(id);
    if (!found || found.userId !== userId) throw notFound(`provisioning "${id}"`);
    return found;
  }

  /** What a crash cut off is recorded as running; nothing runs it. */
  const isRunning = ({ id, status }: Provision): boolean => status === 'running' && runs.has(id);

  /** The record to write, which keeps id and things of an earlier try. */
  function toProvision(wish: ProvisionWish, provisions: readonly Provision[]): Provision {
    const last = provisions.find(({ appName }) => appName === wish.appName);
    if (last && isRunning(last)) throw underWay(wish.appName);
    if (last && last.userId !== wish.userId && hasMade(last.made)) {
      throw new ServiceError('conflict', `app "${wish.appName}" was provisioned by another user`);
    }
    if (provisions.filter(isRunning).length >= MOST_RUNNING) {
      throw new ServiceError('too_many_requests', 'wait until another provisioning has ended');
    }
    const earlier = last?.userId === wish.userId ? last : undefined;
    return {
      ...wish,
      id: earlier?.id ?? parts.newId(),
      made: earlier?.made ?? NOTHING_MADE,
      startedAt: parts.now().toISOString(),
      status: 'running',
      done: [],
      error: null,
    };
  }

  return {
    options: () => ({
      templates: [...templates],
      regions: [...PROVISION_REGIONS],
      sizes: [...FLY_VM_SIZES],
      needsImage: parts.defaultImage === undefined,
    }),

    list(userId) {
      const own = records.list().filter((one) => one.userId === userId);
      return toNewestFirst(own).map((one) =>
        toShape(one, { isRunning: isRunning(one), hasToken: runs.hasToken(one.id) }),
      );
    },

    async check({ template, ...wish }) {
      if (template !== undefined) checkTemplate(template, templates);
      return checkToken(wish, (token) => connect(token, AbortSignal.timeout(LIMITS.callMs)));
    },

    async start({ flyToken, aiKeys = {}, flyOrg = '', image: named, ...body }, userId) {
      if (isClosed) throw new ServiceError('unavailable', 'the service is shutting down');
      checkTemplate(body.template, templates);
      const wish = { ...body, image: toImage(named ?? parts.defaultImage), flyOrg, userId };
      if (beginning.has(body.appName)) throw underWay(body.appName);
      beginning.add(body.appName);
      try {
        const provision = await records.put((provisions) => toProvision(wish, provisions));
        logger.info({ provision: provision.id, userId, app: provision.appName }, 'a provisioning began');
        // Routes are for sessions alone. The end is not stored: after a crash the same person sends the token again.
        const maker = makers.of({ userId, tokenId: null });
        runs.begin(provision, { token: flyToken, aiKeys, whyEnded: () => maker && makers.whyEnded(maker) });
        return { id: provision.id };
      } finally {
        beginning.delete(body.appName);
      }
    },

    follow(id, userId) {
      const provision = getOwn(id, userId);
      return runs.follow(id) ?? (() => replay(toPastEvents(provision)));
    },

    async remove(id, userId, flyToken) {
      getOwn(id, userId);
      const token = (await runs.stop(id)) || (flyToken ?? '');
      const { appName, made } = getOwn(id, userId);
      let left: string | undefined;
      if (hasMade(made)) {
        if (token === '') {
          throw new ServiceError('conflict', 'the token is not kept: send it as "flyToken" to remove what was made');
        }
        const api = connect(flyToken ?? token, AbortSignal.timeout(LIMITS.totalMs));
        try {
          left = await cleanUp({
            ...{ api, id, appName, made },
            note: (change) => records.update(id, (one) => ({ ...one, made: change(one.made) })),
          });
        } catch (error) {
          throw toServiceError(error, token);
        }
      }
      await records.remove(id);
      runs.forget(id);
      logger.info({ provision: id, userId, app: appName }, 'a provisioning was removed');
      return { ok: true, left: left ?? null };
    },

    async close() {
      isClosed = true;
      await runs.close();
    },
  };
}

function toImage(image: string | undefined): string {
  if (image !== undefined) return image;
  const message =
    'name an image that has the command "colophon", here or in CMS_PROVISION_IMAGE; src/provision/README.md says how to build one';
  throw invalid([{ path: 'image', message }]);
}

function underWay(appName: string): ServiceError {
  return new ServiceError('conflict', `app "${appName}" is being provisioned`);
}

async function* replay(events: readonly ProvisionEvent[]): AsyncGenerator<ProvisionEvent> {
  yield* events;
}
