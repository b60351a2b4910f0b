// One deploy from its build to the moment when its host shows it: check, build, plan, send, publish. Every step has a
// deadline and ends with the signal. Knows nothing of queues and files; reports what the history should have.
import { BuildError, type Builds, type BuiltSite } from '../../build/build.ts';
import { ServiceError } from '../../lib/errors.ts';
import { HostError } from '../providers/host-error.ts';
import type { DeployProvider, ProviderContext, Publication, PublishedFile } from '../providers/provider.ts';
import type { RunOutcome } from './decide.ts';
import type { DeployRecord } from './record.ts';
import { withDeadline } from './with-deadline.ts';

/** How long each step may take; a build has a limit of its own besides. */
export interface RunLimits {
  totalMs: number;
  planMs: number;
  sendMs: number;
  publishMs: number;
  abandonMs: number;
}

export const RUN_LIMITS: RunLimits = {
  totalMs: 120 * 60_000,
  planMs: 10 * 60_000,
  sendMs: 60 * 60_000,
  publishMs: 30 * 60_000,
  abandonMs: 30_000,
};

/** What the files of a host are made from. */
export interface HostFilesRequest {
  provider: DeployProvider;
  site: BuiltSite;
  isPreview: boolean;
  log(line: string): void;
}

export interface RunParts {
  deploy: DeployRecord;
  siteId: string;
  provider: DeployProvider;
  builds: Builds;
  /** The built files as the host publishes them: with redirects and headers in its own form. */
  hostFiles(request: HostFilesRequest): Promise<PublishedFile[]>;
  /** Newest durable commit, for hosts that build by themselves. */
  newestCommit(): string | null;
  /** Digest of configuration and theme. */
  configuration(): Promise<string>;
  /** Everything that a provider works with, except what belongs to this run. */
  context: Omit<ProviderContext, 'signal' | 'log' | 'progress' | 'resume'>;
  /** What an interrupted run of the same tree left. */
  openResume(tree: string): Promise<ProviderContext['resume']>;
  /** Address of what is live now, for a deploy that changes nothing. */
  liveUrl(): string | null;
  /** The host's id of the deploy that a rollback goes back to, and its commit. */
  rollbackTo?: Pick<DeployRecord, 'hostId' | 'commit' | 'files'> | undefined;
  signal: AbortSignal;
  log: { line(text: string): void; write(text: string): void };
  /** Keeps facts in the history; durable once it resolves. */
  report(change: Partial<DeployRecord>): Promise<void>;
  /** Counts for readers of the history; kept with the next report. */
  count(sent: number): void;
  limits: RunLimits;
}

/** Resolves with how it ended, also if it failed. Rejects with the signal's reason. */
export async function run(parts: RunParts): Promise<RunOutcome> {
  const { signal, log, limits } = parts;
  try {
    const steps = (inner: AbortSignal) => runSteps({ ...parts, signal: inner });
    const outcome = await withDeadline(steps, limits.totalMs, signal, 'the deploy');
    log.line(outcome.url ? `done: ${outcome.url}` : 'done');
    return outcome;
  } catch (error) {
    if (signal.aborted) throw error;
    const sentence = toSentence(error);
    log.line(`failed: ${sentence}`);
    const outcome: RunOutcome = {
      status: 'failure',
      error: sentence,
      retryAt: retryAtOf(error, parts.context.now()),
    };
    return isWithoutAnswer(error) ? outcome : { ...outcome, mayBeLive: false };
  }
}

async function runSteps(parts: RunParts): Promise<RunOutcome> {
  const { provider, log, context, report, rollbackTo } = parts;
  const missing = provider.missing(context.settings);
  if (missing.length > 0) throw new HostError('refused_input', missing.join('; '));
  if (rollbackTo) return runRollback(parts, rollbackTo);
  await report({ configuration: await parts.configuration() });
  const built = provider.needsBuild ? await build(parts) : undefined;
  const commit = built?.commit ?? parts.newestCommit() ?? '';
  const files = built
    ? await parts.hostFiles({ provider, site: built, isPreview: parts.deploy.preview, log: log.line })
    : [];
  await report({ status: 'uploading', commit: commit || null, files: { total: files.length, sent: 0 } });
  const publication = toPublication(parts, { commit, files, redirects: built?.redirects ?? [] });
  const refusals = provider.refusals(publication);
  for (const refusal of refusals) log.line(`refused: ${refusal}`);
  if (refusals.length > 0) throw new HostError('refused_input', `nothing was sent: ${joinSome(refusals)}`);
  return upload(parts, publication);
}

