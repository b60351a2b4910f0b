// A page that holds the value of a field as the screen of a document does.
import '../../../src/admin/text/en-document.ts';
import '../../../src/admin/text/en-media.ts';
import '../../../src/admin/text/en-rich-text.ts';
import { h, render } from 'preact';
import { useState } from 'preact/hooks';
import { RichTextField } from '../../../src/admin/richtext/rich-text-field.tsx';
import { SourceField } from '../../../src/admin/richtext/source-field.tsx';
import '../../../src/admin/styles/main.css';

const { field = 'rich-text', value: first, props = {} } = JSON.parse(document.getElementById('options').textContent);
window.said = [];

function Page() {
  const [value, setValue] = useState(first);
  const [isShown, setShown] = useState(true);
  window.give = setValue;
  const onChange = (next) => {
    window.said.push(next);
    setValue(next);
  };
  const upload = async (file) => {
    await new Promise((resolve) => {
      window.finishUpload = resolve;
    });
    if (file.name === 'refused.png') throw new Error('too large');
    return { url: `/uploads/${file.name}`, alt: 'A pixel' };
  };
  const chooseFile = async () => ({ url: '/uploads/chosen.png', alt: 'Chosen' });
  const Field = field === 'source' ? SourceField : RichTextField;
  return h(
    'main',
    null,
    h('h1', null, 'Field'),
    h('p', { id: 'help' }, 'Help for the field'),
    isShown &&
      h(Field, { id: 'body', label: 'Body', value, onChange, upload, chooseFile, describedBy: 'help', ...props }),
    h('button', { type: 'button', onClick: () => setShown(!isShown) }, 'After'),
  );
}

render(h(Page), document.getElementById('app'));
