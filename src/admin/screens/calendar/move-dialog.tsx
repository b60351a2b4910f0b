// Another day for what is planned, without dragging.
import { useRef, useState } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { toEventTitle, toFullDay, toTime } from './event-words.ts';
import { addDays } from './month.ts';
import { dayOf, type PlannedDocument } from './planned.ts';
import type { Move } from './use-move.ts';

export interface MoveDialogProps {
  event: PlannedDocument;
  zone: string;
  today: string;
  move: Move;
  onClose(isMoved: boolean): void;
}

const STEPS = [
  { days: -1, label: 'calendar.dayEarlier' },
  { days: 1, label: 'calendar.dayLater' },
  { days: 7, label: 'calendar.weekLater' },
] as const;

export function MoveDialog({ event: opened, zone, today, move, onClose }: MoveDialogProps) {
  const [event, setEvent] = useState(opened);
  const [day, setDay] = useState(() => dayOf(event.at, zone));
  const { problem, isBusy, run, forget } = useSubmit();
  const input = useRef<HTMLInputElement>(null);

  const save = (): Promise<void> =>
    run(async () => {
      const found = await move(event, day);
      if (found === undefined) return onClose(true);
      input.current?.focus();
      if (found.at === undefined) throw new Error(found.text);
      // The next press is about what is planned by now.
      setEvent({ ...event, at: found.at });
      const when = `${toFullDay(dayOf(found.at, zone))}, ${toTime(found.at, zone)}`;
      throw new Error(t('calendar.changedTo', { when }));
    });

  return (
    <Dialog title={t('calendar.moveOne', { title: toEventTitle(event) })} onClose={() => onClose(false)}>
      <form
        class="form"
        onSubmit={(submit) => {
          submit.preventDefault();
          void save();
        }}
      >
        <TextField
          label={t('calendar.day')}
          name="day"
          type="date"
          value={day}
          min={today}
          inputRef={input}
          onInput={(value) => {
            setDay(value);
            forget();
          }}
          help={t('calendar.timeStays', { time: toTime(event.at, zone), zone })}
          error={problem}
        />
        <div class="buttons day-steps">
          {STEPS.map(({ days, label }) => (
            <button
              type="button"
              key={days}
              disabled={day === '' || addDays(day, days) < today}
              onClick={() => {
                setDay(addDays(day, days));
                forget();
              }}
            >
              {t(label)}
            </button>
          ))}
        </div>
        <div class="buttons">
          <button type="submit" class="primary" aria-busy={isBusy}>
            {t('calendar.move')}
          </button>
          <button type="button" onClick={() => onClose(false)}>
            {t('app.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
