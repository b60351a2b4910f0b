// The rules of `ui`: each name in it is a field, or a key that every document has.
import { didYouMean } from '../lib/text/nearest.ts';
import type { CollectionConfig, FieldConfig } from './site-config.ts';
import type { ReportProblem } from './unique.ts';

const DOCUMENT_KEYS = [
  'id',
  'slug',
  'status',
  'locale',
  'translationOf',
  'publishAt',
  'unpublishAt',
  'createdAt',
  'updatedAt',
];

export function checkCollectionUi({ ui, fields }: CollectionConfig, at: string, report: ReportProblem): void {
  if (!ui) return;
  const names = fields.map(({ name }) => name);
  const keys = [...names, ...DOCUMENT_KEYS];
  checkName(ui.titleField, names, `${at}.ui.titleField`, report);
  ui.columns?.forEach((name, index) => {
    checkName(name, keys, `${at}.ui.columns.${index}`, report);
  });
  if (typeof ui.sort === 'object') checkName(ui.sort.orderBy, keys, `${at}.ui.sort.orderBy`, report);
  else checkName(ui.sort?.replace(/^-/, ''), keys, `${at}.ui.sort`, report);
}

/** `beside` are the fields of the same collection, object or block. */
export function checkFieldUi(
  { name, ui }: FieldConfig,
  beside: readonly FieldConfig[],
  at: string,
  report: ReportProblem,
): void {
  const { showIf } = ui ?? {};
  if (showIf === undefined) return;
  const path = `${at}.ui.showIf${typeof showIf === 'object' ? '.field' : ''}`;
  const field = typeof showIf === 'object' ? showIf.field : showIf;
  if (field === name) report(path, 'a field cannot depend on itself');
  const names = beside.map((other) => other.name);
  checkName(field, names, path, report);
}

function checkName(name: string | undefined, known: readonly string[], at: string, report: ReportProblem): void {
  if (name === undefined || known.includes(name)) return;
  report(at, `there is no field "${name}"${didYouMean(name, known)}`);
}
