// `<img>` with the sizes of a picture that the build makes, its width and height, so that the page does not move when it
// arrives.
import type { PageContext } from './page-context.ts';
import { toAttributes, toText } from './safe-html.ts';

/** For a picture as wide as the text on a phone and on a large screen. */
export const DEFAULT_WIDTHS = [400, 800, 1200, 1600];

/** Named arguments: `alt`, `widths`, `sizes`, `class`, `loading`, `priority`. Empty if it is not a picture. */
export function imageHtml(value: unknown, named: Record<string, unknown>, page: PageContext): string {
  const found = page.image(value, toWidths(named.widths));
  if (!found) return '';
  const isFirst = named.priority === true || named.loading === 'eager';
  return `<img${toAttributes({
    src: page.link(found.src),
    srcset: found.sources.length > 1 ? found.sources.map(({ src, width }) => `${src} ${width}w`).join(', ') : undefined,
    sizes: found.sources.length > 1 ? toText(named.sizes) || '100vw' : undefined,
    width: found.width,
    height: found.height,
    alt: toText(named.alt ?? found.alt),
    class: toText(named.class) || undefined,
    loading: isFirst ? 'eager' : toText(named.loading) || 'lazy',
    fetchpriority: named.priority === true ? 'high' : undefined,
    decoding: 'async',
  })}>`;
}

function toWidths(value: unknown): number[] {
  const widths = toText(value)
    .split(',')
    .map(Number)
    .filter((width) => Number.isInteger(width) && width > 0);
  return widths.length > 0 ? widths : DEFAULT_WIDTHS;
}
