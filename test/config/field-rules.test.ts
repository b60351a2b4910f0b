// The rules of `unique`, `pattern` and `ui`: what is refused, at which path, and what is proposed instead.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { field, pathsOf, problemsOf } from './problems.ts';

test('a key of ui that is not known is named with the nearest one', () => {
  const [problem] = problemsOf(field({ type: 'text', ui: { plcaeholder: 'x' } }));
  assert.match(problem!, 'posts.fields.x.ui.plcaeholder: unknown key, did you mean "placeholder"?');
  assert.match(problemsOf(field({ type: 'text', unqiue: true }))[0]!, 'did you mean "unique"?');
  assert.match(problemsOf(field({ type: 'emial' }))[0]!, 'did you mean "email"?');
});

test('names in ui are fields, or keys of the document', () => {
  const collection = {
    name: 'posts',
    fields: [
      { name: 'title', type: 'text', ui: { showIf: 'titel' } },
      { name: 'kind', type: 'text', ui: { showIf: { field: 'kind', equals: 'x' } } },
    ],
    ui: { titleField: 'titel', columns: ['title', 'updatedAt', 'creatdAt'], sort: '-nothing' },
  };
  assert.equal(pathsOf({ collections: [collection] }), [
    'posts.fields.title.ui.showIf',
    'posts.fields.kind.ui.showIf.field',
    'posts.ui.titleField',
    'posts.ui.columns.2',
    'posts.ui.sort',
  ]);
});

test('only a field of a collection with one text or number can be unique', () => {
  for (const type of ['text', 'email', 'url', 'number', 'date', 'color']) {
    parseConfig(field({ type, unique: true }));
  }
  for (const bad of [
    { type: 'richtext' },
    { type: 'boolean' },
    { type: 'tags' },
    { type: 'json' },
    { type: 'blocks' },
  ]) {
    assert.equal(pathsOf(field({ ...bad, unique: true })), ['posts.fields.x.unique']);
  }
  assert.equal(pathsOf(field({ type: 'text', unique: true, defaultValue: 'a' })), ['posts.fields.x.unique']);
  const inner = field({ type: 'object', fields: [{ name: 'code', type: 'text', unique: true }] });
  assert.equal(pathsOf(inner), ['posts.fields.x.fields.code.unique']);
});

test('a pattern is a regular expression that can be checked in linear time', () => {
  const pattern = (value: string, type = 'text') => field({ type, pattern: { value } });
  parseConfig(pattern('^[a-z]+$', 'tags'));
  assert.equal(pathsOf(pattern('(')), ['posts.fields.x.pattern.value']);
  assert.match(problemsOf(pattern('^(?=a)'))[0]!, /linear time/);
  assert.equal(pathsOf(pattern('a', 'number')), ['posts.fields.x.pattern']);
  const withDefault = field({ type: 'text', pattern: { value: '^a', message: 'begins with a' }, defaultValue: 'b' });
  assert.match(problemsOf(withDefault)[0]!, 'begins with a');
});

test.run();
