// `{% language_switch %}`: links to the same page in the other languages of the site, each in its own name.
import { isObject } from '../../lib/json.ts';
import { escapeHtml, toAttributes, toText } from './safe-html.ts';

type Values = Record<string, unknown>;

const names = new Map<string, string>();

/** Named arguments: `class`, `label`. Empty if the page exists in one language only. */
export function languageLinks(scope: Values, named: Values): string {
  const page = isObject(scope.page) ? scope.page : {};
  const alternates = Array.isArray(page.alternates) ? page.alternates : [];
  if (alternates.length < 2) return '';
  const items = alternates.map((one) => {
    const locale = toText(one.locale);
    const isCurrent = locale === toText(page.locale);
    const attributes = {
      href: toText(one.url),
      lang: locale,
      hreflang: locale,
      'aria-current': isCurrent ? 'true' : undefined,
    };
    return `<li><a${toAttributes(attributes)}>${escapeHtml(nameOf(locale))}</a></li>`;
  });
  const list = `<ul>${items.join('')}</ul>`;
  return `<nav${toAttributes({ class: toText(named.class) || 'languages', 'aria-label': toText(named.label) || 'Languages' })}>${list}</nav>`;
}

/** A language's own name: `Deutsch`, `Dansk`. */
function nameOf(locale: string): string {
  const known = names.get(locale);
  if (known !== undefined) return known;
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  const shown = name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  names.set(locale, shown);
  return shown;
}
