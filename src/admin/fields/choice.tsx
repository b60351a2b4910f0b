// One of a few: boolean, select, form; and several of a few.
import type { FieldOption } from '../config/manifest.ts';
import { t } from '../text/translate.ts';
import { type ControlProps, named, useForm } from './control.ts';
import { ReadOnlyText } from './read-only.tsx';

type OptionValue = string | number;

interface Choice {
  label: string;
  value: OptionValue;
}

function toChoice(option: FieldOption): Choice {
  return typeof option === 'object' ? option : { label: String(option), value: option };
}

/** What an unknown value is, it is called. */
function toText(value: unknown, choices: readonly Choice[]): string {
  return choices.find((choice) => choice.value === value)?.label ?? String(value ?? '');
}

function toPlace({
  id,
  field,
  describedBy,
  isInvalid,
}: Pick<ControlProps, 'id' | 'field' | 'describedBy' | 'isInvalid'>) {
  return { id, field, describedBy, isInvalid };
}

export function Checkbox(props: ControlProps) {
  const { value, onChange, isReadOnly, label, id } = props;
  if (isReadOnly) {
    return (
      <>
        <label for={id}>{label}</label>
        <ReadOnlyText {...toPlace(props)} text={t(value === true ? 'list.yes' : 'list.no')} />
      </>
    );
  }
  return (
    <label class="tick">
      <input
        {...named(props)}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

export function Select(props: ControlProps) {
  return <Combobox {...props} choices={(props.field.options ?? []).map(toChoice)} />;
}

export function FormSelect(props: ControlProps) {
  const { forms } = useForm().manifest;
  return <Combobox {...props} choices={forms.map(({ name, label }) => ({ value: name, label: label ?? name }))} />;
}

function Combobox({ choices, ...props }: ControlProps & { choices: readonly Choice[] }) {
  const { value, onChange, isReadOnly } = props;
  const at = choices.findIndex((choice) => choice.value === value);
  const isUnknown = at < 0 && value !== undefined && value !== null && value !== '';
  if (isReadOnly) return <ReadOnlyText {...toPlace(props)} text={toText(value, choices)} />;
  return (
    <select
      {...named(props)}
      value={isUnknown ? 'unknown' : String(at)}
      onChange={({ currentTarget }) => {
        const choice = choices[Number(currentTarget.value)];
        if (choice) onChange(choice.value);
        else if (currentTarget.value === '-1') onChange(null);
      }}
    >
      <option value="-1">{t('field.none')}</option>
      {choices.map(({ label, value: one }, index) => (
        <option key={String(one)} value={String(index)}>
          {label}
        </option>
      ))}
      {/* What the configuration does not offer any more stays until another one is chosen. */}
      {isUnknown && <option value="unknown">{t('field.unknownOption', { value: String(value) })}</option>}
    </select>
  );
}

/** The order of the options is the order of the values. */
export function MultiSelect({ field, value, onChange, isReadOnly, ...props }: ControlProps) {
  const choices = (field.options ?? []).map(toChoice);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const known = new Set<unknown>(choices.map((choice) => choice.value));
  const others = chosen.filter((one) => !known.has(one));
  const toggle = (option: OptionValue, isOn: boolean): void => {
    const on = new Set(chosen);
    if (isOn) on.add(option);
    else on.delete(option);
    onChange([...choices.map((choice) => choice.value).filter((one) => on.has(one)), ...others]);
  };
  if (isReadOnly) {
    // The group around it has the id.
    const place = { ...toPlace({ field, ...props }), id: `${props.id}-text` };
    const texts = chosen.map((one) => toText(one, choices));
    return <ReadOnlyText {...place} label={props.label} text={texts.join(', ')} />;
  }
  return (
    <div class="checks">
      {choices.map((choice) => (
        <label class="tick" key={String(choice.value)}>
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
