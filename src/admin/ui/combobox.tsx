// A text box with suggestions (ARIA Authoring Practices, "Combobox with list autocomplete").
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../text/translate.ts';

export interface Suggestion {
  value: string;
  label: string;
  /** Beside the label, such as the status of a document. */
  note?: string | undefined;
}

export interface ComboboxProps {
  id?: string;
  label: string;
  placeholder?: string | undefined;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  /** Asked a moment after each key; the last question wins. */
  suggest(query: string, signal: AbortSignal): Promise<readonly Suggestion[]>;
  onChoose(value: string): void;
  /** Takes what was typed by Enter or a comma; undefined if only suggestions can be chosen. */
  onTyped?: ((text: string) => void) | undefined;
  /** Backspace in an empty box. */
  onBack?: (() => void) | undefined;
  children?: ComponentChildren;
}

const SUGGEST_AFTER_MS = 120;

export function Combobox(props: ComboboxProps) {
  const own = useId();
  const id = props.id ?? own;
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [options, setOptions] = useState<readonly Suggestion[]>();
  const [at, setAt] = useState(-1);
  const suggest = useRef(props.suggest);
  suggest.current = props.suggest;

  useEffect(() => {
    if (!isOpen) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const found = await suggest.current(text, abort.signal);
        if (abort.signal.aborted) return;
        setOptions(found);
        setAt(-1);
      } catch {
        // Suggestions are a help: without them the user types the whole.
        if (!abort.signal.aborted) setOptions([]);
      }
    }, SUGGEST_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, isOpen]);

  /** An open list would lie over what is below the box, and a click into that would choose from it. */
  function clear(): void {
    setText('');
    setOpen(false);
    setOptions(undefined);
  }

  function choose(value: string): void {
    clear();
    props.onChoose(value);
  }

  function takeTyped(): void {
    const typed = text.trim();
    clear();
    if (typed !== '') props.onTyped?.(typed);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const count = options?.length ?? 0;
    const chosen = options?.[at];
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (event.altKey) return;
      if (!isOpen) setOpen(true);
      else if (count > 0) setAt(event.key === 'ArrowDown' ? (at + 1) % count : at <= 0 ? count - 1 : at - 1);
    } else if (event.key === 'Enter') {
      if (chosen && isOpen) choose(chosen.value);
      else if (props.onTyped && text !== '') takeTyped();
      else return;
    } else if (event.key === ',' && props.onTyped && text.trim() !== '') takeTyped();
    else if (event.key === 'Escape' && isOpen) setOpen(false);
    else if (event.key === 'Backspace' && text === '' && props.onBack) props.onBack();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="combobox">
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        dir="auto"
        aria-label={props.label}
        aria-expanded={isOpen && options !== undefined}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid ? 'true' : undefined}
        placeholder={props.placeholder}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget }) => {
          if (props.onTyped) takeTyped();
          // Text that stays looks like a value. While another window has the focus, the typing is not over.
          else if (document.activeElement === currentTarget) setOpen(false);
          else clear();
        }}
      />
      {/* The text box has the focus and the keys; the options are only pointed at. */}
      <div
        role="listbox"
        tabIndex={-1}
        id={`${id}-list`}
        aria-label={t('combobox.list')}
        class="suggestions"
        hidden={!isOpen || !options}
      >
        {options?.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the text box chooses it
          <div
            key={option.value}
            role="option"
            tabIndex={-1}
            id={`${id}-${index}`}
            aria-selected={index === at}
            // The box keeps the focus, or its loss would close the list before the click arrives.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(option.value)}
          >
            {option.label}
            {option.note && <span class="help"> {option.note}</span>}
          </div>
        ))}
        {options?.length === 0 && (
          <div role="option" tabIndex={-1} aria-selected={false} aria-disabled="true" class="help">
            {t('combobox.none')}
          </div>
        )}
      </div>
    </div>
  );
}
