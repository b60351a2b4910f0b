// Markup that is printed as it is. Everything else that a template prints is escaped; only the filters and tags of this
// folder make such values, out of text that they have escaped or sanitised.

export class SafeHtml {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  /** LiquidJS's own filters see text, whose result is escaped again. */
  toString(): string {
    return this.html;
  }

  // LiquidJS compares through these: `{% if field.html != '' %}`.
  equals(other: unknown): boolean {
    return toText(other) === this.html;
  }

  gt(other: unknown): boolean {
    return this.html > toText(other);
  }

  geq(other: unknown): boolean {
    return this.html >= toText(other);
  }

  lt(other: unknown): boolean {
    return this.html < toText(other);
  }

  leq(other: unknown): boolean {
    return this.html <= toText(other);
  }
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const SPECIAL = /[&<>"']/;
const SPECIALS = /[&<>"']/g;

export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (character) => ESCAPES[character]!) : text;
}

/** For `outputEscape` of LiquidJS. */
export function toOutput(value: unknown): string {
  if (value instanceof SafeHtml) return value.html;
  return escapeHtml(toText(value));
}

/** The text of a value; lists are joined by commas, objects have none. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof SafeHtml) return value.html;
  if (Array.isArray(value)) return value.map(toText).join(', ');
  if (typeof value === 'object') return 'title' in value ? toText(value.title) : '';
  return String(value);
}

/** ` name="value"` for each attribute that has a value; true prints the name alone. */
export function toAttributes(values: Record<string, string | number | boolean | undefined>): string {
  let text = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === false) continue;
    text += value === true ? ` ${name}` : ` ${name}="${escapeHtml(`${value}`)}"`;
  }
  return text;
}
