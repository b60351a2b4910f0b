// The shape of form definitions (interface.md, "Form definition"); the form engine works with these types.
import { z } from 'zod';
import { ConfigName, Count, FieldName, HttpUrl, Text } from './scalars.ts';

export const FORM_FIELD_TYPES = [
  'text',
  'email',
  'textarea',
  'select',
  'checkbox',
  'number',
  'phone',
  'url',
  'date',
  'hidden',
] as const;

const FormFieldSchema = z.strictObject({
  name: FieldName,
  label: Text.optional(),
  type: z.enum(FORM_FIELD_TYPES),
  required: z.boolean().optional(),
  placeholder: z.string().optional(),
  defaultValue: z.union([z.string(), z.number(), z.boolean()]).optional(),
  options: z.array(z.strictObject({ label: z.string(), value: z.string() })).optional(),
  validation: z
    .strictObject({
      pattern: z.string().max(1000).optional(),
      minLength: Count.optional(),
      maxLength: Count.optional(),
    })
    .optional(),
});

export const FormSchema = z.strictObject({
  name: ConfigName,
  label: Text.optional(),
  fields: z.array(FormFieldSchema).min(1),
  successMessage: z.string().optional(),
  successRedirect: z
    .string()
    .regex(/^(https?:\/\/[^\s/]|\/(?![/\\]))\S*$/i, 'expected an http or https URL, or a path that starts with "/"')
    .or(z.literal('/'))
    .optional(),
  notifications: z.strictObject({ email: z.array(z.email()).optional(), webhook: HttpUrl.optional() }).optional(),
  spam: z
    .strictObject({
      honeypot: z.boolean().default(true),
      /** Submissions per address and hour. */
      rateLimit: z.int().min(1).default(5),
      /** Cloudflare Turnstile. The secret itself is never in the configuration: `secretEnv` names its variable. */
      turnstile: z
        .union([
          z.boolean(),
          z.strictObject({ siteKey: Text, secretEnv: Text.optional(), verifyUrl: HttpUrl.optional() }),
        ])
        .optional(),
    })
    .prefault({}),
});

export type FormFieldType = (typeof FORM_FIELD_TYPES)[number];

/** What an author writes. */
export type FormConfigInput = z.input<typeof FormSchema>;

export type FormConfig = z.output<typeof FormSchema>;
export type FormFieldConfig = z.output<typeof FormFieldSchema>;
