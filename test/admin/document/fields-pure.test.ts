// What a form shows, how its groups are called, and what a role may do with a document.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { permissionsOf } from '../../../src/access/permissions.ts';
import type { Permission, Role } from '../../../src/access/principal.ts';
import { createSession } from '../../../src/admin/api/session.ts';
import { asShown } from '../../../src/admin/fields/as-shown.ts';
import '../../../src/admin/text/en-document.ts';
import '../../../src/admin/text/en-media.ts';
import type { FieldInfo } from '../../../src/admin/config/manifest.ts';
import { rightsOf } from '../../../src/admin/document/rights.ts';
import { nameOfItem } from '../../../src/admin/fields/items.ts';
import { tabsOf } from '../../../src/admin/fields/shown.ts';
import { toProblems } from '../../../src/admin/screens/document/problems.ts';

test('a tab is there as long as one of its fields is', () => {
  const fields: FieldInfo[] = [
    { name: 'title', type: 'text' },
    { name: 'sold', type: 'boolean' },
    { name: 'price', type: 'number', ui: { tab: 'Shop', showIf: 'sold' } },
    { name: 'key', type: 'text', ui: { tab: 'Inner', hidden: true } },
  ];
  assert.equal(tabsOf(fields, 'General', { sold: true }), ['General', 'Shop']);
  assert.equal(tabsOf(fields, 'General', { sold: false }), []);
});

test('no two groups that are inside each other have one name', () => {
  assert.is(nameOfItem('Steps', 1, []), 'Steps 2');
  assert.is(nameOfItem('Steps', 0, ['Quote 1', 'Steps 2']), 'Steps 2.1');
  assert.is(nameOfItem('Steps', 2, ['Steps 2.1', 'Steps 2']), 'Steps 2.1.3');
  assert.is(nameOfItem('Steps', 0, ['Steps of a dance 1']), 'Steps 1');
});

test('a problem names the field that it is in, however deep', () => {
  const parts = {
    collection: {
      fields: [
        { name: 'title', type: 'text', label: 'Title' },
        { name: 'inks', type: 'array', label: 'Inks', fields: [{ name: 'colour', type: 'text', label: 'Colour' }] },
        { name: 'size', type: 'object', label: 'Size', fields: [{ name: 'width', type: 'number' }] },
        { name: 'parts', type: 'blocks', label: 'Parts' },
        { name: 'slots', type: 'column-slots', label: 'Columns' },
        { name: 'place', type: 'map', label: 'Place' },
        { name: 'shots', type: 'image-gallery', label: 'Shots' },
      ],
    },
    blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'words', type: 'text', label: 'Said' }] }],
    data: {
      parts: [{ _block: 'gone' }, { _block: 'quote' }],
      slots: { slots: [[], [{ _block: 'quote' }]] },
    },
  };
  const named = (...paths: string[]): string[] =>
    toProblems(
      paths.map((path) => ({ path, message: 'is bad' })),
      parts,
    ).map(({ text }) => text.replace(': is bad', ''));
  assert.equal(named('data.title', 'data.inks[0].colour', 'data.size.width'), [
    'Title',
    'Inks 1, Colour',
    'Size, width',
  ]);
  assert.equal(named('data.parts.1.words', 'data.parts.0.words', 'data.slots.slots.1.0.words'), [
    ...['Parts 2, Said', 'Parts 1', 'Columns 2.1, Said'],
  ]);
  assert.equal(named('data.place.lat', 'data.shots.1.alt'), ['Place, Latitude', 'Shots 2, Alt text']);
  assert.equal(named('slug', 'data.nothing.1'), ['slug', 'data.nothing.1']);
});

test('each role is offered what it may do: an author has drafts that nothing will publish', () => {
  const of = (role: Role, document?: Parameters<typeof rightsOf>[1]) => {
    const { may, state } = createSession(async () => Promise.reject(new Error('nothing is asked')));
    const permissions: Permission[] = [...permissionsOf(role)];
    state.value = { kind: 'signed-in', profile: { permissions } as never };
    return Object.entries(rightsOf(may, document))
      .filter(([, isHeld]) => isHeld)
      .map(([right]) => right);
  };
  const all = ['mayCreate', 'mayEdit', 'mayPublish', 'mayDelete'];
  const scheduled = { status: 'draft', publishAt: '2126-01-01T00:00:00.000Z' } as const;
  for (const document of [undefined, { status: 'published' } as const, scheduled]) {
    assert.equal(of('editor', document), all);
    assert.equal(of('viewer', document), []);
  }
  assert.equal(of('author'), ['mayCreate', 'mayEdit', 'mayDelete']);
  assert.equal(of('author', { status: 'archived' }), ['mayCreate', 'mayEdit', 'mayDelete']);
  assert.equal(of('author', { status: 'published' }), ['mayCreate']);
  assert.equal(of('author', scheduled), ['mayCreate']);
});

test('history shows values as their fields do', () => {
  const size = { name: 'size', type: 'object', fields: [{ name: 'on', type: 'boolean', label: 'Shown' }] };
  const mood = { name: 'mood', type: 'select', options: [{ label: 'In good spirits', value: 'glad' }] };
  assert.equal(asShown({ on: true, other: 1 }, size), { Shown: 'Yes', other: 1 });
  assert.equal(asShown([{ on: false }], { ...size, type: 'array' }), [{ Shown: 'No' }]);
  assert.equal(asShown(['glad', 'gone'], mood), ['In good spirits', 'gone']);
  assert.match(String(asShown('2026-03-01', { name: 'day', type: 'date' })), /March/);
  assert.equal([asShown(null, mood), asShown('x', undefined)], [null, 'x']);
});

test.run();
