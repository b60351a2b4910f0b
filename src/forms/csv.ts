// Submissions as CSV (RFC 4180), for spreadsheets. A stream in bounded memory, however many there are.
import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Submission } from './submission.ts';

const OWN_COLUMNS = ['id', 'status', 'createdAt', 'readAt'] as const;

export interface CsvOptions {
  /** The columns behind our own four, in order. */
  fields: readonly string[];
  /** A byte order mark in front: Excel takes the text for another encoding without one. */
  bom?: boolean;
}

/**
 * One line for the columns' names and one for each submission. A cell that a spreadsheet would run as a formula gets an
 * apostrophe in front, a negative number too; what has no value is empty.
 */
export function toCsv(submissions: AsyncIterable<Submission>, { fields, bom = false }: CsvOptions): Readable {
  // With lines that end in CRLF the library does not see that a single CR or LF needs quotes.
  const lines = stringify({ record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true, bom });
  async function* rows(): AsyncGenerator<string[]> {
    yield [...OWN_COLUMNS, ...fields];
    for await (const { id, status, createdAt, readAt = '', data } of submissions) {
      // As text, or the library would pass over numbers.
      yield [id, status, createdAt, readAt, ...fields.map((field) => toCell(data, field))];
    }
  }
  // Either side that breaks ends the other; whoever reads the lines hears of it there.
  return pipeline(Readable.from(rows()), lines, () => undefined);
}

function toCell(data: Submission['data'], field: string): string {
  return Object.hasOwn(data, field) ? String(data[field]) : '';
}
