// What goes live and offline, and when jobs run: as a list, as a month, and as a feed for other programs.
import '../../text/en-calendar.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { toDocumentPath } from '../../config/document-path.ts';
import { useAdmin } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { CalendarLink } from './calendar-link.tsx';
import { toFullDay, toMonthName } from './event-words.ts';
import { firstWeekdayOf, monthOf, parseMonth } from './month.ts';
import { MonthGrid, monthBeside } from './month-grid.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { byDay, dayOf, isDocument, listScheduled, type PlannedDocument, type PlannedEvent } from './planned.ts';
import { ScheduledList } from './scheduled-list.tsx';
import { useMove } from './use-move.ts';
import { usePlanned } from './use-planned.ts';

export default function Calendar() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <CalendarScreen />;
}

function CalendarScreen() {
  const { now, session, messages } = useAdmin();
  const { query } = useRoute();
  const navigate = useNavigate();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const firstWeekday = firstWeekdayOf(navigator.language);
  const [knownZone, setKnownZone] = useState<string>();
  const thisMonth = monthOf(dayOf(now().toISOString(), knownZone ?? own));
  const month = parseMonth(query.month) ?? thisMonth;
  const hasJobs = query.jobs !== 'no';
  const planned = usePlanned(month, firstWeekday);
  const zone = planned.zone ?? knownZone ?? own;
  if (planned.zone !== undefined && planned.zone !== knownZone) setKnownZone(planned.zone);
  const today = dayOf(now().toISOString(), zone);
  const move = useMove(zone);
  const [day, setDay] = useState<string>();
  const [moving, setMoving] = useState<PlannedDocument>();
  const mayMove = session.may('content:write');

  const events = planned.events.filter((event) => hasJobs || isDocument(event));
  const days = byDay(events, zone);
  const listed = listScheduled({ planned: events, due: planned.due, zone }, month, today);

  function go(part: { month?: string; jobs?: boolean }): void {
    const params = new URLSearchParams();
    const next = part.month ?? month;
    if (next !== thisMonth) params.set('month', next);
    if (!(part.jobs ?? hasJobs)) params.set('jobs', 'no');
    const search = params.toString();
    navigate(`/admin/calendar${search && `?${search}`}`, true);
  }

  function open(chosen: string): void {
    const [first, ...others] = days.get(chosen) ?? [];
    if (!first) return;
    if (others.length === 0 && isDocument(first)) navigate(toDocumentPath(first.collection, first.slug));
    else setDay(chosen);
  }

  const isDayOver = useRef(false);
  function closeMoving(isMoved: boolean): void {
    isDayOver.current = isMoved;
    setMoving(undefined);
  }
  // What was moved is no longer in the dialog of its day; that one closes after the other, so that the grid gets the focus.
  useEffect(() => {
    if (moving || !isDayOver.current) return;
    isDayOver.current = false;
    setDay(undefined);
  }, [moving]);

  async function drop(event: PlannedDocument, to: string): Promise<boolean> {
    const problem = await move(event, to);
    if (problem !== undefined) messages.fail(problem.text);
    return problem === undefined;
  }

  const ofDay: readonly PlannedEvent[] = (day === undefined ? undefined : days.get(day)) ?? [];
  return (
    <Screen heading={t('calendar.title')}>
      <div class="calendar">
        <section class="calendar-list" aria-busy={planned.isLoading}>
          {zone !== own && <p class="help">{t('schedule.zone', { zone })}</p>}
          {planned.error !== undefined && <Failed error={planned.error} onRetry={planned.refresh} />}
          {planned.isLoading && <Loading lines={4} />}
          {!planned.isLoading && planned.error === undefined && listed.length === 0 && (
            <div class="nothing">
              <Icon name="calendar" />
              <p>{t('calendar.none')}</p>
            </div>
          )}
          {!planned.isLoading && planned.error === undefined && (
            <ScheduledList
              label={t('calendar.list')}
              events={listed}
              zone={zone}
              hasDays
              onMove={mayMove ? setMoving : undefined}
            />
          )}
          {planned.isTruncated && <p class="help">{t('calendar.truncated')}</p>}
        </section>
        <section class="calendar-month">
          <div class="month-bar">
            <h2 aria-live="polite">{toMonthName(month)}</h2>
            <button
              type="button"
              class="plain"
              title={t('calendar.previous')}
              onClick={() => go({ month: monthBeside(month, -1) })}
            >
              <Icon name="left" />
              <span class="hidden">{t('calendar.previous')}</span>
            </button>
            <button type="button" onClick={() => go({ month: thisMonth })}>
              {t('calendar.today')}
            </button>
            <button
              type="button"
              class="plain"
              title={t('calendar.next')}
              onClick={() => go({ month: monthBeside(month, 1) })}
            >
              <Icon name="right" />
              <span class="hidden">{t('calendar.next')}</span>
            </button>
            <label class="tick">
              <input
                type="checkbox"
                checked={hasJobs}
                onChange={(event) => go({ jobs: event.currentTarget.checked })}
              />
              {t('calendar.jobs')}
            </label>
          </div>
          <MonthGrid
            {...{ month, firstWeekday, today, zone, days, mayMove }}
            isBusy={planned.isLoading}
            onMonth={(next) => go({ month: next })}
            onOpen={open}
            onShow={(chosen) => days.has(chosen) && setDay(chosen)}
            onMove={drop}
          />
          {mayMove && <p class="help">{t('calendar.hint')}</p>}
          <CalendarLink />
        </section>
      </div>
      {day !== undefined && (
        <Dialog title={toFullDay(day)} onClose={() => setDay(undefined)}>
          <ScheduledList
            label={t('calendar.ofDay')}
            events={ofDay}
            zone={zone}
            hasDays={false}
            onMove={mayMove ? setMoving : undefined}
          />
          <div class="dialog-end">
            <button type="button" onClick={() => setDay(undefined)}>
              {t('app.close')}
            </button>
          </div>
        </Dialog>
      )}
      {moving && <MoveDialog event={moving} {...{ zone, today, move }} onClose={closeMoving} />}
    </Screen>
  );
}
