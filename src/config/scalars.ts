// The scalar values that the configuration is made of.
import { z } from 'zod';

/** Part of every URL and of every path in the content repository. */
export const CollectionName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'expected lower-case letters and digits, with "-" between them');

/** Forms, blocks and build profiles: part of URLs and of file names. */
export const ConfigName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'expected letters, digits, "-" and "_"');

/**
 * A key of `data`: letters of any script, so that authors can name fields in their language; never starts with a digit.
 */
export const FieldName = z
  .string()
  .max(100)
  .regex(/^[\p{L}_$][\p{L}\p{N}_$-]*$/u, 'expected a letter or "_", then letters, digits, "_" or "-"');

export const Text = z.string().min(1);
export const Count = z.int().min(0);
export const HttpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });

/** An origin as browsers send it: scheme, host and port. Apps have schemes of their own: `capacitor://localhost`. */
export const Origin = z
  .string()
  .max(300)
  .refine((text) => {
    const url = URL.parse(text);
    if (url === null) return false;
    return /^https?:$/.test(url.protocol) ? url.origin === text : /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:-]+$/.test(text);
  }, 'expected an origin such as https://www.example.com, without a path');
