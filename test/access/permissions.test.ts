// Which permissions contain which, and the permissions of each role.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { heldBy, permissionsOf, withContained } from '../../src/access/permissions.ts';
import { PERMISSIONS, ROLES } from '../../src/access/principal.ts';

test('content:write contains content:draft, and content:read contains content:read-published', () => {
  assert.equal([...withContained(['content:write'])].sort(), ['content:draft', 'content:write']);
  assert.equal([...withContained(['content:read'])].sort(), ['content:read', 'content:read-published']);
  assert.equal([...withContained(['content:draft'])], ['content:draft']);
  assert.equal([...withContained(['content:read-published'])], ['content:read-published']);
  assert.equal([...withContained(['content:publish'])], ['content:publish']);
  assert.equal([...withContained([])], []);
});

test('no role lists content:read-published by name, and only admins have repository:write', () => {
  for (const role of ROLES) {
    assert.is(permissionsOf(role).has('content:read-published'), role === 'admin', role);
    assert.is(heldBy(role).has('repository:write'), role === 'admin', role);
    assert.is(heldBy(role).has('content:write'), role === 'admin' || role === 'editor', role);
    assert.is(heldBy(role).has('content:draft'), role !== 'viewer', role);
    assert.ok(heldBy(role).has('content:read-published'), role);
  }
  assert.is(heldBy('admin').size, PERMISSIONS.length);
});

test.run();
