import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toLinkBase, toLinkUrl } from '../../../src/access/links/link-base.ts';

const HERE = { host: '127.0.0.1', trustProxy: 0 };

test('links lead to the address that the environment sets', () => {
  const publicUrl = 'https://cms.example';
  assert.is(toLinkBase({ ...HERE, publicUrl }, 3010), 'https://cms.example/admin');
  assert.is(toLinkBase({ ...HERE, publicUrl, adminUrl: 'https://a.example/admin' }, 3010), 'https://a.example/admin');
  assert.is(toLinkBase({ ...HERE, adminUrl: 'https://a.example' }, 3010), 'https://a.example/admin');
});

test('without it they lead to the listening address if that is loopback, and nowhere otherwise', () => {
  assert.is(toLinkBase(HERE, 3010), 'http://127.0.0.1:3010/admin');
  assert.is(toLinkBase({ ...HERE, host: '::1' }, 3010), 'http://[::1]:3010/admin');
  assert.is(toLinkBase({ ...HERE, host: '0.0.0.0' }, 3010), undefined);
  assert.is(toLinkBase({ ...HERE, host: '127.evil.example' }, 3010), undefined);
  assert.is(toLinkBase({ ...HERE, trustProxy: 1 }, 3010), undefined);
  assert.is(toLinkBase(HERE, 0), undefined);
});

test('the token comes after the #, which browsers never send', () => {
  const url = new URL(toLinkUrl('https://cms.example/admin', 'reset', 'abc'));
  assert.equal([url.pathname, url.search, url.hash], ['/admin/reset', '', '#token=abc']);
});

test.run();
