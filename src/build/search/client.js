// The search box of a built site, in the visitor's browser: loads the pieces that a query needs (README.md says which)
// and shows the best pages. A module without dependencies; it must work under a CSP of 'self' and make no markup of texts.
const SLOTS = 80;
const SHOWN = 8;
const PAUSE_MS = 120;
const LONG_WORD = 32;

// As src/search/engine/fold.ts and words.ts of the service have it; test/build/search/client.test.ts compares them.
// biome-ignore format: a table
const SPELLINGS = {
  æ: 'ae', œ: 'oe', ø: 'o', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŧ: 't', ŋ: 'ng', ς: 'σ', '\u02bc': "'",
};
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');
const ACCENT =
  /(?![\u3099\u309a])(?=\p{M})\p{Script=Inherited}|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]|\p{Default_Ignorable_Code_Point}/gu;
const WIDE = `(?![\\u{10000}-\\u{10ffff}])[${'Han Hiragana Katakana Hangul Bopomofo Thai Lao Khmer Myanmar Tibetan Yi'.replace(/\w+ ?/g, (name) => `\\p{scx=${name.trim()}}`)}]`;
const LETTER = '[\\p{L}\\p{N}\\p{M}]';
const RUNS = new RegExp(`(?:(?=${LETTER})${WIDE})+|(?:(?!${WIDE})${LETTER})+`, 'gu');
const IS_WIDE = new RegExp(`^${WIDE}`, 'u');

export function fold(text) {
  const plain = (run) =>
    run
      .normalize('NFKD')
      .toLowerCase()
      .normalize('NFKD')
      .replace(ACCENT, '')
      .replace(SPELLED, (letter) => SPELLINGS[letter])
      .normalize('NFC');
  return text.toLowerCase().replace(/[^\x00-\x7f]+/g, plain);
}

/** The words of a query, each once: pages have to have words that begin so. */
export function toWords(query) {
  const words = new Set();
  for (const [run] of fold(query).matchAll(RUNS)) {
    const step = IS_WIDE.test(run) ? 1 : LONG_WORD;
    const length = step === 1 ? 2 : LONG_WORD;
    if (run.length <= length) words.add(run);
    else for (let at = 0; at + length <= run.length; at += step) words.add(run.slice(at, at + length));
  }
  return [...words];
}

/** The piece that has the words that begin so; undefined if no page has any. */
export function toPiece(word, pieces) {
  const isWide = IS_WIDE.test(word);
  // A letter alone is a word: its piece has others that begin so.
  if (!isWide && word.length === 1)
    return pieces.has(nameOf(word, word)) ? { name: nameOf(word, word), isSplit: true } : undefined;
  for (let level = 0; ; level++) {
    const prefix = isWide ? word.slice(0, level) : word.slice(0, level + 2);
    const name = nameOf(word, prefix, isWide);
    const isSplit = pieces.has(`${name}+`);
    if (!isSplit && !pieces.has(name)) {
      // What few words begin with is in the piece of the first letter.
      const shared = nameOf(word, word[0]);
      return level === 0 && !isWide && pieces.has(shared) ? { name: shared, isSplit: false } : undefined;
    }
    if (!isSplit || prefix === word) return { name, isSplit };
  }
}

function nameOf(word, prefix, isWide = false) {
  const hex = Array.from({ length: prefix.length }, (_, at) => prefix.charCodeAt(at));
  if (isWide) {
    const first = word.charCodeAt(0);
    if (hex.length > 0) hex[0] = first & 15;
    return ['w', ...[first >> 4, ...hex].map((code) => code.toString(16))].join('-');
  }
  if (/^[a-z0-9]+$/.test(prefix)) return prefix.slice(0, 2) + (prefix.length > 2 ? `-${prefix.slice(2)}` : '');
  return ['u', ...hex.map((code) => code.toString(16))].join('-');
}

/** Weight by number: 1 in the body, 2 there often, 3 in the title; half as much again for the whole word. */
export function readPiece(text, word, isSplit) {
  const weights = new Map();
  for (const line of text.split('\n')) {
    const [term, ...lists] = line.split(' ');
    if (!(isSplit ? term === word || term === `${word}*` : term.startsWith(word))) continue;
    for (const [weight, list] of lists.entries()) {
      let number = -1;
      let more = 0;
      for (let at = 0; at < list.length; at++) {
        const digit = list.charCodeAt(at) - 35;
        if (digit >= 72) more = more * 20 + digit - 72;
        else {
          number += more * 72 + digit + 1;
          more = 0;
          const value = (weight + 1) * (term === word ? 1.5 : 1);
          if (!(weights.get(number) >= value)) weights.set(number, value);
        }
      }
    }
  }
  return weights;
}

