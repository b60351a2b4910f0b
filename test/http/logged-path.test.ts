import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toLoggedPath } from '../../src/http/logged-path.ts';

const NONE = '(none)';
const OPAQUE = 'q7Jx0mC2vB9tR4nK8sL1';

test('the log has the path of a request, and never its query', () => {
  assert.is(toLoggedPath('/api/cms/posts/hello', '/api/cms/{collection}/{slug}'), '/api/cms/posts/hello');
  assert.is(toLoggedPath(`/api/cms/scheduled/calendar.ics?token=${OPAQUE}`, '/x'), '/api/cms/scheduled/calendar.ics');
  assert.is(toLoggedPath('/#secret', NONE), '/');
});

test('a segment that is a secret is not in the log, whether its route is known or not', () => {
  assert.is(toLoggedPath(`/api/preview/${OPAQUE}`, '/api/preview/{token}'), '/api/preview/***');
  assert.is(toLoggedPath(`/api/previw/${OPAQUE}`, NONE), '/api/previw/***');
  assert.is(toLoggedPath('/git/cms_abc123/info/refs', '/git/{repository}/info/refs'), '/git/***/info/refs');
  assert.is(
    toLoggedPath('/wp-content/plugins/a-very-long-plugin-name.php', NONE),
    '/wp-content/plugins/a-very-long-plugin-name.php',
  );
});

test('a path in the log is short, and on one line of printable characters', () => {
  assert.is(toLoggedPath('/a\u001b[31m\n\u202eb', NONE), '/a?[31m??b');
  assert.ok(toLoggedPath(`/${'a'.repeat(8000)}`, NONE).length < 310);
});

test.run();
