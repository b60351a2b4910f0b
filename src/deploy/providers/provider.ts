// A host as a deploy sees it. One file for each host implements it, and test/deploy/providers/contract.test.ts holds all
// of them to it. A deploy is `plan`, `send`, `publish`, in this order; each may be repeated after a crash.
import type { Redirect, SiteFile } from '../../build/build.ts';
import type { Problem } from '../../lib/errors.ts';
import type { Outbound } from '../../outbound/request.ts';
import type { SiteSettings } from '../../settings/settings.ts';

export type ProviderName = Exclude<SiteSettings['deployProvider'], ''>;

/** How a host reads redirects and headers. */
export type RulesForm = 'redirects-file' | 'vercel-json' | 'pages' | 'none';

/** A file to publish: from the build, or made for the host (`_redirects`, `.nojekyll`). */
export interface PublishedFile extends SiteFile {
  /** Absolute path of its bytes. */
  file: string;
}

/** What a deploy brings with it. */
export interface Publication {
  /** Id of the deploy in the history. */
  id: string;
  siteId: string;
  commit: string;
  files: readonly PublishedFile[];
  redirects: readonly Redirect[];
  isPreview: boolean;
  /** One line for people: why, and by whom. */
  message: string;
}

/** What a provider works with; everything with a state, a clock or a socket is passed in. */
export interface ProviderContext {
  settings: SiteSettings;
  /** For requests to the base URLs of the settings. */
  fetch: typeof fetch;
  /** For the deploy hook: an address that a user typed. */
  outbound: Pick<Outbound, 'request'>;
  /** Waits, or ends early with the signal. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
  now(): Date;
  signal: AbortSignal;
  /** Limits in milliseconds for one attempt of a request (60 s) and for all of `plan`, `send` or `publish` (an hour). */
  limits?: { callMs?: number; totalMs?: number };
  /** A line of the deploy's log. Secrets are masked by the caller too. */
  log(line: string): void;
  /** Counts files as they arrive. */
  progress(sentFiles: number): void;
  /** A folder of this site and provider that survives restarts, and may be deleted at any time: caches of hashes. */
  cacheFolder: string;
  /** Small JSON that a later run of the same deploy finds again: the host's id of a deploy that is half sent. */
  resume: { get(): unknown; set(value: unknown): Promise<void> };
}

export interface DeployPlan {
  total: number;
  /** Files that the host does not have yet. */
  send: readonly PublishedFile[];
  sendBytes: number;
  /** The host has exactly this tree live: nothing is sent or published, and the deploy is a success. */
  isUnchanged: boolean;
  /** Whatever the provider's own `send` and `publish` need. */
  state: unknown;
}

export interface PublishedDeploy {
  /** Address at which people see it. */
  url: string | null;
  /** The host's id of what was published; `rollback` goes back to it. */
  hostId: string | null;
}

export interface DeployProvider {
  name: ProviderName;
  /** For people: "Vercel". */
  label: string;
  rules: RulesForm;
  hasPreviews: boolean;
  hasRollback: boolean;
  /** False if the host builds by itself (the deploy hook): then nothing is built here. */
  needsBuild: boolean;
  /** The settings that are missing, by name, with what they need to be. Pure. */
  missing(settings: SiteSettings): Problem[];
  /** Everything that the host would refuse about these files, all at once, before the first request. Pure. */
  refusals(publication: Publication): string[];
  /** Asks the host what it has. Changes nothing there. @throws HostError */
  plan(publication: Publication, context: ProviderContext): Promise<DeployPlan>;
  /** Sends what the plan says. Whatever is live stays live. @throws HostError */
  send(plan: DeployPlan, publication: Publication, context: ProviderContext): Promise<void>;
  /** Makes it live, and waits until the host says so. @throws HostError */
  publish(plan: DeployPlan, publication: Publication, context: ProviderContext): Promise<PublishedDeploy>;
  /** Makes an earlier publication live again by the host's own means. @throws HostError */
  rollback?(hostId: string, context: ProviderContext): Promise<PublishedDeploy>;
  /** Cleans up what an ended deploy left half done. Called after a cancel or a failure; best effort. */
  abandon?(context: ProviderContext): Promise<void>;
}
