// The rules of form definitions, on which the public form endpoint relies when it renders and checks a submission.
import type { FormConfig, FormFieldConfig } from './form-config.ts';
import { checkUnique, type ReportProblem } from './unique.ts';

/** Fields that the form engine itself sends: the honeypot and the answer to a Turnstile challenge. */
const RESERVED_FIELDS = new Set(['_hp_email', 'cf-turnstile-response']);

export function checkFormRules(forms: readonly FormConfig[], report: ReportProblem): void {
  checkUnique(forms, 'forms', report);
  forms.forEach((form, formIndex) => {
    const path = `forms.${formIndex}.fields`;
    checkUnique(form.fields, path, report);
    form.fields.forEach((field, index) => {
      checkFormField(field, `${path}.${index}`, report);
    });
  });
}

function checkFormField(field: FormFieldConfig, at: string, report: ReportProblem): void {
  const { name } = field;
  if (RESERVED_FIELDS.has(name) || name in Object.prototype || name === 'prototype') {
    report(`${at}.name`, `"${name}" is a reserved name`);
  }
  const values = (field.options ?? []).map((option) => option.value);
  if (field.type === 'select' && values.length === 0) report(`${at}.options`, 'a select needs at least one option');
  values.forEach((value, index) => {
    if (values.indexOf(value) !== index) report(`${at}.options.${index}`, `the option "${value}" is listed twice`);
  });
  const { pattern, minLength, maxLength } = field.validation ?? {};
  if (pattern !== undefined && !isPattern(pattern)) {
    report(`${at}.validation.pattern`, 'this is not a regular expression');
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    report(`${at}.validation.minLength`, `minLength ${minLength} is greater than maxLength ${maxLength}`);
  }
  if (field.defaultValue !== undefined && !fits(field, field.defaultValue)) {
    report(`${at}.defaultValue`, `this is not a value of a ${field.type} field`);
  }
}

/** Returns true if the pattern compiles, as it is and between the anchors of a whole-value match. */
function isPattern(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern) && new RegExp(`^(?:${pattern})$`));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function fits(field: FormFieldConfig, value: string | number | boolean): boolean {
  if (field.type === 'hidden') return true;
  if (field.type === 'checkbox') return typeof value === 'boolean';
  if (field.type === 'number') return typeof value === 'number' || (value !== '' && Number.isFinite(Number(value)));
  if (field.type === 'select') return (field.options ?? []).some((option) => option.value === value);
  return typeof value === 'string';
}
