// A labelled input of a form: its help and its error are its description.
import type { ComponentChildren, Ref } from 'preact';
import { useId } from 'preact/hooks';

export interface TextFieldProps {
  label: string;
  name: string;
  value: string;
  onInput(value: string): void;
  type?: 'text' | 'email' | 'password' | 'datetime-local' | 'date';
  autocomplete?: string;
  inputMode?: 'numeric' | 'text';
  help?: ComponentChildren;
  error?: string | undefined;
  required?: boolean;
  readOnly?: boolean;
  /** The earliest date. */
  min?: string;
  /** Offered while one types; anything else may be typed too. */
  suggestions?: readonly string[];
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField(props: TextFieldProps) {
  const { label, name, value, onInput, type = 'text', autocomplete, inputMode, help, error, required = true } = props;
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...{ id, name, value, required }}
        type={type as 'text'}
        {...(autocomplete ? { autocomplete } : {})}
        {...(inputMode ? { inputMode } : {})}
        {...(props.suggestions ? { list: `${id}-list` } : {})}
        {...(props.min ? { min: props.min } : {})}
        {...(props.inputRef ? { ref: props.inputRef } : {})}
        readOnly={props.readOnly ?? false}
        aria-describedby={described || undefined}
        aria-invalid={error ? 'true' : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {props.suggestions && (
        <datalist id={`${id}-list`}>
          {props.suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <FieldNotes {...{ id, help, error }} />
    </div>
  );
}

/** Below a control, as its description: `<id>-help` and `<id>-error`. */
export function FieldNotes({ id, help, error }: { id: string; help?: ComponentChildren; error?: string | undefined }) {
  return (
    <>
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  );
}
