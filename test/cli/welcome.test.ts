import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toWelcome, type Welcome } from '../../src/cli/welcome.ts';

const START: Welcome = {
  version: '1.2.3',
  url: 'http://127.0.0.1:3010',
  admin: undefined,
  sites: [{ id: 'default', collection: 'posts', baseUrl: undefined }],
  dataDir: '/srv/data',
  hasUsers: true,
  setupToken: undefined,
};

test('a start on a terminal prints name, version and addresses', () => {
  const text = toWelcome(START);
  assert.match(text, 'Colophon 1.2.3 is listening on http://127.0.0.1:3010\n');
  assert.match(text, '  Admin  http://127.0.0.1:3010/admin\n');
  assert.match(text, '  API    http://127.0.0.1:3010/api/cms/posts\n');
  assert.match(text, '  Data   /srv/data\n');
  assert.not.match(text, 'First:');
});

test('the first start says to make an account, with the setup token that it needs', () => {
  assert.match(
    toWelcome({ ...START, hasUsers: false }),
    'First: open http://127.0.0.1:3010/admin and make your account',
  );
  const exposed = toWelcome({ ...START, url: 'http://0.0.0.0:3010', hasUsers: false, setupToken: 'abc' });
  assert.match(exposed, 'First: open http://127.0.0.1:3010/admin');
  assert.match(exposed, 'setup token: abc\n');
});

test('addresses are those that people use, and each of several sites has its own', () => {
  const text = toWelcome({
    ...START,
    admin: 'https://cms.example.org/admin',
    sites: [
      { id: 'a', collection: 'posts', baseUrl: 'https://a.example.org' },
      { id: 'b', collection: 'pages', baseUrl: undefined },
    ],
  });
  assert.match(text, '  Admin     https://cms.example.org/admin\n');
  assert.match(text, '  Site "a"  https://a.example.org\n');
  assert.match(text, '  API "b"   http://127.0.0.1:3010/api/cms/pages?site=b\n');
});

test.run();
