// How a rich text is rendered.

export interface RichTextOptions {
  /** Added to the levels of headings, which end at 6. If absent, the text's highest heading becomes level 2. */
  shift?: number | undefined;
}
