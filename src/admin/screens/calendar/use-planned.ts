// What is planned in the month, and what is past due whenever it was.
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useEachMinute } from '../../shell/use-each-minute.ts';
import { type PlannedAnswer, type PlannedEvent, toPlannedUrl } from './planned.ts';

const DAY_MS = 86_400_000;

export interface PlannedMonth {
  events: readonly PlannedEvent[];
  /** What should have happened before; some of `events` too. */
  due: readonly PlannedEvent[];
  /** The site's; undefined until it is known. */
  zone: string | undefined;
  isTruncated: boolean;
  isLoading: boolean;
  error: unknown;
  refresh(): void;
}

export function usePlanned(month: string, firstWeekday: number): PlannedMonth {
  const { startedAt } = useAdmin();
  const shown = useResource<PlannedAnswer>(toPlannedUrl(month, firstWeekday));
  const tomorrow = new Date(startedAt.getTime() + DAY_MS).toISOString();
  const past = useResource<PlannedAnswer>(`/api/cms/scheduled?to=${tomorrow}`);
  const refresh = (): void => {
    shown.refresh();
    past.refresh();
  };
  useEachMinute(refresh);
  const answer = shown.state.kind === 'ready' ? shown.state.data : undefined;
  const before = past.state.kind === 'ready' ? past.state.data : undefined;
  return {
    events: answer?.events ?? [],
    due: before?.events.filter(({ overdue }) => overdue) ?? [],
    zone: answer?.timezone ?? before?.timezone,
    isTruncated: answer?.truncated === true,
    isLoading: shown.state.kind === 'loading',
    error: shown.state.kind === 'failed' ? shown.state.error : undefined,
    refresh,
  };
}
