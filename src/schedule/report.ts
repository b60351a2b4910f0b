// The result of a heartbeat, in the words of the contract (decisions.md, section 11). Pure.

/** The result at one site. */
export interface Report {
  published: number;
  unpublished: number;
  /** Ids of agents that have run. */
  agents: string[];
  /** Jobs that have succeeded: `backup`, `link-check`. */
  jobs: string[];
  isCalendarUpdated: boolean;
  /** `<what>: <reason>`. */
  errors: string[];
  /** `<collection>/<slug>: <field> <what it points to>`. */
  warnings?: string[];
}

export interface HeartbeatAnswer {
  /** False if there are errors. */
  ok: boolean;
  durationMs: number;
  ran: string[];
  errors: string[];
  /** Left out if it would be empty. */
  warnings?: string[];
  timestamp: string;
}

export const NOTHING: Report = {
  published: 0,
  unpublished: 0,
  agents: [],
  jobs: [],
  isCalendarUpdated: false,
  errors: [],
};

/** The order of the contract, whichever ended first. */
const JOBS = ['backup', 'link-check', 'deploy'];

/** Merges the sites' reports in the contract's order: adds up numbers, and names each job once. */
export function toRan(reports: readonly Report[]): string[] {
  const sum = (key: 'published' | 'unpublished'): number => reports.reduce((total, report) => total + report[key], 0);
  const agents = reports.flatMap((report) => report.agents);
  const jobs = new Set(reports.flatMap((report) => report.jobs));
  return [
    ...(['published', 'unpublished'] as const).flatMap((key) => (sum(key) > 0 ? [`${key}: ${sum(key)}`] : [])),
    ...(agents.length > 0 ? [`agents: ${agents.join(', ')}`] : []),
    ...[...jobs].sort((a, b) => JOBS.indexOf(a) - JOBS.indexOf(b)).map((job) => `${job}: completed`),
    ...(reports.some((report) => report.isCalendarUpdated) ? ['calendar: updated'] : []),
  ];
}

/** Returns the error's message. Its reader may see everything; the stack of a bug is in the process log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
