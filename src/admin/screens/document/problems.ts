// What is wrong with a document, for the list above the form and for the fields. Pure.
import type { Problem } from '../../api/client.ts';
import { type CollectionInfo, labelOf } from '../../config/manifest.ts';

export interface FieldProblem {
  /** `data.sections.2.text` */
  path: string;
  /** "Sections 3: expected text" is said of an item. */
  text: string;
  message: string;
}

/** The service names values as `data.items[2].name` or `data.items.2.name`. */
export function toProblems(details: readonly Problem[], { fields }: CollectionInfo): FieldProblem[] {
  return details.map(({ path: given, message }) => {
    const path = given.replace(/\[(\d+)\]/g, '.$1');
    const [, name = '', index] = path.split('.');
    const field = path.startsWith('data.') ? fields.find((one) => one.name === name) : undefined;
    const label = field ? labelOf(field) : path;
    const place = index !== undefined && /^\d+$/.test(index) ? `${label} ${Number(index) + 1}` : label;
    return { path, message: sentence(message), text: `${place}: ${message}` };
  });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
