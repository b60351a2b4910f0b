// One field of a form: its label, what belongs beside it, its control, its help, and what is wrong with it.
import type { ComponentChildren } from 'preact';
import { type FieldInfo, labelOf } from '../config/manifest.ts';
import { Boundary } from '../ui/boundary.tsx';
import { useForm } from './control.ts';
import { fieldId } from './field-id.ts';
import { controlOf } from './registry.tsx';

export interface FieldProps {
  field: FieldInfo;
  path: string;
  value: unknown;
  isReadOnly: boolean;
  onChange(value: unknown): void;
  /** Beside the label: what one does with the field as a whole, such as its lock. */
  beside?: ComponentChildren;
  /** Below the label: who locked it, who wrote it. */
  note?: ComponentChildren;
}

export function Field({ field, path, value, isReadOnly, onChange, beside, note }: FieldProps) {
  const { problems } = useForm();
  const problem = problems.value.get(path);
  const id = fieldId(path);
  const label = labelOf(field);
  const { Control, frame } = controlOf(field);
  const help = field.ui?.help;
  const described = [help && `${id}-help`, note && `${id}-note`, problem && `${id}-error`].filter(Boolean).join(' ');
  const describedBy = described || undefined;
  const control = (
    <Boundary of={value}>
      <Control
        {...{ field, id, label, path, value, onChange, describedBy }}
        isReadOnly={isReadOnly || field.ui?.readOnly === true}
        isInvalid={problem !== undefined}
      />
    </Boundary>
  );
  const isGroup = frame === 'group';
  const head = (
    <div class="field-head">
      {frame === 'label' && <label for={id}>{label}</label>}
      {frame === 'text' && (
        <span class="label" id={`${id}-label`} aria-hidden="true">
          {label}
        </span>
      )}
      {isGroup && (
        <span class="label" id={`${id}-label`}>
          {label}
        </span>
      )}
      {field.required && (
        <span class="required" aria-hidden="true">
          *
        </span>
      )}
    </div>
  );
  const group = isGroup
    ? ({ role: 'group', 'aria-labelledby': `${id}-label`, 'aria-describedby': describedBy, id, tabIndex: -1 } as const)
    : {};
  return (
    <div class={`field type-${field.type} width-${field.ui?.width ?? 'full'}`} {...group}>
      {head}
      {note && (
        <p class="help" id={`${id}-note`}>
          {note}
        </p>
      )}
      {control}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {problem && (
        <p class="error" id={`${id}-error`}>
          {problem}
        </p>
      )}
      {/* Seen beside the label, and reached by Tab after the field. */}
      {beside && <div class="field-beside">{beside}</div>}
    </div>
  );
}
