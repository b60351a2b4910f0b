// What both views of a rich text field are given: its words, and its source.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Echo } from './echo.ts';
import { isJsonDocument } from './json-document.ts';

export interface RichTextFieldProps {
  id: string;
  /** The name of the text box. */
  label: string;
  /** A Markdown string, a TipTap document, or undefined. */
  value: unknown;
  /** Called soon after each change of the text, and at the latest when the focus leaves or the field is removed. */
  onChange(value: unknown): void;
  isReadOnly?: boolean | undefined;
  /** Ids of its help and its errors. */
  describedBy?: string | undefined;
  isInvalid?: boolean | undefined;
  /** The language of the text, if it is known. */
  locale?: string | undefined;
  /** Whether pictures of what was pasted last are left out of the text. */
  onLeftOut?: ((isSome: boolean) => void) | undefined;
  /** Undefined if files cannot be uploaded. */
  upload?: ((file: File) => Promise<RichTextImage>) | undefined;
  /** Opens the library; resolves to undefined if nothing was chosen. */
  chooseFile?: (() => Promise<RichTextImage | undefined>) | undefined;
}

export interface RichTextImage {
  url: string;
  alt: string;
}

export interface ShownField extends RichTextFieldProps {
  isSource: boolean;
  onSource(): void;
  problem: string;
  say(value: unknown, complaint?: string): void;
  echo: Echo;
}

/** Undefined for a value that is not rich text. */
export function openableKind(value: unknown): 'markdown' | 'json' | undefined {
  if (isJsonDocument(value)) return 'json';
  return value === undefined || value === null || typeof value === 'string' ? 'markdown' : undefined;
}

/** Calls back with a value that another user made. */
export function useNews({ value, echo }: ShownField, onNews: (value: unknown) => void): void {
  const seen = useRef(value);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    if (echo.isNews(value)) onNews(value);
  }, [value]);
}

export function toolbarOf({ id, label, onSource }: ShownField) {
  return { label, controls: id, onSource, onLink: () => undefined, onImage: undefined };
}

export function Problem({ text, children }: { text: string; children?: ComponentChildren }) {
  if (text === '') return null;
  return (
    <div role="alert" class="problem">
      {text}
      {children}
    </div>
  );
}
