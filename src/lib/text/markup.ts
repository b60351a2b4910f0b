// HTML that inserted values cannot break: text and attributes are escaped unless they are markup already.

export interface Markup {
  readonly markup: string;
}

type MarkupPiece = Markup | string | number | undefined | false | readonly MarkupPiece[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

function toMarkup(piece: MarkupPiece): string {
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece));
  return 'markup' in piece ? piece.markup : piece.map(toMarkup).join('');
}

/** Strings are escaped, undefined and `false` are left out, arrays are joined. */
export function html(strings: TemplateStringsArray, ...pieces: MarkupPiece[]): Markup {
  return { markup: strings.reduce((text, next, index) => text + toMarkup(pieces[index - 1]) + next) };
}

/** ` name="value"` for each: `true` is a bare name, undefined and `false` leave the attribute out. */
export function attributes(values: Record<string, string | number | boolean | undefined>): Markup {
  const written = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return '';
    return value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`;
  });
  return { markup: written.join('') };
}
