// A date, with a time if its value has one.
import { t } from '../text/translate.ts';
import { type ControlProps, named } from './control.ts';
import { isPlainDate, joinDateTime, splitDateTime, toWritten } from './dates.ts';
import { ReadOnlyText } from './read-only.tsx';

export function DateInput(props: ControlProps) {
  const { field, value, onChange, isReadOnly, id, describedBy, isInvalid } = props;
  const text = typeof value === 'string' ? value : '';
  const moment = splitDateTime(text);
  if (isReadOnly) {
    return (
      <>
        <ReadOnlyText {...{ id, field, describedBy, isInvalid }} text={toWritten(text)} />
        {moment && <Offset rest={moment.rest} />}
      </>
    );
  }
  if (moment) {
    return (
      <>
        <input
          {...named(props)}
          type="datetime-local"
          value={moment.local}
          onInput={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? null : joinDateTime(currentTarget.value, moment.rest))
          }
        />
        <Offset rest={moment.rest} />
      </>
    );
  }
  // A value that is no date at all stays readable, and can be corrected.
  if (text !== '' && !isPlainDate(text)) {
    return (
      <input {...named(props)} type="text" value={text} onInput={(event) => onChange(event.currentTarget.value)} />
    );
  }
  return (
    <input
      {...named(props)}
      type="date"
      value={text}
      onInput={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  );
}

function Offset({ rest }: { rest: string }) {
  const offset = rest.replace(/^[:.\d]*/, '');
  return <p class="help">{offset === 'Z' ? t('field.utc') : t('field.offset', { offset })}</p>;
}
