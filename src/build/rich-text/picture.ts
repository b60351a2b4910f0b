// A picture in a rich text.
import { DEFAULT_WIDTHS, imageHtml } from '../theme/image-html.ts';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml, toAttributes } from '../theme/safe-html.ts';

const SIZES = '(min-width: 48rem) 44rem, 100vw';

/** A picture of the library with its sizes, another one as it is; the text alone if its address is not safe. */
export function pictureHtml(address: string, alt: string, title: string | undefined, page: PageContext): string {
  const found = imageHtml(
    { url: address, alt },
    { alt: alt || undefined, widths: DEFAULT_WIDTHS.join(','), sizes: SIZES },
    page,
  );
  if (found) return title === undefined ? found : found.replace(/>$/, `${toAttributes({ title })}>`);
  const src = page.link(address);
  return src === '#' ? escapeHtml(alt) : `<img${toAttributes({ src, alt, title, loading: 'lazy' })}>`;
}
