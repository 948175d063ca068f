// Theme, menu, copying and search of the site. Works from disk: nothing is fetched, the search data are a script.
const root = document.documentElement.dataset.root;
const stored = (() => { try { return localStorage.getItem('carom-theme'); } catch { return null; } })();
if (stored) document.documentElement.dataset.theme = stored;

function set_up_theme() {
  document.getElementById('theme').addEventListener('click', () => {
    const dark = getComputedStyle(document.documentElement).getPropertyValue('--is-dark').trim() === '1';
    const theme = dark ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem('carom-theme', theme); } catch { /* private windows do not keep it */ }
  });
}

function set_up_menu() {
  const button = document.getElementById('menu');
  const toggle = (open) => {
    document.body.classList.toggle('menu-open', open);
    button.setAttribute('aria-expanded', String(open));
  };
  button.addEventListener('click', () => toggle(!document.body.classList.contains('menu-open')));
  document.getElementById('content').addEventListener('click', () => toggle(false));
  const current = document.querySelector('nav [aria-current]');
  const navigation = document.getElementById('navigation');
  if (current && current.offsetTop > navigation.clientHeight) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
}

function set_up_copying() {
  for (const button of document.querySelectorAll('.copy')) {
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.text);
        button.textContent = 'copied';
      } catch {
        button.textContent = 'select by hand';
      }
      setTimeout(() => { button.textContent = 'copy'; }, 1500);
    });
  }
}

function load(name) {
  return new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = root + name;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
}

let engine = null;
async function search_engine() {
  if (engine) return engine;
  await load('minisearch.js');
  await load('search-data.js');
  engine = new MiniSearch({ fields: ['heading', 'page', 'text'], storeFields: ['heading', 'page', 'url', 'text'] });
  engine.addAll(window.search_data);
  return engine;
}

function excerpt(text, terms) {
  const low = text.toLowerCase();
  const at = Math.max(0, Math.min(...terms.map((term) => low.indexOf(term)).filter((place) => place >= 0), text.length) - 40);
  return (at > 0 && at < text.length ? '… ' : '') + text.slice(at >= text.length ? 0 : at, (at >= text.length ? 0 : at) + 140);
}

function set_up_search() {
  const input = document.getElementById('search'), found = document.getElementById('found');
  let chosen = -1;
  const show = async () => {
    const query = input.value.trim();
    if (query.length < 2) { found.hidden = true; return; }
    const results = (await search_engine()).search(query, { prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : 0), boost: { heading: 4, page: 2 }, combineWith: 'AND',
      boostDocument: (_, __, stored) => (stored.url.startsWith('validation/') ? 0.3 : stored.url.startsWith('reference/') ? 0.7 : 1) }).slice(0, 12);
    chosen = -1;
    found.replaceChildren(...results.map((result) => {
      const link = document.createElement('a');
      link.href = root + result.url;
      const title = document.createElement('b'), text = document.createElement('span');
      title.textContent = result.heading && result.heading !== result.page ? `${result.page} › ${result.heading}` : result.page;
      text.textContent = excerpt(result.text, result.terms);
      link.append(title, text);
      return link;
    }));
    if (results.length === 0) found.textContent = 'Nothing found.';
    found.hidden = false;
  };
  input.addEventListener('focus', () => search_engine());
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')];
    if (event.key === 'Escape') { found.hidden = true; input.blur(); }
    else if (event.key === 'Enter') (links[Math.max(0, chosen)])?.click();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      chosen = Math.max(0, Math.min(links.length - 1, chosen + (event.key === 'ArrowDown' ? 1 : -1)));
      links.forEach((link, k) => link.classList.toggle('chosen', k === chosen));
    }
  });
  document.addEventListener('click', (event) => { if (!event.target.closest('.search')) found.hidden = true; });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) { event.preventDefault(); input.focus(); }
  });
}

document.addEventListener('DOMContentLoaded', () => { set_up_theme(); set_up_menu(); set_up_copying(); set_up_search(); });
