/** The id of a control on the screen, which links and problems lead to. `path` is `data.title`. */
export function fieldId(path: string): string {
  return `field-${path}`;
}

/** The path of the field that an address leads to by its `#field-data.title`; undefined without one. */
export function fieldOfHash(hash: string): string | undefined {
  const text = decodeURIComponent(hash.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  return text.startsWith('#field-') ? text.slice('#field-'.length) : undefined;
}
