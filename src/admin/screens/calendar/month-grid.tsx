// biome-ignore-all lint/a11y/useSemanticElements: a table would have the cells of another widget
// biome-ignore-all lint/a11y/useFocusableInteractive: one cell at a time has the focus
// A month (ARIA Authoring Practices, "Date Picker Dialog", its grid): arrows, Home and End, Page Up and Page Down. What is
// planned can be dragged to another day; the list and the dialog of a day move it by buttons.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toDocumentPath } from '../../config/document-path.ts';
import { t } from '../../text/translate.ts';
import { toEventTitle, toEventVerb, toFullDay, toMonthName, toTime, toWeekday } from './event-words.ts';
import { addDays, monthOf, moveInMonth, weeksOf } from './month.ts';
import { isDocument, keyOf, type PlannedDocument, type PlannedEvent } from './planned.ts';

export interface MonthGridProps {
  month: string;
  firstWeekday: number;
  today: string;
  zone: string;
  days: ReadonlyMap<string, readonly PlannedEvent[]>;
  mayMove: boolean;
  isBusy: boolean;
  onMonth(month: string): void;
  /** By Enter, and by a click on a day: its document, or all that it has. */
  onOpen(day: string): void;
  /** By the space bar: all that the day has. */
  onShow(day: string): void;
  /** Resolves with false if it was refused. */
  onMove(event: PlannedDocument, day: string): Promise<boolean>;
}

/** More would make the week too high; the rest is in the dialog of the day. */
const MOST = 3;

