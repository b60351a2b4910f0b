// A document's place in the lists of its collection. It stays the same object while the document's rows replace each
// other.
import type { Row } from './row.ts';

/** The keys that decide which lists a document is in. */
export type Filed = Pick<Row, 'status' | 'locale'>;

/**
 * A document's place in the orders. Rows replace each other in it, so that a change costs nothing in the orders whose
 * sort value it does not touch. A place that moves is removed before its row is replaced, and added again afterwards.
 */
export interface RowPlace extends Filed {
  row: Row;
  /** Its number in the collection (slots.ts), once its row is awake. */
  slot: number;
}

export function createPlace(row: Row): RowPlace {
  return new HeldPlace(row);
}

class HeldPlace implements RowPlace {
  row: Row;
  slot = -1;

  constructor(row: Row) {
    this.row = row;
  }

  get status() {
    return this.row.status;
  }

  get locale() {
    return this.row.locale;
  }
}
