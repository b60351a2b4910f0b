// Automatic deploys: after changes of what is public, after a failed revalidation, and after a start with another
// configuration or theme. Survives a crash: the place in the log moves on only once the deploy is queued.
import { setTimeout as delay } from 'node:timers/promises';
import type { ContentView } from '../../content/rows/view.ts';
import type { DataFolder } from '../../data/data-folder.ts';
import type { CommitFeed } from '../../history/feed/commit-feed.ts';
import type { Cursor } from '../../history/feed/logged-commit.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createInOrder } from '../../lib/queues/in-order.ts';
import type { ElapsedMs } from '../../lib/time/elapsed.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Settings, SiteSettings } from '../../settings/settings.ts';
import { providerOf } from '../provider-of.ts';
import type { DeployRecord } from '../runs/record.ts';
import type { Deploys } from '../service.ts';
import { AFTER_FAILURE, AFTER_SAVE, createPause } from './pause.ts';
import { publicChangeOf } from './public-change.ts';
import { type AutomaticState, openAutomaticFile } from './state.ts';
import { isMediaUsed } from './used-media.ts';

export interface AutomaticParts {
  /** `_data/deploys/`. */
  folder: DataFolder;
  feed: Pick<CommitFeed, 'newest' | 'commits'>;
  view: Pick<ContentView, 'collections'>;
  settings: Pick<Settings, 'read'>;
  deploys: Pick<Deploys, 'trigger'>;
  records(): readonly DeployRecord[];
  /** Digest of configuration and theme as they are now. */
  configuration(): Promise<string>;
  /** Whether a commit changes files beside content and media. */
  hasOtherFiles(commit: string): boolean;
  /** True if a build command reads media files that no document names. */
  readsAllMedia: boolean;
  elapsedMs: ElapsedMs;
  warn: Warn;
  retryMs?: number;
}

