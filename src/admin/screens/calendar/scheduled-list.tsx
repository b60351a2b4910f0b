// What is planned as a list: past due first with the reason, then day by day.
import { useState } from 'preact/hooks';
import { toDocumentPath } from '../../config/document-path.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { toEventTitle, toEventVerb, toFullDay, toShortDay, toTime } from './event-words.ts';
import { Overdue } from './overdue.tsx';
import { dayOf, isDocument, keyOf, type PlannedDocument, type PlannedEvent } from './planned.ts';

export interface ScheduledListProps {
  label: string;
  events: readonly PlannedEvent[];
  zone: string;
  /** Whether each says its day; those of one day need not. */
  hasDays: boolean;
  /** Undefined if the person may not move anything. */
  onMove: ((event: PlannedDocument) => void) | undefined;
}

const SHOWN = 100;

export function ScheduledList({ label, events, zone, hasDays, onMove }: ScheduledListProps) {
  const [most, setMost] = useState(SHOWN);
  return (
    <>
      <ul class="rows planned" aria-label={label}>
        {events.slice(0, most).map((event, at) => (
          <Planned
            key={keyOf(event)}
            {...{ event, zone, onMove }}
            hasDay={hasDays && (at === 0 || !isSameDay(events[at - 1]!, event, zone))}
          />
        ))}
      </ul>
      {events.length > most && (
        <button type="button" onClick={() => setMost(most + SHOWN)}>
          {t('media.more')}
        </button>
      )}
    </>
  );
}

function isSameDay(one: PlannedEvent, other: PlannedEvent, zone: string): boolean {
  return one.overdue === other.overdue && dayOf(one.at, zone) === dayOf(other.at, zone);
}

interface PlannedProps extends Pick<ScheduledListProps, 'zone' | 'onMove'> {
  event: PlannedEvent;
  hasDay: boolean;
}

function Planned({ event, zone, hasDay, onMove }: PlannedProps) {
  const title = toEventTitle(event);
  const day = dayOf(event.at, zone);
  return (
    <li class={`is-${isDocument(event) ? event.kind : 'job'} ${hasDay ? 'has-day' : ''}`}>
      {hasDay && (
        <span class="planned-day" aria-hidden="true">
          {toShortDay(day)}
        </span>
      )}
      <time class="planned-time" datetime={event.at} title={toExact(event.at)}>
        <span class="hidden">{toFullDay(day)}, </span>
        {toTime(event.at, zone)}
      </time>
      <span class="planned-what">
        {isDocument(event) ? (
          <a class="row-title" href={toDocumentPath(event.collection, event.slug)}>
            <bdi>{title}</bdi>
          </a>
        ) : (
          <span class="row-title">
            <bdi>{title}</bdi>
          </span>
        )}{' '}
        <span class="help">{toEventVerb(event)}</span>
        {event.overdue && <Overdue event={event} />}
      </span>
      {onMove && isDocument(event) && (
        <button type="button" aria-label={t('calendar.moveOne', { title })} onClick={() => onMove(event)}>
          {t('calendar.move')}
        </button>
      )}
    </li>
  );
}
