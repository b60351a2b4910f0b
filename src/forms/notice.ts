// The mail that reports a submission: its fields by their labels. No sent value gets into a header except the address
// to reply to, and only if it passed the form's own check.
import type { FormConfig } from '../config/form-config.ts';
import { html } from '../lib/text/markup.ts';
import type { Submission, SubmissionValue } from './submission.ts';

export interface Notice {
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
}

/** `form` is undefined if the configuration no longer has it. */
export function toNotice(form: FormConfig | undefined, { form: name, id, data, createdAt }: Submission): Notice {
  const label = form?.label ?? name;
  const rows = Object.entries(data).map(([key, value]) => {
    const field = form?.fields.find((one) => one.name === key);
    const option = field?.options?.find((one) => one.value === value);
    return { label: field?.label ?? key, text: option?.label ?? toText(value) };
  });
  const about = `Submission ${id} of ${label}, received ${createdAt}`;
  const text = rows.map((row) =>
    row.text.includes('\n') ? `${row.label}:\n${row.text}` : `${row.label}: ${row.text}`,
  );
  const replyTo = form?.fields.flatMap(({ name: key, type }) => (type === 'email' ? (data[key] ?? []) : []))[0];
  return {
    subject: `New submission: ${label}`,
    text: `${text.join('\n\n')}\n\n-- \n${about}\n`,
    html: html`<!doctype html>
<table cellpadding="6">
${rows.map(
  (row) => html`<tr><th align="left" valign="top">${row.label}</th><td>${toLines(row.text)}</td></tr>
`,
)}</table>
<p><small>${about}</small></p>
`.markup,
    ...(typeof replyTo === 'string' ? { replyTo } : {}),
  };
}

function toText(value: SubmissionValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function toLines(text: string) {
  return text.split('\n').map((line, i) => (i === 0 ? line : html`<br>${line}`));
}
