// A page of the help: text that is drawn as it is, without a word of HTML. The build reads the pages from `content/help`.

export type HelpText =
  | string
  /** `strong` is a name on the screen. */
  | { kind: 'strong' | 'em'; content: readonly HelpText[] }
  | { kind: 'key'; text: string }
  /** To another page, by its slug. */
  | { kind: 'link'; page: string; content: readonly HelpText[] };

export type HelpBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; content: readonly HelpText[] }
  | { kind: 'list'; isOrdered: boolean; items: readonly (readonly HelpText[])[] };

export interface HelpPage {
  slug: string;
  title: string;
  summary: string;
  blocks: readonly HelpBlock[];
}
