// colophon types: from the configuration alone, to standard output or into a file.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeCli } from './world.ts';

test('types prints the collections, or writes them into a file, without a data folder', async () => {
  using cli = makeCli();
  const { code, out, err } = await cli.run('types');
  assert.equal([code, err], [0, '']);
  assert.match(out, 'export interface PostsData {\n  title: string;\n  views?: number | null;');
  assert.match(out, "locale?: 'en' | 'da';");
  const quiet = await cli.run('types', '--out', cli.path('types.d.ts'));
  assert.equal([quiet.code, quiet.out, fs.readFileSync(cli.path('types.d.ts'), 'utf8')], [0, '', out]);
  assert.not(fs.existsSync(cli.path('data')));
});

test('types reads a configuration in JSON, and says what is wrong with one or with the file', async () => {
  using cli = makeCli();
  cli.write('site.json', '{"collections":[{"name":"a","fields":[{"name":"b","type":"select","options":["x"]}]}]}');
  assert.match((await cli.run('types', '--config', cli.path('site.json'))).out, "b?: 'x' | null;");
  cli.write('site.json', '{"collections":[{"name":"a","fields":[{"name":"b","type":"txt"}]}]}');
  const wrong = await cli.run('types', '--config', cli.path('site.json'), '--out', cli.path('types.ts'));
  assert.is(wrong.code, 1);
  assert.match(wrong.err, 'a.fields.b.type');
  assert.not(fs.existsSync(cli.path('types.ts')));
  const nowhere = await cli.run('types', '--out', cli.path('none/types.ts'));
  assert.is(nowhere.code, 1);
  assert.match(nowhere.err, /none/);
});

test.run();
