// A text to take elsewhere: readable, and copied by a button.
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

export interface CopyFieldProps {
  label: string;
  value: string;
  /** The name of the button. */
  verb: string;
  help?: string;
  /** True moves the focus to it when it appears. */
  hasFocus?: boolean;
  /** `isCopied` is false if the browser refuses, as without TLS; then the text is selected. */
  onCopy(isCopied: boolean): void;
}

export function CopyField({ label, value, verb, help, hasFocus = false, onCopy }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (hasFocus) input.current?.focus();
  }, []);

  async function copy(): Promise<void> {
    const isCopied = await tryToCopy(value);
    if (!isCopied) input.current?.select();
    onCopy(isCopied);
  }

  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy-field">
        <input
          ref={input}
          {...{ id, value }}
          type="text"
          readOnly
          dir="ltr"
          spellcheck={false}
          autocomplete="off"
          aria-describedby={help && `${id}-help`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" aria-label={verb} title={verb} onClick={() => void copy()}>
          <Icon name="copy" />
        </button>
      </div>
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** Returns false if the browser does not let pages copy here. */
export function tryToCopy(text: string): Promise<boolean> {
  if (!navigator.clipboard) return Promise.resolve(false);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
