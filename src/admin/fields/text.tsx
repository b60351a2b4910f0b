// One value that is typed: text, textarea, email, url, color, number, date.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { type ControlProps, named } from './control.ts';

const INPUT_TYPES = { email: 'email', url: 'url' } as const;

export function Text(props: ControlProps) {
  const { field, value, onChange, isReadOnly } = props;
  const text = typeof value === 'string' ? value : '';
  const type = INPUT_TYPES[field.type as 'email'] ?? 'text';
  return (
    <>
      <input
        {...named(props)}
        type={type}
        value={text}
        readOnly={isReadOnly}
        placeholder={field.ui?.placeholder}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <Counter text={text} max={field.maxLength} />
    </>
  );
}

export function TextArea(props: ControlProps) {
  const { field, value, onChange, isReadOnly } = props;
  const text = typeof value === 'string' ? value : '';
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (area.current) grow(area.current);
  }, [text]);
  return (
    <>
      <textarea
        {...named(props)}
        ref={area}
        rows={2}
        value={text}
        readOnly={isReadOnly}
        placeholder={field.ui?.placeholder}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <Counter text={text} max={field.maxLength} />
    </>
  );
}

/** Where the browser cannot do it by itself (`field-sizing`). */
function grow(area: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.style.blockSize = 'auto';
  area.style.blockSize = `${area.scrollHeight + 2}px`;
}

/** Lengths count code points, as the service does. It is shown from four fifths on. */
function Counter({ text, max }: { text: string; max: number | undefined }) {
  if (max === undefined) return null;
  const length = [...text].length;
  if (length < max * 0.8) return null;
  return <p class={length > max ? 'counter error' : 'counter help'}>{t('field.counter', { length, max })}</p>;
}

interface TypedNumber {
  text: string;
  /** The value that it stands for. */
  value: number | null;
  /** What is half typed, such as "1e": the browser shows it and has no text for it. */
  isBad: boolean;
  /** It is complained about once the box is left, not at each "-" that begins a number. */
  isLeft: boolean;
}

export function NumberInput(props: ControlProps) {
  const { field, value, onChange, isReadOnly, id } = props;
  const [typed, setTyped] = useState<TypedNumber>();
  const stored = typeof value === 'number' ? value : null;
  // A number of others replaces what one types oneself.
  const own = typed?.value === stored ? typed : undefined;
  const isBad = own !== undefined && own.isBad && own.isLeft;
  const described = [props.describedBy, isBad && `${id}-typed`].filter(Boolean).join(' ');
  return (
    <>
      <input
        {...named({ ...props, isInvalid: props.isInvalid || isBad, describedBy: described || undefined })}
        type="number"
        step="any"
        min={field.min}
        max={field.max}
        value={own ? own.text : String(stored ?? '')}
        readOnly={isReadOnly}
        placeholder={field.ui?.placeholder}
        onInput={({ currentTarget: { value: text, validity } }) => {
          const number = validity.badInput ? stored : toNumber(text);
          setTyped({ text, value: number, isBad: validity.badInput, isLeft: false });
          if (number !== stored) onChange(number);
        }}
        onBlur={() => setTyped(own?.isBad ? { ...own, isLeft: true } : undefined)}
        // A wheel over it scrolls the page, and never changes a value that one only passed.
        onWheel={(event) => event.currentTarget.blur()}
      />
      {isBad && (
        <p class="error" id={`${id}-typed`}>
          {stored === null ? t('field.notNumber') : t('field.notNumberYet', { number: stored })}
        </p>
      )}
    </>
  );
}

/** Null for nothing. A number that is too large for one counts as none. */
function toNumber(text: string): number | null {
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? null : number;
}

const COLOR = /^#[0-9a-f]{6}$/i;

export function Color(props: ControlProps) {
  const { value, onChange, isReadOnly, field } = props;
  const text = typeof value === 'string' ? value : '';
  return (
    <div class="color">
      {isReadOnly ? (
        <span class="swatch" aria-hidden="true" style={{ background: COLOR.test(text) ? text : '' }} />
      ) : (
        <input
          type="color"
          class="swatch"
          aria-label={t('field.pick')}
          value={COLOR.test(text) ? text : '#000000'}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      <input
        {...named(props)}
        type="text"
        value={text}
        readOnly={isReadOnly}
        placeholder={field.ui?.placeholder}
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
