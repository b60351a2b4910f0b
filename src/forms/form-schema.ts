// What a page needs to show a form. It must not reveal who is notified of submissions, nor more about spam protection
// than the page needs.
import { z } from 'zod';
import { FORM_FIELD_TYPES, type FormConfig } from '../config/form-config.ts';

export const FormSchemaShape = z
  .object({
    name: z.string(),
    label: z.string(),
    fields: z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        type: z.enum(FORM_FIELD_TYPES),
        required: z.boolean(),
        placeholder: z.string().optional(),
        defaultValue: z.union([z.string(), z.number(), z.boolean()]).optional(),
        options: z.array(z.object({ label: z.string(), value: z.string() })).optional(),
        validation: z
          .object({
            pattern: z.string().optional(),
            minLength: z.int().optional(),
            maxLength: z.int().optional(),
          })
          .optional(),
      }),
    ),
    successMessage: z.string(),
    /** True if `_hp_email` must be sent empty or not at all. */
    honeypot: z.boolean(),
    /** For Cloudflare Turnstile; its token is sent as `cf-turnstile-response`. */
    turnstile: z.object({ siteKey: z.string() }).nullable(),
  })
  .meta({ id: 'FormSchema' });

export type FormSchema = z.output<typeof FormSchemaShape>;

export function toFormSchema(form: FormConfig, successMessage: string, siteKey: string | undefined): FormSchema {
  return FormSchemaShape.parse({
    name: form.name,
    label: form.label ?? form.name,
    fields: form.fields.map((field) => ({
      ...field,
      label: field.label ?? field.name,
      required: field.required ?? false,
    })),
    successMessage,
    honeypot: form.spam.honeypot,
    turnstile: siteKey === undefined ? null : { siteKey },
  });
}
