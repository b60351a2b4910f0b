// The mail about a submission.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FormSchema } from '../../src/config/form-config.ts';
import { toNotice } from '../../src/forms/notice.ts';
import type { Submission } from '../../src/forms/submission.ts';

const FORM = FormSchema.parse({
  name: 'contact',
  label: 'Contact us',
  fields: [
    { name: 'name', label: 'Your name', type: 'text' },
    { name: 'email', type: 'email' },
    { name: 'topic', label: 'Topic', type: 'select', options: [{ label: 'Sales & more', value: 's' }] },
    { name: 'message', label: 'Message', type: 'textarea' },
    { name: 'agree', label: 'Agreed', type: 'checkbox' },
  ],
});

const submission = (data: Submission['data']): Submission => ({
  id: '01K00000000000000000000000',
  form: 'contact',
  data,
  status: 'new',
  ipHash: '0a1b2c3d',
  userAgent: 'Agent',
  createdAt: '2026-01-02T03:04:05.678Z',
});

test('the mail lists the values by the labels of their fields', () => {
  const data = { name: 'Ada', email: 'ada@example.org', topic: 's', message: 'Hello\nthere', agree: true };
  const { subject, text, replyTo, html } = toNotice(FORM, submission(data));
  assert.is(subject, 'New submission: Contact us');
  assert.is(replyTo, 'ada@example.org');
  assert.is(
    text,
    [
      'Your name: Ada\n',
      'email: ada@example.org\n',
      'Topic: Sales & more\n',
      'Message:\nHello\nthere\n',
      'Agreed: yes\n',
      '-- \nSubmission 01K00000000000000000000000 of Contact us, received 2026-01-02T03:04:05.678Z\n',
    ].join('\n'),
  );
  assert.match(html, '<td>Hello<br>there</td>');
  assert.match(html, 'Sales &amp; more');
  assert.not.match(`${text}${html}`, /0a1b2c3d|Agent/);
});

test('no sent value becomes markup or gets into the subject', () => {
  const evil = '<script>alert(1)</script>"\'&\r\nBcc: victim@example.com';
  const { subject, html, replyTo } = toNotice(FORM, submission({ name: evil, message: evil }));
  assert.not.match(html, '<script');
  assert.is(subject, 'New submission: Contact us');
  assert.is(replyTo, undefined);
});

test('a form that the configuration no longer has is reported by its names', () => {
  const { subject, text, replyTo } = toNotice(undefined, submission({ name: 'Ada', email: 'ada@example.org' }));
  assert.is(subject, 'New submission: contact');
  assert.match(text, 'name: Ada');
  assert.is(replyTo, undefined);
});

test.run();
