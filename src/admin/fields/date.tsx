// A date, with a time if its value has one.
import { t } from '../text/translate.ts';
import { type ControlProps, named } from './control.ts';
import { isPlainDate, joinDateTime, splitDateTime } from './dates.ts';

export function DateInput(props: ControlProps) {
  const { field, value, onChange, isReadOnly } = props;
  const text = typeof value === 'string' ? value : '';
  const moment = splitDateTime(text);
  if (moment) {
    const isUtc = moment.rest.endsWith('Z');
    return (
      <>
        <input
          {...named(props)}
          type="datetime-local"
          value={moment.local}
          readOnly={isReadOnly}
          onInput={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? null : joinDateTime(currentTarget.value, moment.rest))
          }
        />
        <p class="help">
          {isUtc ? t('field.utc') : t('field.offset', { offset: moment.rest.replace(/^[:.\d]*/, '') })}
        </p>
      </>
    );
  }
  // A value that is no date at all stays readable, and can be corrected.
  if (text !== '' && !isPlainDate(text)) {
    return (
      <input
        {...named(props)}
        type="text"
        value={text}
        readOnly={isReadOnly}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...named(props)}
      type="date"
      value={text}
      readOnly={isReadOnly}
      onInput={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  );
}
