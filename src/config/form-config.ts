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
  name: FieldName.describe('The key of the value in a submission, such as `email`.'),
  label: Text.optional().describe('What visitors read; the name if absent.'),
  type: z.enum(FORM_FIELD_TYPES).describe('The kind of input, and what is checked of its value.'),
  required: z.boolean().optional().describe('Whether a submission must have a value. `false` if absent.'),
  placeholder: z.string().optional().describe('What an empty input shows.'),
  defaultValue: z
    .union([z.string(), z.number(), z.boolean()])
    .optional()
    .describe('The value that the input begins with; a `hidden` field with one always has it.'),
  options: z
    .array(
      z.strictObject({
        label: z.string().describe('What visitors read.'),
        value: z.string().describe('What a submission holds.'),
      }),
    )
    .optional()
    .describe('The choices of a `select`, which needs at least one.'),
  validation: z
    .strictObject({
      pattern: z
        .string()
        .max(1000)
        .optional()
        .describe('A regular expression that must match the whole value: `[0-9]{5}`.'),
      minLength: Count.optional().describe('The least number of characters.'),
      maxLength: Count.optional().describe('The greatest number of characters.'),
    })
    .optional()
    .describe('What else is checked of a value.'),
});

export const FormSchema = z.strictObject({
  name: ConfigName.describe('The form’s part of addresses, `/api/forms/contact`, and of its submissions’ folder.'),
  label: Text.optional().describe('The heading of the form; the name if absent.'),
  fields: z.array(FormFieldSchema).min(1).describe('The inputs of the form, at least one.'),
  successMessage: z
    .string()
    .optional()
    .describe('What a visitor reads after sending; `Thank you. Your message has been sent.` if absent.'),
  successRedirect: z
    .string()
    .regex(/^(https?:\/\/[^\s/]|\/(?![/\\]))\S*$/i, 'expected an http or https URL, or a path that starts with "/"')
    .or(z.literal('/'))
    .optional()
    .describe(
      'Where a browser goes after it sent the form without a script: `/thanks`; it shows the message if absent.',
    ),
  notifications: z
    .strictObject({
      email: z.array(z.email()).optional().describe('The addresses that get a mail.'),
      webhook: HttpUrl.optional().describe('The address that gets the whole submission as JSON by POST.'),
    })
    .optional()
    .describe('Who hears of each submission; nobody if absent.'),
  spam: z
    .strictObject({
      honeypot: z
        .boolean()
        .default(true)
        .describe('Adds an input that people do not see; what fills it in is dropped without a word.'),
      rateLimit: z.int().min(1).default(5).describe('The most submissions per address and hour.'),
      turnstile: z
        .union([
          z.boolean(),
          z.strictObject({
            siteKey: Text.describe('The public key of the widget.'),
            secretEnv: Text.optional().describe(
              'Name of the environment variable with the secret, never the secret; `TURNSTILE_SECRET_KEY` if absent.',
            ),
            verifyUrl: HttpUrl.optional().describe('Where answers are verified; at Cloudflare if absent.'),
          }),
        ])
        .optional()
        .describe('Cloudflare Turnstile; `true` takes its keys from `TURNSTILE_SITE_KEY` and `TURNSTILE_SECRET_KEY`.'),
    })
    .prefault({})
    .describe('What keeps programs from sending the form.'),
});

export type FormFieldType = (typeof FORM_FIELD_TYPES)[number];

/** What an author writes. */
export type FormConfigInput = z.input<typeof FormSchema>;

export type FormConfig = z.output<typeof FormSchema>;
export type FormFieldConfig = z.output<typeof FormFieldSchema>;
