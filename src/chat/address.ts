// Which addresses an answer may contain: those of the site itself. Any other could carry what the model has read to a
// foreign host, an image without a click.

export interface OwnAddresses {
  /** Whether a whole address leads to this site. */
  isOwn(address: string): boolean;
  /**
   * Whether the destination of a Markdown link does: an own address, a path, or a place on the page. A path with "www."
   * in it does not: if what stands before turns out to be no link, renderers make a link of that part.
   */
  isOwnDestination(destination: string): boolean;
}

/** No backslash, entity or second slash in front: nothing that a renderer could read as the name of a host. */
const PLAIN_PATH = /^(?:[/?#]|\.{1,2}\/)(?![/\\])[^\s\\<>"'`&:]*(?:&(?![#\w]+;)[^\s\\<>"'`&:]*)*$/;
const PLAIN_ADDRESS = /^https?:\/\/[^\s\\<>"'`@]+$/i;

/** `own` are addresses of the site, such as `https://example.org/preview`; any other text is left out. */
export function createOwnAddresses(own: readonly (string | undefined)[]): OwnAddresses {
  const origins = new Set(
    own.flatMap((address) => (address && URL.canParse(address) ? [new URL(address).origin] : [])),
  );
  origins.delete('null');
  const isOwn = (address: string): boolean =>
    PLAIN_ADDRESS.test(address) && URL.canParse(address) && origins.has(new URL(address).origin);
  return {
    isOwn,
    isOwnDestination: (destination) =>
      isOwn(destination) ? !/&[#\w]+;/.test(destination) : PLAIN_PATH.test(destination) && !/www\./i.test(destination),
  };
}

/** What stands in place of a foreign address: the host, so that people know, in a form that nothing makes a link of. */
export function toRemoved(address: string): string {
  const host = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]*(?:[^/\\?#\s]*@)?((?:[a-z0-9-]{1,30}\.){0,3}[a-z0-9-]{1,30})/i.exec(
    address,
  )?.[1];
  // Labels in front of the last two can carry data as well.
  const shown = host?.split('.').slice(-2).join('[.]');
  return shown?.includes('[.]') ? `(link to ${shown} removed)` : '(link removed)';
}
