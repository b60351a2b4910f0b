// A box to search in, which says what was typed once one pauses.
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

export interface SearchFieldProps {
  label: string;
  value: string;
  inputRef?: Ref<HTMLInputElement>;
  onSearch(text: string): void;
}

const TYPING_MS = 200;

export function SearchField({ label, value, inputRef, onSearch }: SearchFieldProps) {
  const timer = useRef(0);
  const input = useRef<HTMLInputElement | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The value may change without typing: by Back, and by a button that clears it.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = value;
  }, [value]);
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        ref={(element) => {
          input.current = element;
          if (typeof inputRef === 'object' && inputRef) inputRef.current = element;
        }}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        autocomplete="off"
        defaultValue={value}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(onSearch, TYPING_MS, currentTarget.value) as unknown as number;
        }}
      />
    </div>
  );
}
