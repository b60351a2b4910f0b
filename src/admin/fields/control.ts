// What every control of a field gets, and what all controls of a form share.
import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldInfo, Manifest } from '../config/manifest.ts';

export interface ControlProps {
  field: FieldInfo;
  /** The id of the element that has the field's name: an input, or the group around several. */
  id: string;
  /** The accessible name. */
  label: string;
  /** The place of the value: `data.sections.2.text`. */
  path: string;
  /** Undefined and null are no value. */
  value: unknown;
  onChange(value: unknown): void;
  isReadOnly: boolean;
  describedBy: string | undefined;
  isInvalid: boolean;
}

/** A file of the library, or a new one. */
export interface FieldFile {
  url: string;
  alt: string;
}

export interface FormParts {
  manifest: Manifest;
  collection: string;
  locale: string | undefined;
  /** What is wrong, by the path of the value. */
  problems: ReadonlySignal<ReadonlyMap<string, string>>;
  /** The value that a link of the list of problems leads to: whatever hides it opens. */
  wanted: ReadonlySignal<string | undefined>;
  /** Read out to people who do not see what moved. */
  announce(text: string): void;
  /** Undefined if the person may not upload. */
  upload: ((file: File) => Promise<FieldFile>) | undefined;
  chooseFile: ((kind: string) => Promise<FieldFile | undefined>) | undefined;
}

const none: FormParts = {
  manifest: { collections: [], blocks: [], forms: [], defaultLocale: null, locales: [] },
  collection: '',
  locale: undefined,
  problems: signal(new Map()),
  wanted: signal(undefined),
  announce: () => undefined,
  upload: undefined,
  chooseFile: undefined,
};

export const FormContext = createContext<FormParts>(none);

export function useForm(): FormParts {
  return useContext(FormContext);
}

/** The attributes of the element that has the field's name; its text begins on the side of its own letters. */
export function named({
  id,
  describedBy,
  isInvalid,
  field,
}: Pick<ControlProps, 'id' | 'describedBy' | 'isInvalid' | 'field'>) {
  return {
    id,
    dir: 'auto' as const,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid ? ('true' as const) : undefined,
    // A draft may leave it out, so the browser is not asked to insist.
    'aria-required': field.required ? ('true' as const) : undefined,
  };
}
