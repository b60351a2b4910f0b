// Secrets that were just made, the only time that they are shown.
import { CopyField, type CopyFieldProps } from './copy-field.tsx';

export interface ShownOnceProps extends Pick<CopyFieldProps, 'verb' | 'help' | 'onCopy'> {
  secrets: readonly { label: string; value: string }[];
  /** The name of the button that ends it. */
  done: string;
  onDone(): void;
}

/** In a dialog: the first one has the focus. */
export function ShownOnce({ secrets, done, onDone, ...field }: ShownOnceProps) {
  return (
    <>
      {secrets.map((secret, at) => (
        <CopyField key={secret.label} {...secret} {...field} hasFocus={at === 0} />
      ))}
      <div class="buttons">
        <button type="button" class="primary" onClick={onDone}>
          {done}
        </button>
      </div>
    </>
  );
}
