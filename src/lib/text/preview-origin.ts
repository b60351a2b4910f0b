/** The origin of the frontend's pages, of a site's `previewSiteUrl`; undefined while that is not set. */
export function previewOrigin(template: string): string | undefined {
  const origin = URL.parse(template)?.origin;
  return origin === 'null' ? undefined : origin;
}
