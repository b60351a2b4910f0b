// Submissions as CSV (RFC 4180), for spreadsheets. A stream in bounded memory, whatever the number of submissions.
import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Submission } from './submission.ts';

const OWN_COLUMNS = ['id', 'status', 'createdAt', 'readAt'] as const;

export interface CsvOptions {
  /** The columns after our own four, in order. */
  fields: readonly string[];
  /** Whether to begin with a byte order mark: without one, Excel assumes another encoding. */
  bom?: boolean;
}

/**
 * One line for the column names and one for each submission. A cell that a spreadsheet would run as a formula is
 * prefixed with an apostrophe, even a negative number; a missing value is an empty cell.
 */
export function toCsv(submissions: AsyncIterable<Submission>, { fields, bom = false }: CsvOptions): Readable {
  // With CRLF as line end the library does not quote cells that contain a single CR or LF.
  const lines = stringify({ record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true, bom });
  async function* rows(): AsyncGenerator<string[]> {
    yield [...OWN_COLUMNS, ...fields];
    for await (const { id, status, createdAt, readAt = '', data } of submissions) {
      // As text, because the library does not escape numbers.
      yield [id, status, createdAt, readAt, ...fields.map((field) => toCell(data, field))];
    }
  }
  // An error on either side ends the other; the reader of `lines` gets it, so the callback has nothing to do.
  return pipeline(Readable.from(rows()), lines, () => undefined);
}

function toCell(data: Submission['data'], field: string): string {
  return Object.hasOwn(data, field) ? String(data[field]) : '';
}
