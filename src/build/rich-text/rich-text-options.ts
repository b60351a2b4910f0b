// How a rich text is rendered.

export interface RichTextOptions {
  /** Added to the levels of headings, which end at 6. */
  shift: number;
}
