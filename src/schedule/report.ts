// What a heartbeat has done, in the words of the contract (decisions.md, section 11). Pure.

/** Of one site. */
export interface Report {
  published: number;
  unpublished: number;
  /** Ids of agents that have run. */
  agents: string[];
  /** `backup`, `link-check`: jobs that have ended well. */
  jobs: string[];
  isCalendarUpdated: boolean;
  /** `<what>: <reason>`. */
  errors: string[];
}

export interface HeartbeatAnswer {
  /** False where anything went wrong. */
  ok: boolean;
  durationMs: number;
  ran: string[];
  errors: string[];
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

/** The order of the contract, whichever of them was done first. */
const JOBS = ['backup', 'link-check'];

/** All sites in one: numbers are added up, what several have done is said once, in the contract's order. */
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

/** What went wrong, as a sentence for somebody who may see everything; a bug has its own in the log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