export interface AutomaticDeploys {
  /** Begins a deploy soon; durable once it resolves. Does nothing without a provider. */
  request(trigger: 'save' | 'revalidation', options?: { isFull?: boolean }): Promise<void>;
  /** Begins or ends following the log, as the settings say. Once it resolves, later changes count. */
  applySettings(): Promise<void>;
  /** What a crash or a new configuration left to do. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const RETRY_MS = 5000;
/** Commits that change nothing public, after which the place in the log is kept. */
const KEEP_AFTER = 1000;

export async function openAutomatic(parts: AutomaticParts): Promise<AutomaticDeploys> {
  const { feed, settings, deploys, elapsedMs, warn, retryMs = RETRY_MS } = parts;
  const file = await openAutomaticFile(parts.folder, warn);
  const inOrder = createInOrder();
  const closing = new AbortController();
  const pause = createPause(elapsedMs, () => void inOrder(fire).catch((error) => warn(NOT_BEGUN, error)));
  let following: { end: AbortController; done: Promise<void> } | undefined;
  /** How far the log was looked at. */
  let seen: Cursor | undefined;
  let unkept = 0;
  /** Changes since `seen` was kept. */
  let isCertain = false;
  let media = new Set<string>();

  async function request(trigger: 'save' | 'revalidation', { isFull = false } = {}): Promise<void> {
    if (!providerOf(settings.read()) || closing.signal.aborted) return;
    await inOrder(() => file.change({ pending: merge(file.read().pending, { trigger, isFull }) }));
    pause.extend(trigger === 'revalidation' ? AFTER_FAILURE : AFTER_SAVE);
  }

  const report: Warn = (message, error) => {
    if (!closing.signal.aborted) warn(message, error);
  };

  async function fire(): Promise<void> {
    if (closing.signal.aborted) return;
    const { pending } = file.read();
    const [upTo, certain, changed] = [seen, isCertain, media];
    [isCertain, media] = [false, new Set()];
    const isWanted =
      pending !== null ||
      certain ||
      (changed.size > 0 && (parts.readsAllMedia || (await isMediaUsed(parts.view, changed))));
    if (isWanted && providerOf(settings.read()) && !(await tryTrigger(deploys, pending, report))) {
      if (!closing.signal.aborted) setTimeout(() => pause.extend({ quietMs: 0, maxMs: 0 }), retryMs).unref();
      isCertain ||= certain;
      media = media.union(changed);
      return;
    }
    unkept = 0;
    await file.change({ pending: null, ...(upTo && following && { cursor: [...upTo] }) });
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const kept = file.read().cursor;
    seen = kept ?? (await feed.newest());
    if (!kept) await inOrder(() => file.change({ cursor: [...(seen ?? [])] }));
    const { commits } = await feed.commits(seen, signal);
    for await (const commit of commits) {
      const change = await publicChangeOf(commit, parts.hasOtherFiles);
      if (signal.aborted) return;
      const isCovered = hasRevalidation(settings.read()) && !change.isOfBuild;
      seen = commit.cursor;
      if (!isCovered && (change.isCertain || change.media.length > 0)) {
        isCertain ||= change.isCertain;
        for (const slug of change.media) media.add(slug);
        pause.extend(AFTER_SAVE);
      } else if (++unkept >= KEEP_AFTER && !pause.isPending()) {
        unkept = 0;
        await inOrder(() => file.change({ cursor: [...commit.cursor] }));
      }
    }
  }

  async function stopFollowing(): Promise<void> {
    following?.end.abort();
    await following?.done;
    following = undefined;
  }

  async function applySettings(): Promise<void> {
    const current = settings.read();
    const isWanted = current.deployOnSave && providerOf(current) !== undefined && !closing.signal.aborted;
    if (isWanted && !following) {
      if (file.read().cursor === null) {
        const newest = await feed.newest();
        await inOrder(() => file.change({ cursor: [...newest] }));
      }
      const end = new AbortController();
      following = { end, done: untilEnded(() => follow(end.signal), end.signal, { warn, retryMs }) };
    } else if (!isWanted && (following || file.read().cursor !== null) && !closing.signal.aborted) {
      await stopFollowing();
      [seen, isCertain, media] = [undefined, false, new Set()];
      await inOrder(() => file.change({ cursor: null }));
    }
  }

  return {
    request,
    applySettings,
    async start() {
      await applySettings();
      if (file.read().pending) pause.extend(AFTER_SAVE);
      const current = settings.read();
      if (!current.deployOnSave) return;
      const last = parts.records().find(({ status, configuration }) => status === 'success' && configuration !== null);
      if (last && last.configuration !== (await parts.configuration())) await request('save', { isFull: true });
    },
    async close() {
      closing.abort();
      const isIdle = !pause.isPending();
      pause.stop();
      const last = seen;
      const wasFollowing = following !== undefined;
      await stopFollowing();
      await inOrder(async () => {
        if (isIdle && wasFollowing && last && unkept > 0) await file.change({ cursor: [...last] });
      });
    },
  };
}

/** False if it should be tried again later: another kind of deploy is queued, the disk is full. */
async function tryTrigger(
  deploys: AutomaticParts['deploys'],
  pending: AutomaticState['pending'],
  warn: Warn,
): Promise<boolean> {
  const { trigger = 'save', isFull = false } = pending ?? {};
  try {
    await deploys.trigger({ trigger, isFull, by: null });
    return true;
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined;
    if (code !== 'conflict') warn(NOT_BEGUN, error);
    // Something has to be set first; the next change tries again.
    return code === 'invalid_input';
  }
}

/** Begins the work again when it fails, until the signal aborts. */
async function untilEnded(
  work: () => Promise<void>,
  signal: AbortSignal,
  { warn, retryMs }: { warn: Warn; retryMs: number },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      warn('automatic deploys could not follow the log; they retry', error);
      await delay(retryMs, undefined, { signal, ref: false }).catch(() => undefined); // ends the loop
    }
  }
}

const NOT_BEGUN = 'an automatic deploy could not begin';

function merge(
  before: AutomaticState['pending'],
  next: NonNullable<AutomaticState['pending']>,
): NonNullable<AutomaticState['pending']> {
  return before ? { trigger: before.trigger, isFull: before.isFull || next.isFull } : next;
}

/** Then each change of a document is revalidated, and asks for a deploy only if that fails. */
function hasRevalidation({ revalidateUrl, revalidateSecret }: SiteSettings): boolean {
  return revalidateUrl !== '' && revalidateSecret !== '';
}