async function build({ deploy, builds, log, signal }: RunParts): Promise<BuiltSite> {
  log.line(`building profile "${deploy.profile}"`);
  const built = await builds.build({
    profile: deploy.profile ?? undefined,
    isFull: deploy.isFull,
    isPreview: deploy.preview,
    log: log.write,
    signal,
  });
  signal.throwIfAborted();
  log.line(`built commit ${built.commit.slice(0, 10)}: ${built.files.length} files`);
  return built;
}

function toPublication(
  { deploy, siteId }: RunParts,
  made: Pick<Publication, 'commit' | 'files' | 'redirects'>,
): Publication {
  const by = deploy.by ? ` by ${deploy.by}` : '';
  const message = `Deploy ${made.commit.slice(0, 10)} (${deploy.trigger}${by})`;
  return { id: deploy.id, siteId, isPreview: deploy.preview, message, ...made };
}

async function upload(parts: RunParts, publication: Publication): Promise<RunOutcome> {
  const { provider, log, signal, limits, report } = parts;
  const resume = await parts.openResume(treeKey(provider, publication));
  const contextOf = (inner: AbortSignal): ProviderContext => ({
    ...parts.context,
    ...{ resume, signal: inner, log: log.line, progress: parts.count },
  });
  log.line(`asking ${provider.label} what it has`);
  const plan = await withDeadline(
    (inner) => provider.plan(publication, contextOf(inner)),
    ...([limits.planMs, signal, `the plan of ${provider.label}`] as const),
  );
  if (plan.isUnchanged) {
    log.line(`${provider.label} shows exactly this already; nothing is sent`);
    await report({ files: { total: plan.total, sent: 0 } });
    return { status: 'success', url: parts.liveUrl() };
  }
  log.line(`sending ${plan.send.length} of ${plan.total} files, ${plan.sendBytes} bytes`);
  await report({ files: { total: plan.total, sent: 0 } });
  await withDeadline(
    (inner) => provider.send(plan, publication, contextOf(inner)),
    ...([limits.sendMs, signal, `sending to ${provider.label}`] as const),
  );
  await report({ files: { total: plan.total, sent: plan.send.length } });
  log.line('publishing');
  await report({ mayBeLive: !publication.isPreview });
  const { url, hostId } = await withDeadline(
    (inner) => provider.publish(plan, publication, contextOf(inner)),
    ...([limits.publishMs, signal, `publishing at ${provider.label}`] as const),
  );
  return { status: 'success', url, hostId, isPublished: true };
}

async function runRollback(parts: RunParts, target: NonNullable<RunParts['rollbackTo']>): Promise<RunOutcome> {
  const { provider, log, signal, limits, report } = parts;
  const { hostId, commit, files } = target;
  if (!provider.rollback || hostId === null) {
    throw new HostError('refused_input', `${provider.label} cannot go back to an earlier deploy`);
  }
  await report({ status: 'uploading', commit, files: { total: files.total, sent: 0 } });
  log.line(`${provider.label} goes back to "${hostId}"`);
  const resume = await parts.openResume(`rollback ${hostId}`);
  await report({ mayBeLive: true });
  const published = await withDeadline(
    (inner) =>
      provider.rollback!(hostId, {
        ...parts.context,
        ...{ resume, signal: inner, log: log.line, progress: parts.count },
      }),
    ...([limits.publishMs, signal, `the rollback at ${provider.label}`] as const),
  );
  return { status: 'success', url: published.url, hostId: published.hostId ?? hostId, isPublished: true };
}

/** Identifies what a later run may continue: the same files for the same place. */
function treeKey({ name }: DeployProvider, { files, isPreview, commit }: Publication): string {
  const texts = files.map(({ path, sha256 }) => `${sha256} ${path}`);
  return [name, isPreview ? 'preview' : 'live', ...(files.length > 0 ? texts : [commit])].join('\n');
}

/** One sentence for the history. An error that nobody expected is a bug, and its text is for the process log. */
function toSentence(error: unknown): string {
  if (error instanceof HostError || error instanceof BuildError || error instanceof ServiceError) return error.message;
  throw error;
}

/** The host may have done what it was asked. */
function isWithoutAnswer(error: unknown): boolean {
  return error instanceof HostError && (error.reason === 'timeout' || error.reason === 'unreachable');
}

function retryAtOf(error: unknown, now: Date): Date | undefined {
  if (!(error instanceof HostError) || error.retryAfterMs === undefined) return undefined;
  return new Date(now.getTime() + error.retryAfterMs);
}

const MAX_NAMED = 20;

function joinSome(sentences: readonly string[]): string {
  const more = sentences.length - MAX_NAMED;
  return [...sentences.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
