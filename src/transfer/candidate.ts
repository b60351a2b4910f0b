// A file on its way to becoming a document, and what is known of the site that it goes to. Types, and what a key means.
import type { ImportInput } from '../content/commands.ts';
import type { Problem, ServiceError } from '../lib/errors.ts';

/** The part of a site's configuration that import and export read. */
export interface TransferConfig {
  collections: readonly TransferCollection[];
  locales: readonly string[];
  defaultLocale?: string | undefined;
}

export interface TransferCollection {
  name: string;
  fields: readonly { name: string; type: string }[];
}

export interface Candidate {
  file: string;
  collection: string;
  input: ImportInput;
  /** True if the slug was made from the path; a slug that the file names itself is never changed. */
  isSlugFromPath: boolean;
  /** True if the locale was read from the path. */
  isLocaleFromPath: boolean;
}

/** Why a file was not imported; `field` if one field is the cause. */
export interface FileProblem {
  file: string;
  field?: string;
  message: string;
}

export function hasField(collection: TransferCollection, name: string): boolean {
  return collection.fields.some((field) => field.name === name);
}

/** The field that gets the text of a Markdown file. */
export function findTextField(collection: TransferCollection): string | undefined {
  return collection.fields.find((field) => field.type === 'richtext')?.name;
}

/** A refusal as problems of a file, one for each field. */
export function toFileProblems(file: string, refusal: ServiceError): FileProblem[] {
  if (!refusal.details?.length) return [{ file, message: refusal.message }];
  return refusal.details.map((problem) => toFileProblem(file, problem));
}

/** Names fields as the author of the file does: `title`, not `data.title`. */
export function toFileProblem(file: string, { path, message }: Problem): FileProblem {
  const field = path.replace(/^data\./, '');
  return field ? { file, field, message } : { file, message };
}
