// A document's place in the lists of its collection, which stays the same while its rows replace each other.
import type { Row } from './row.ts';

/** What decides which lists a document is in. */
export type Filed = Pick<Row, 'status' | 'locale'>;

/**
 * A document's place in the orders. Rows replace each other in it, so that a change costs nothing in those orders whose
 * value it leaves alone. A place that moves is taken out before its row is replaced, and put in again after.
 */
export interface RowPlace extends Filed {
  row: Row;
}

export function createPlace(row: Row): RowPlace {
  return new HeldPlace(row);
}

class HeldPlace implements RowPlace {
  row: Row;

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
