// A value for people who may not change it, as text that one can select, copy, and reach by keyboard: browsers let
// nobody do that with selects and checkboxes.
import { type ControlProps, named } from './control.ts';

type ReadOnlyProps = Pick<ControlProps, 'id' | 'field' | 'describedBy' | 'isInvalid'> & {
  text: string;
  /** Undefined if a `label` element names it. */
  label?: string;
};

export function ReadOnlyText({ text, label, ...props }: ReadOnlyProps) {
  return <input {...named(props)} type="text" aria-label={label} readOnly dir="auto" value={text} />;
}