export function MonthGrid(props: MonthGridProps) {
  const { month, firstWeekday, today, days, mayMove, isBusy, onMonth, onOpen, onShow, onMove } = props;
  const grid = useRef<HTMLDivElement>(null);
  const isFocusWanted = useRef(false);
  const [chosen, setChosen] = useState(today);
  const [dragged, setDragged] = useState<PlannedDocument>();
  const [over, setOver] = useState<string>();
  const weeks = weeksOf(month, firstWeekday);
  const active = monthOf(chosen) === month ? chosen : monthOf(today) === month ? today : `${month}-01`;

  useLayoutEffect(() => {
    // The month of the address may follow after the day.
    if (!isFocusWanted.current || monthOf(chosen) !== month) return;
    isFocusWanted.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
  });

  function go(day: string): void {
    isFocusWanted.current = true;
    setChosen(day);
    if (monthOf(day) !== month) onMonth(monthOf(day));
  }

  /** The focus goes with it, and comes back if it was refused. */
  async function moveByKey(document: PlannedDocument, from: string, next: string): Promise<void> {
    go(next);
    const isMoved = await onMove(document, next);
    if (!isMoved && grid.current?.querySelector(':focus')?.matches(`[data-day="${next}"]`)) go(from);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey) return;
    const isMirrored = getComputedStyle(grid.current!).direction === 'rtl';
    // One of the month beside may have the focus by a click. Keys may come faster than months.
    const focused = event.target instanceof Element && event.target.closest<HTMLElement>('[data-day]')?.dataset.day;
    const from = isFocusWanted.current ? chosen : focused || active;
    const next = moveInMonth(event, from, { firstWeekday, isMirrored });
    if (event.altKey) {
      // Alt and an arrow move what the day has, as they move items of a list.
      if (next === undefined || !event.key.startsWith('Arrow')) return;
      const documents = (days.get(from) ?? []).filter(isDocument);
      if (mayMove && documents.length === 1) {
        void moveByKey(documents[0]!, from, next);
      } else if (documents.length > 1) onShow(from);
    } else if (next !== undefined) go(next);
    else if (event.key === 'Enter') onOpen(from);
    else if (event.key === ' ') onShow(from);
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={grid}
      class="month"
      role="grid"
      aria-label={toMonthName(month)}
      aria-busy={isBusy}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        const day = target instanceof HTMLElement ? target.dataset.day : undefined;
        if (day !== undefined && day !== active) setChosen(day);
      }}
    >
      <div class="week week-head" role="row">
        {weeks[0]!.map((day) => {
          const { shown, said } = toWeekday(day);
          return (
            <div role="columnheader" aria-label={said} key={day}>
              {shown}
            </div>
          );
        })}
      </div>
      {weeks.map((week) => (
        <div class="week" role="row" key={week[0]}>
          {week.map((day) => (
            <Day
              key={day}
              {...{ day, today, dragged }}
              {...{ zone: props.zone, mayMove, onShow }}
              events={days.get(day) ?? []}
              isOutside={monthOf(day) !== month}
              isActive={day === active}
              isOver={day === over}
              onDrag={setDragged}
              onOver={setOver}
              onDrop={() => {
                if (dragged) void onMove(dragged, day);
              }}
              onClick={() => {
                setChosen(day);
                onOpen(day);
              }}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface DayProps extends Pick<MonthGridProps, 'today' | 'zone' | 'mayMove' | 'onShow'> {
  day: string;
  events: readonly PlannedEvent[];
  isOutside: boolean;
  isActive: boolean;
  dragged: PlannedDocument | undefined;
  isOver: boolean;
  onDrag(event: PlannedDocument | undefined): void;
  onOver(day: string | undefined): void;
  onDrop(): void;
  onClick(): void;
}

function Day(props: DayProps) {
  const { day, today, events, zone, mayMove, isOutside, isActive, isOver, dragged } = props;
  const { onDrag, onOver, onDrop, onClick, onShow } = props;
  const said = events.length === 0 ? '' : `, ${t('calendar.count', { count: events.length })}`;
  const isTarget = dragged !== undefined && day >= today;
  const rest = events.length - MOST;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
    <div
      role="gridcell"
      class={`day ${isOutside ? 'is-outside' : ''} ${isOver && isTarget ? 'is-over' : ''}`}
      data-day={day}
      tabIndex={isActive ? 0 : -1}
      aria-current={day === today ? 'date' : undefined}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a, button')) return;
        onClick();
      }}
      onDragOver={(event) => {
        if (!isTarget) return;
        event.preventDefault();
        onOver(day);
      }}
      onDragLeave={() => onOver(undefined)}
      onDrop={(event) => {
        event.preventDefault();
        onOver(undefined);
        onDrop();
      }}
    >
      <span class="hidden">{`${toFullDay(day)}${said}`}</span>
      <span class="day-number" aria-hidden="true">
        {Number(day.slice(8))}
      </span>
      {events.slice(0, MOST).map((event) => (
        <Chip key={keyOf(event)} {...{ event, zone, mayMove, onDrag }} />
      ))}
      {rest > 0 && (
        <button type="button" class="plain day-more" tabIndex={-1} onClick={() => onShow(day)}>
          {t('calendar.more', { count: rest })}
        </button>
      )}
      {events.length > 0 && (
        <span class="day-dots" aria-hidden="true">
          {events.slice(0, MOST).map((event) => (
            <span key={keyOf(event)} class={`dot is-${isDocument(event) ? event.kind : 'job'}`} />
          ))}
        </span>
      )}
    </div>
  );
}

interface ChipProps extends Pick<DayProps, 'zone' | 'mayMove' | 'onDrag'> {
  event: PlannedEvent;
}

function Chip({ event, zone, mayMove, onDrag }: ChipProps) {
  const title = toEventTitle(event);
  const time = toTime(event.at, zone);
  const about = [time, title, toEventVerb(event)].filter(Boolean).join(' ');
  if (!isDocument(event)) {
    return (
      <span class="event is-job" title={about}>
        <bdi>{title}</bdi>
      </span>
    );
  }
  return (
    <a
      class={`event is-${event.kind} ${event.overdue ? 'is-overdue' : ''}`}
      href={toDocumentPath(event.collection, event.slug)}
      tabIndex={-1}
      title={about}
      draggable={mayMove}
      onDragStart={({ dataTransfer }) => {
        // Without data some browsers drag nothing.
        dataTransfer?.setData('text/plain', title);
        if (dataTransfer) dataTransfer.effectAllowed = 'move';
        onDrag(event);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <bdi>{title}</bdi> <span class="event-time">{time}</span>
    </a>
  );
}

/** The day beside the month, for the buttons above the grid. */
export function monthBeside(month: string, step: 1 | -1): string {
  return monthOf(addDays(`${month}-15`, step * 30));
}
