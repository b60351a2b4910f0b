// The embeddable form, as it runs in other people's pages: a plain script for the browsers of the last five years.
// widget.ts serves it without comments and spaces, so each comment is on a line of its own and no string spans two
// lines. The parts between `#if turnstile` and `#end` are only for forms with a challenge. Everything from a definition
// or from the service enters the page as text or as an attribute, never as markup, and styles are set through the
// CSSOM: a page's policy needs nothing but our origin in script-src and connect-src.
// One function, because a script in another site's page must leave no name there.
((name) => {
  const id = `cms-form-${name}`;
  // A module, or a script that another script inserted, has no `currentScript`.
  const me = document.currentScript || document.querySelector(`script[src*="/forms/${name}/widget.js"]`);
  // The path may contain a proxy's prefix, the query the site.
  const [url, query] = me.src.split('/widget.js');

  const el = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (value != null && value !== false) node.setAttribute(key, value === true ? '' : value);
    }
    node.append(...children);
    return node;
  };

  const toInput = ({ type, options, validation = {}, defaultValue: value, ...field }) => {
    const shared = {
      id: `${id}.${field.name}`,
      name: field.name,
      placeholder: field.placeholder,
      required: field.required && type !== 'hidden',
      autocomplete: { email: 'email', phone: 'tel', url: 'url' }[type],
      minlength: validation.minLength,
      maxlength: validation.maxLength,
      'aria-describedby': `${id}.${field.name}.error`,
    };
    if (type === 'textarea') return el('textarea', { ...shared, rows: 4 }, value ?? '');
    if (type === 'select') {
      const toOption = (one) => el('option', { value: one.value, selected: one.value === value }, one.label);
      // Nothing is selected until the visitor selects something.
      const none = { value: '', label: field.placeholder || '' };
      return el('select', shared, ...(value == null ? [none, ...options] : options).map(toOption));
    }
    return el('input', {
      ...shared,
      type: type === 'phone' ? 'tel' : type,
      step: type === 'number' && 'any',
      pattern: validation.pattern,
      [type === 'checkbox' ? 'checked' : 'value']: value,
    });
  };

  const toRow = (field) => {
    const input = toInput(field);
    input.style.maxWidth = '100%';
    const note = el('strong', { id: `${input.id}.error`, class: 'cms-form-error' });
    note.style.display = 'block';
    const label = el('label', { for: input.id }, field.label || field.name, input.required ? ' *' : '');
    const line = input.type === 'checkbox' ? [input, ' ', label] : [label, el('br', {}), input];
    return { input, note, row: input.type === 'hidden' ? input : el('p', {}, ...line, note) };
  };

  const render = async (box) => {
    // The element may have texts in the page's own language: data-submit="Senden".
    const words = {
      submit: 'Send',
      sending: 'Sending…',
      required: '* required',
      check: 'Please check what is marked above.',
      failed: 'This could not be sent. What you typed is still here: please try again.',
      missing: 'This form cannot be shown right now.',
      ...box.dataset,
    };
    const status = el('div', { class: 'cms-form-status', role: 'status', tabindex: -1 });
    const alert = el('div', { class: 'cms-form-alert', role: 'alert' });
    box.replaceChildren(status, alert);

    // Without cookies: even a user who is signed in to the service is a visitor here.
    const ask = async (path, init) => (await fetch(url + path + query, { credentials: 'omit', ...init })).json();
    let schema;
    let rows;
    try {
      schema = await ask('/schema');
      rows = schema.fields.map(toRow);
    } catch (error) {
      console.warn(id, error, schema);
      alert.textContent = words.missing;
      return;
    }

    const trap = el('input', { name: '_hp_email', tabindex: -1, autocomplete: 'off' });
    const hidden = el('div', { 'aria-hidden': 'true' }, trap);
    hidden.style.cssText = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)';
    // #if turnstile
    const challenge = el('div', { class: 'cms-form-challenge' });
    // #end
    const button = el('button', {}, words.submit);
    const form = el('form', { class: 'cms-form', 'aria-label': schema.label || name });
    form.style.overflowWrap = 'anywhere';
    // Fields may shadow the form's own properties, so none is used once the fields are in it.
    form.addEventListener('submit', send);
    form.append(
      ...rows.map(({ row }) => row),
      rows.some(({ input }) => input.required) ? el('p', {}, words.required) : '',
      schema.honeypot ? hidden : '',
      // #if turnstile
      challenge,
      // #end
      alert,
      button,
    );
    // #if turnstile
    const src = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
    // One for all forms of a page.
    window.cmsTurnstile ||= new Promise((resolve, reject) => {
      const script = el('script', { src });
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
    let ticket;
    window.cmsTurnstile
      .then(() => {
        ticket = turnstile.render(challenge, { sitekey: schema.turnstile.siteKey });
      })
      .catch((error) => console.warn(id, src, error));
    // #end
    box.append(form);

    function report(sentence, details = []) {
      for (const { input, note } of rows) {
        note.textContent = details.flatMap((one) => (one.path === input.name ? one.message : [])).join(', ');
        input.setAttribute('aria-invalid', note.textContent !== '');
      }
      const wrong = rows.find(({ note }) => note.textContent);
      alert.textContent = wrong ? words.check : details[0]?.message || sentence;
      return wrong;
    }

    async function send(event) {
      event.preventDefault();
      const data = { _hp_email: trap.value };
      for (const { input } of rows) {
        if (input.type === 'checkbox') data[input.name] = input.checked;
        else if (input.value) data[input.name] = input.value;
      }
      // #if turnstile
      if (ticket) data['cf-turnstile-response'] = turnstile.getResponse(ticket);
      // #end
      report('');
      button.disabled = true;
      button.textContent = words.sending;
      let answer = {};
      try {
        const headers = { 'content-type': 'application/json' };
        answer = await ask('', { method: 'POST', headers, body: JSON.stringify(data) });
      } catch (error) {
        console.warn(id, error);
      }
      if (answer.ok) {
        box.removeChild(form);
        status.textContent = answer.message;
        status.focus();
        return;
      }
      button.disabled = false;
      button.textContent = words.submit;
      // #if turnstile
      if (ticket) turnstile.reset(ticket);
      // #end
      (report(answer.error || words.failed, answer.details)?.input || button).focus();
    }
  };

  const start = () => {
    const box = document.getElementById(id);
    if (!box) console.warn(`${id}: no element has this id`);
    // The page may contain the script twice.
    else if (!box.cmsForm) box.cmsForm = render(box);
  };
  if (document.getElementById(id) || document.readyState !== 'loading') start();
  else document.addEventListener('DOMContentLoaded', start);
})('__FORM__');
