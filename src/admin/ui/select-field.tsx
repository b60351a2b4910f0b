import type { Ref } from 'preact';
import { useId } from 'preact/hooks';
import { FieldNotes } from './field.tsx';

export interface SelectOption {
  value: string;
  label: string;
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange(value: string): void;
}

export interface SelectFieldProps extends SelectProps {
  help?: string;
  error?: string | undefined;
  isReadOnly?: boolean;
}

/** A labelled choice of a form: its help and its error are its description. */
export function SelectField({ label, help, error, isReadOnly = false, ...choice }: SelectFieldProps) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={choice.value}
        disabled={isReadOnly}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={described || undefined}
        onChange={({ currentTarget }) => choice.onChange(currentTarget.value)}
      >
        <Options options={choice.options} />
      </select>
      <FieldNotes {...{ id, help, error }} />
    </div>
  );
}

/** A choice above a list, of what it shows. */
export function SelectFilter({
  label,
  value,
  options,
  selectRef,
  onChange,
}: SelectProps & { selectRef?: Ref<HTMLSelectElement> }) {
  return (
    <label>
      <span>{label}</span>
      <select
        {...(selectRef ? { ref: selectRef } : {})}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <Options options={options} />
      </select>
    </label>
  );
}

function Options({ options }: Pick<SelectProps, 'options'>) {
  return (
    <>
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </>
  );
}
