import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { emailMail, emailNotice, inviteMail, resetMail } from '../../../src/access/links/mails.ts';

const url = 'https://cms.example/admin/reset#token=abc';
const to = 'ada@example.com';

test('each mail names the service in its subject, and says what the link does and how long it is valid', () => {
  const mails = [
    resetMail({ to, url }),
    inviteMail({ to, url, by: 'Grace' }),
    emailMail({ to, url, from: 'old@example.com' }),
  ];
  for (const { subject, text, html } of mails) {
    assert.match(subject, 'cms.example');
    assert.match(text, `${url}\n`);
    assert.match(text, /works once and for (30 minutes|7 days)/);
    assert.match(html ?? '', `<a href="${url}">`);
  }
});

test('the notice to the old address has no link that changes anything', () => {
  const { text, html } = emailNotice({ to, url: 'https://cms.example/admin', next: 'new@example.com' });
  assert.match(text, 'new@example.com');
  assert.not.match(`${text}${html}`, 'token');
});

test('a name stays text, whatever it contains', () => {
  const { html = '' } = inviteMail({ to, url, by: '<img src=x> & "Co"' });
  assert.not.match(html, '<img');
  assert.match(html, '&lt;img src=x&gt; &amp; &quot;Co&quot;');
});

test.run();
