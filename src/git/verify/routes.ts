// The check of a served site over HTTP: the report as JSON, or an event stream with the progress and then the report.
import type { Principal } from '../../access/principal.ts';
import type { Audit, RecordOnSite } from '../../audit/entry.ts';
import { createEventStream, isHeld, type ServerEvent } from '../../http/event-stream.ts';
import { type Route, route } from '../../http/route.ts';
import { conflict, ServiceError } from '../../lib/errors.ts';
import { NamedReport, type SiteReport } from './site-report.ts';

export interface VerifiedSite {
  id: string;
  audit: Audit;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

export interface VerifyRouteParts<Site extends VerifiedSite> {
  /**
   * Checks the site, and with `withService` the audit of the service; the signal aborts when no client waits any more.
   */
  verify(
    site: Site,
    options: { onProgress(text: string): void; signal: AbortSignal; withService: boolean },
  ): Promise<SiteReport>;
  /** Does not fail if the disk is full, because the check only reads. */
  recordUnlessFull: RecordOnSite;
}

const EVENT_STREAM = 'text/event-stream';
/** A check reports its progress thousands of times. */
const PROGRESS_MS = 200;

export function verifyRoutes<Site extends VerifiedSite>(parts: VerifyRouteParts<Site>): Route<Site>[] {
  const begin = createChecks(parts);
  return [
    route<Site>({
      method: 'post',
      path: '/api/admin/repository/verify',
      summary:
        'Check the site: every object of its repository, the log, the index against both, media against their hashes, the chain of its audit',
      tag: 'Repository',
      allow: 'sites:write',
      answers: {
        200: {
          description:
            'The report. A stream has events `progress` with `{"text"}` and ends with one `report`, or `failed` with `{"error", "code"}`. The check ends when the client hangs up',
          schema: NamedReport,
          alternatives: [EVENT_STREAM],
        },
        409: { description: 'The site is already being checked' },
        503: {
          description:
            'The repository cannot be read now (see `GET /api/admin/repository`), or the service is stopping',
        },
      },
      async handle({ site, principal, ctx, again }) {
        ctx.vary('Accept');
        const left = new AbortController();
        ctx.res.once('close', () => left.abort());
        const check = await begin(site, principal, left.signal);
        if (ctx.accepts('application/json', EVENT_STREAM) !== EVENT_STREAM) return { body: await check.report };
        return { type: EVENT_STREAM, body: createEventStream(check.events, { mayGoOn: () => isHeld(again) }) };
      },
    }),
  ];
}

interface Check {
  report: Promise<NamedReport>;
  /** The same as events; can be called once. */
  events(signal: AbortSignal): AsyncGenerator<ServerEvent>;
}

/** One check of a site at a time: a second one would read the same. */
function createChecks<Site extends VerifiedSite>({ verify, recordUnlessFull }: VerifyRouteParts<Site>) {
  const underWay = new Set<string>();
  return async (site: Site, principal: Principal, left: AbortSignal): Promise<Check> => {
    if (underWay.has(site.id)) throw conflict(`site "${site.id}" is already being checked`);
    underWay.add(site.id);
    const signal = AbortSignal.any([left, site.closing]);
    const progress = createLatest<string>();
    const report = recordUnlessFull({ site, principal }, 'repository.verify', [])
      .then(() => verify(site, { onProgress: progress.set, signal, withService: principal.allSites === true }))
      .then((found) => ({ site: site.id, ...found }))
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw new ServiceError('unavailable', `the check of site "${site.id}" was cancelled`, { cause: error });
      })
      .finally(() => {
        underWay.delete(site.id);
        progress.end();
      });
    report.catch(() => undefined); // callers that wait for it get the error
    return { report, events: () => toEvents(report, progress) };
  };
}

async function* toEvents(report: Promise<NamedReport>, progress: Latest<string>): AsyncGenerator<ServerEvent> {
  for await (const text of progress) yield { event: 'progress', data: { text } };
  try {
    yield { event: 'report', data: await report };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    yield { event: 'failed', data: { error: error.message, code: error.code } };
  }
}

interface Latest<T> extends AsyncIterable<T> {
  set(value: T): void;
  end(): void;
}

/** A reader gets the newest value, at most one every PROGRESS_MS; the values between are dropped. */
function createLatest<T>(): Latest<T> {
  let waiting: [T] | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  let isEnded = false;
  let wake = (): void => undefined;
  return {
    set(value) {
      if (performance.now() - shownAt < PROGRESS_MS) return;
      shownAt = performance.now();
      waiting = [value];
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (!isEnded) {
        if (!waiting) await new Promise<void>((resolve) => (wake = resolve));
        const [value] = waiting ?? [];
        waiting = undefined;
        if (value !== undefined) yield value;
      }
    },
  };
}
