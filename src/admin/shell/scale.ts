// The size of everything: the user's zoom, as the root's font size, which every length of the styles is a part of. Pure.

/** Beyond these a page could not be used to choose another. */
export const SCALE = { min: 50, max: 300 } as const;

/** `zoom` is percent; programs may have set any. */
export function toFontSize(zoom: number): string {
  return zoom === 100 ? '' : `${Math.min(SCALE.max, Math.max(SCALE.min, zoom))}%`;
}
