// `document.fields`: every field of a document in schema order without its title, for layouts that know no collection.
import type { FieldConfig } from '../../../config/site-config.ts';
import { toLabel } from '../../../schema/label.ts';
import { Drop } from '../../theme/drop.ts';

export interface FieldParts {
  field: FieldConfig;
  /** Resolves relations when it is called, so that each page notes its own. */
  valueOf(): unknown;
  /** The value as safe HTML by its type, for the page that is being made. */
  render(field: FieldConfig, value: unknown): unknown;
}

export class FieldDrop extends Drop {
  readonly #parts: FieldParts;

  constructor(parts: FieldParts) {
    super();
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.field.name;
  }

  get label(): string {
    const { name, label } = this.#parts.field;
    return label ?? toLabel(name);
  }

  get type(): string {
    return this.#parts.field.type;
  }

  get value(): unknown {
    return this.#parts.valueOf();
  }

  get html(): unknown {
    return this.#parts.render(this.#parts.field, this.#parts.valueOf());
  }
}
