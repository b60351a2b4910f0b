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

export function NumberInput(props: ControlProps) {
  const { field, value, onChange, isReadOnly } = props;
  // What is half typed, such as "1e", is no number yet.
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? (typeof value === 'number' ? String(value) : '');
  return (
    <input
      {...named(props)}
      type="number"
      step="any"
      min={field.min}
      max={field.max}
      value={shown}
      readOnly={isReadOnly}
      placeholder={field.ui?.placeholder}
      onInput={(event) => {
        const { value: text, validity } = event.currentTarget;
        setTyped(text);
        if (text === '' && !validity.badInput) onChange(null);
        else if (text !== '' && Number.isFinite(Number(text))) onChange(Number(text));
      }}
      onBlur={() => setTyped(undefined)}
      // A wheel over it scrolls the page, and never changes a value that one only passed.
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}

const COLOR = /^#[0-9a-f]{6}$/i;

export function Color(props: ControlProps) {
  const { value, onChange, isReadOnly, field } = props;
  const text = typeof value === 'string' ? value : '';
  return (
    <div class="color">
      <input
        type="color"
        class="swatch"
        aria-label={t('field.pick')}
        value={COLOR.test(text) ? text : '#000000'}
        disabled={isReadOnly}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
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