/** Pages that have all words: those with all in the title first, then by weight, where rare words say more. */
export function rank(found) {
  const [first, ...others] = [...found].sort((a, b) => a.size - b.size);
  const hits = [];
  for (const [number] of first ?? []) {
    if (!others.every((one) => one.has(number))) continue;
    const inTitle = found.every((one) => one.get(number) >= 3);
    const score = found.reduce((sum, one) => sum + one.get(number) / Math.log(2 + one.size), inTitle ? 1000 : 0);
    hits.push({ number, score: Math.round(score * 100), page: Math.floor(number / SLOTS) });
  }
  return hits.sort((a, b) => b.score - a.score || b.page - a.page);
}

/** Searches in the folder of an index. Files that were loaded are kept. */
export function createSearch(folder, load = fetch) {
  const files = new Map();
  const read = (name, signal) => {
    const known = files.get(name);
    if (known) return known;
    const file = load(folder + name, { signal, cache: 'no-cache' }).then((answer) => {
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      return answer.text();
    });
    files.set(name, file);
    file.catch(() => files.delete(name));
    return file;
  };
  return async (query, signal) => {
    const words = toWords(query);
    if (words.length === 0) return undefined;
    const manifest = JSON.parse(await read('index.json', signal));
    const pieces = new Set(manifest.pieces.split(' '));
    const found = await Promise.all(
      words.map(async (word) => {
        const piece = toPiece(word, pieces);
        return piece ? readPiece(await read(`${piece.name}.txt`, signal), word, piece.isSplit) : new Map();
      }),
    );
    const hits = rank(found);
    const last = hits[SHOWN - 1];
    // Pages with the same score in one file of titles are told apart by their times.
    const best = hits.filter((hit, at) => at < SHOWN || (hit.score === last.score && hit.page === last.page));
    const items = await Promise.all(
      best.map(async ({ number, score, page }) => {
        const entries = JSON.parse(await read(`index-${page}.json`, signal));
        const [, title, path, seconds] = entries.find(([slot]) => slot === number % SLOTS);
        return { title, path, seconds, score };
      }),
    );
    items.sort((a, b) => b.score - a.score || b.seconds - a.seconds || (a.path < b.path ? -1 : 1));
    return { items: items.slice(0, SHOWN), total: hits.length, words, numbers: hits.map(({ number }) => number) };
  };
}

function start(box, boxNumber) {
  const input = box.querySelector('input');
  const list = box.querySelector('[role=listbox]');
  const status = box.querySelector('[role=status]');
  const texts = JSON.parse(box.dataset.texts);
  const language = document.documentElement.lang || 'en';
  const search = createSearch(box.dataset.index.replace(/[^/]*$/, ''));
  let running = new AbortController();
  let timer = 0;
  let active = -1;
  list.id = `search-results-${boxNumber}`;
  input.setAttribute('aria-controls', list.id);

  const countOf = (count) =>
    count === 0
      ? texts.none
      : (texts[new Intl.PluralRules(language).select(count)] ?? texts.other).replace(
          '{count}',
          new Intl.NumberFormat(language).format(count),
        );

  function activate(at) {
    const { length } = list.children;
    active = length === 0 ? -1 : at < -1 ? length - 1 : at >= length ? -1 : at;
    for (const [index, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(index === active));
    const option = list.children[active];
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  }

  function open(isOpen) {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) activate(-1);
  }

  function show(result) {
    status.textContent = result ? countOf(result.total) : '';
    list.replaceChildren(...(result?.items ?? []).map((item, at) => toOption(item, result.words, `${list.id}-${at}`)));
    active = -1;
    box.toggleAttribute('data-empty', result?.total === 0);
    open(Boolean(result?.items.length));
  }

  async function run() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const result = await search(input.value, signal);
      if (!signal.aborted) show(result);
    } catch {
      // Without the network there are no results; the next letter tries again.
      if (!signal.aborted) show(undefined);
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(run, PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (list.children.length === 0) return;
      event.preventDefault();
      const at = list.hidden ? -1 : active;
      open(true);
      activate(event.key === 'ArrowDown' ? at + 1 : at - 1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (!list.hidden) list.children[Math.max(active, 0)]?.click();
    } else if (event.key === 'Escape') {
      // The first press closes the list, the second one empties the field.
      if (list.hidden) input.value = '';
      event.preventDefault();
      show(undefined);
    }
  });
  input.addEventListener('focus', () => open(list.children.length > 0));
  box.addEventListener('focusout', (event) => {
    if (!box.contains(event.relatedTarget)) open(false);
  });
  // The field keeps the focus while a result is pressed.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  box.hidden = false;
}

function toOption({ title, path }, words, id) {
  const option = document.createElement('a');
  Object.assign(option, { id, href: path, tabIndex: -1 });
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  const name = document.createElement('span');
  for (const part of title.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    const isMatch = toWords(part).some((own) => words.some((word) => own.startsWith(word)));
    const node = isMatch ? document.createElement('mark') : document.createTextNode('');
    node.textContent = part;
    name.append(node);
  }
  const address = document.createElement('small');
  address.textContent = decodeURI(path);
  option.append(name, address);
  return option;
}

if (globalThis.document) for (const [at, box] of document.querySelectorAll('[data-search]').entries()) start(box, at);
