// What filters and tags of the theme need of the page that is being made (PageContext), over what the whole build shares.
import type { FindText, PageContext } from '../../theme/page-context.ts';
import { findPageImage, type PageImageParts } from './page-images.ts';

export interface ContextParts extends PageImageParts {
  isPreview: boolean;
  absoluteUrl(path: string): string;
  assetUrl(name: string): string | undefined;
  form(name: string): string | undefined;
  search(locale: string, text: FindText): string;
}

export function createPageContext(
  parts: ContextParts,
  { locale, path }: { locale: string; path: string },
): PageContext {
  const { recorder } = parts;
  return {
    locale: locale || 'en',
    path,
    isPreview: parts.isPreview,
    use: (file) => recorder.note(`theme ${file}`),
    assetUrl(name) {
      recorder.note(`theme assets/${name}`);
      return parts.assetUrl(name);
    },
    absoluteUrl: parts.absoluteUrl,
    image: (value, widths) => findPageImage(parts, value, widths),
    link: safeAddress,
    form: parts.form,
    warn: recorder.warn,
    search: (text) => parts.search(locale, text),
  };
}

/** Control characters and spaces that browsers ignore in front of, and inside of, a scheme. */
const IGNORED = /[\u0000-\u0020\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202F\u2060-\u206F\uFEFF]/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SAFE_SCHEME = /^(?:https?|mailto|tel):/i;

/** The address if it is a web, mail or telephone address, or relative; else `#`. */
export function safeAddress(address: string): string {
  const plain = address.replace(IGNORED, '');
  return SCHEME.test(plain) && !SAFE_SCHEME.test(plain) ? '#' : address;
}
